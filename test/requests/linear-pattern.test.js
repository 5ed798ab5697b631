'use strict'

const t = require('tap')
const { linear, linearWherePossible } = require('../../lib/requests/linear-pattern')
const { patternOf } = require('../../lib/requests/pattern')
const { randomFrom } = require('../../lib/core/random')

const TEXTS = ['', 'a', 'A', 'é', 'É', 's', 'z', 'e', 'B', '_', '-', '[', ']', '/', '\\', '"', '\'', ',', '^', '1', '\n', '\r', '\v', '\b', '\x07', '\0', 'α', '😀', 'ab', 'aa', 'a]', 'a-b', 'a b', 'a\u00a0b',
  'a\vb', 'a\nb', 'a\rb', 'a\u2028b', 'a\ufeffb', 'b\na', 'ax{,2}', 'a{1', '{"a":1}', 'u{1F600}', 'pL', '&&b', 'abcd', 'xsz', 'name="csrf" value="x&y"', '7f', '\\c', '\\c1', 'a\\c', '\x11', '\x1f', '*']

// The table has what people write, needless escapes included.
/* eslint-disable no-empty-character-class, no-useless-escape */

/** Atoms, classes, escapes and flags of ECMA-262. */
const SAME = [
  /a|/, /(?:)/, /a+?/, /(a|ab)(c|bcd)?/, /(?:a|b)+/, /(?<n>a)b/, /x{,2}/, /a{1/, /{"a":(\d)}/, /]/, /a.b/, /a.b/s, /^.$/u, /name="csrf" value="([^"]+)"/,
  /[]/, /[^]/u, /[^]b/, /[\s\S]/u, /[\s]/, /[^\s]/u, /[\S]/u, /[^\S]/, /[\w-]/, /[a\-b]/, /[\-a]/, /[\d-x]/, /[a-\d]/, /[x\s-z]/, /[[:alpha:]]/, /[a[]]/, /[a\]]/, /[\]]/, /[\[]/, /[^\]]b/, /[/]/, /[&&]/,
  /[a-z&&b]/, /[\b]/, /[\B]/, /[\^a]/, /[a^]/, /[\\]/, /[\W_]/u, /[\u0061-\u0063]/, /[\x61-c]/, /[\u{1F600}-\u{1F610}]/u, /[\ud83d\ude00]/u,
  /a\sb/, /\S/u, /\s/, /\bb/, /a\B/, /\a/, /\z/, /\A/, /\Qab/, /\e/, /\é/, /\"/, /\'/, /\-/, /\//, /\\/, /\cJ/, /\cj/, /\0/, /\x61/, /\x7/, /\u0061/, /\u{1F600}/u, /\u{1F600}/, /\ud83d\ude00/, /\pL/, /\p{L}/, /\p{L}/u,
  /\P{L}/u, /\p{Script=Greek}/u, /\p{Lu}/u,
  /\p{Letter}/u, /\P{Uppercase_Letter}/u, /[\p{gc=Lu}\p{General_Category=Decimal_Number}]/u, /\p{Lu}/iu, /[^\p{Lu}]/iu, /\c/, /\c1/, /a\c/, /[\c]/, /[\c1]/, /[\c_]/, /[\c*a]/, /[^\cJ]/u,
  /É/i, /S/i, /[^a]/iu, /a$/, /^b/, /b$/m, /^a/m, /a/g, /a/d
]

/* eslint-enable no-empty-character-class, no-useless-escape */

/** @param {ArrayLike<string | undefined> | null} match */
const plain = match => match === null ? null : Array.from(match)

t.test('a pattern matches what it matches in JavaScript', async t => {
  for (const pattern of SAME) {
    const ours = linear(pattern)
    for (const text of TEXTS.filter(text => !/[\r\u2028]/.test(text) || !pattern.multiline)) {
      const expected = plain(new RegExp(pattern.source, pattern.flags.replace('g', '')).exec(text))
      if (JSON.stringify(plain(ours.exec(text))) !== JSON.stringify(expected)) t.strictSame(plain(ours.exec(text)), expected, `${pattern} over ${JSON.stringify(text)}`)
      if (ours.test(text) !== (expected !== null)) t.equal(ours.test(text), expected !== null, `${pattern} over ${JSON.stringify(text)}`)
    }
    t.pass(String(pattern))
  }
})

t.test('random patterns match what they match in JavaScript', async t => {
  const chance = randomFrom(Number(process.env.FUZZ_SEED ?? 35))
  /** @template T @param {readonly T[]} list @returns {T} */
  const pick = list => list[Math.floor(chance() * list.length)]
  const classes = ['[ab]', '[^a]', '[^\\s]', '[\\w.-]', '[a-c\\d]', '\\d', '\\w', '\\s', '.', '\\S', '[^k]', '[^S-T]', '\\W', '[^\\W\\d]']
  const ofUnicode = ['\\p{Letter}', '[\\p{Lu}1]', '[^\\p{Ll}]', '\\p{sc=Latin}', '\\u{6b}']
  const ofCode = ['\\c ', '[\\c1]', '[\\c-]', '\\cJ', '(?:\\u{2})']
  // A repeated group that may be empty matches less often than in JavaScript, as docs/checks.md says: here none may.
  /** @param {number} depth @returns {string} */
  const made = (depth, others = ofCode) => Array.from({ length: 1 + Math.floor(chance() * 3) }, () => {
    const atom = depth > 0 && chance() < 0.4 ? `(${pick(['a', '.', '\\S'])}${made(depth - 1, others)}|${pick(['x', 'ab', 'b '])})` : pick(['a', 'b', 'k', 'S', '-', ' ', '\\.', '\\b', ...classes, ...others])
    return atom === '\\b' ? atom : atom + pick(['', '', '', '+', '?', '{2}', '{1,2}?'])
  }).join('')
  for (let i = 0; i < 2000; i++) {
    const flags = pick(['', 'i', 's', 'm', 'u', 'iu'])
    const source = pick(['', '^']) + made(2, flags.includes('u') ? ofUnicode : ofCode) + pick(['', '$'])
    const pattern = new RegExp(source, flags)
    const ours = linear(pattern)
    for (let j = 0; j < 5; j++) {
      const text = Array.from({ length: Math.floor(chance() * 12) }, () => pick(['a', 'b', 'ab', 'B', '.', '-', ' ', '1', 'x', '\n', '\u00a0', 'K', 's', 'É', 'uu', '\\c', '\x11'])).join('')
      // Groups inside of a repetition keep another iteration than in JavaScript.
      const [expected, found] = [pattern.exec(text), ours.exec(text)]
      if (found?.[0] !== expected?.[0] || ours.test(text) !== (expected !== null)) t.equal(found?.[0], expected?.[0], `${pattern} over ${JSON.stringify(text)}`)
    }
  }
})

t.test('with the flag i, cases are those of the flags iu in JavaScript', async t => {
  const characters = Array.from({ length: 0x20000 }, (_, i) => i).filter(code => code < 0xd800 || code > 0xdfff).map(code => String.fromCodePoint(code))
  const cased = characters.filter(one => one.toLowerCase() !== one || one.toUpperCase() !== one)
  t.ok(cased.length > 2500)
  // Letters whose cases are not just those of toLowerCase and toUpperCase.
  const special = ['i', 'I', 'k', 's', 'µ', 'ß', 'ı', 'İ', 'ſ', '\u0345', 'ι', 'μ', 'ẞ', 'ι', 'Ω', '\u212a']
  const wrong = cased.filter(one => {
    const [ours, theirs] = [linear(new RegExp(one, 'i')), new RegExp(one, 'iu')]
    return [one, one.toLowerCase(), one.toUpperCase(), ...special].some(other => ours.test(other) !== theirs.test(other))
  })
  t.strictSame(wrong, [], 'each character')
  // Newer versions of Node.js know newer characters.
  const known = characters.slice(0, 0x1000).concat(special)
  const sources = ['\\w', '\\W', '[\\w]', '[\\W]', '[^\\w]', '[^\\W]', '\\d', '\\D', '\\s', '\\S', '[a-z]', '[^a-z]', '[^k]', '[à-ý]', '[α-ω]', '[\\D]', '[x\\W]', '[\\w-]', '.', '[J-T]', '[^ſ-ƒ]']
  const ofProperties = ['\\p{Lu}', '\\p{Lowercase_Letter}', '[^\\p{Lu}]', '\\p{L}', '\\p{Lt}', '\\p{Script=Greek}', '[^\\p{sc=Greek}]', '\\p{Mark}', '[\\p{Lu}\\d]']
  for (const source of [...sources, ...ofProperties]) {
    const [ours, theirs] = [linear(new RegExp(source, ofProperties.includes(source) ? 'iu' : 'i')), new RegExp(source, 'iu')]
    t.strictSame(known.filter(one => /\P{Cn}/u.test(one) && ours.test(one) !== theirs.test(one)), [], source)
  }
})

t.test('what has no linear form is refused by name', async t => {
  for (const [pattern, reason] of /** @type {Array<[RegExp, string]>} */ ([
    [/(?=a)b/, 'lookahead (?=…)'], [/(?!a)b/, 'lookahead (?!…)'], [/(?<=a)b/, 'lookbehind (?<=…)'], [/(?<!a)b/, 'lookbehind (?<!…)'], [/(a)\1/, 'backreference \\1'], [/(?<n>a)\k<n>/, 'backreference \\k<n>'],
    [/\P{Lu}/iu, '\\P{Lu} with the flag i'], [/[^\P{L}]/iu, '\\P{L} with the flag i'],
    [/a{1001}/, 'invalid repeat count: `{1001}`'], [/\p{Script_Extensions=Greek}/u, 'invalid character class range: `\\p{Script_Extensions=Greek}`']
  ])) {
    t.throws(() => linear(pattern), { message: `${reason} has no form that runs in linear time` }, String(pattern))
    t.throws(() => patternOf(String(pattern)), { message: `'${pattern}' is not supported: ${reason} has no form that runs in linear time. Use a function of the response in a JavaScript config instead` }, 'a text that is a pattern is refused when it is read')
    t.equal(linearWherePossible(pattern).constructor.name, 'BacktrackingPattern', 'one of a user\'s code runs as it is')
  }
  t.ok(linear(/\(?=a[(?!)]/), 'what only looks like it is none')
})

t.test('a pattern that backtracks without end ends at once', async t => {
  for (const [pattern, text] of /** @type {Array<[RegExp, string]>} */ ([[/(a+)+b/, 'a'.repeat(50_000)], [/(a|a)*$/, 'a'.repeat(5000) + 'b'], [/^(\w+\s?)*$/, 'word '.repeat(2000) + '!'], [/(x+x+)+y/, 'y' + 'x'.repeat(5000)], [/.*.*.*=.*;/, '='.repeat(5000)]])) {
    t.equal(linear(pattern).test(text), pattern.source.startsWith('(a|a)'), String(pattern))
    t.equal(linear(pattern).exec(text) !== null, pattern.source.startsWith('(a|a)'))
  }
})

t.test('the text is as long as the pattern has time for', async t => {
  const [short, long] = [linear(/a/), linear(/(?:a{30}){30}b/)]
  t.ok(short.longest > 10e6)
  t.ok(long.longest < 100_000 && long.longest > 10_000)
  const reason = { message: `the text is longer than the ${long.longest} characters over which /(?:a{30}){30}b/ is run` }
  t.equal(long.test('c'.repeat(long.longest)), false)
  t.throws(() => long.test('c'.repeat(long.longest + 1)), reason)
  t.throws(() => long.exec('c'.repeat(long.longest + 1)), reason)
})
