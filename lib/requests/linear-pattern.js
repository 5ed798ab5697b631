'use strict'

// Runs a regular expression over the text of a server in linear time, with RE2. V8 backtracks: `/(a+)+b/` over 40 times
// `a` takes hours, in which no timer runs. Patterns are translated to the syntax of RE2. Unsupported forms, such as
// lookaround, are refused.

const { now } = require('../core/clock')

/** The characters of `\s` (ECMA-262 22.2.2.9); RE2 knows ASCII spaces only. */
const SPACES = '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NO_SPACES =
  '\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const ANY = '(?s:.)'
const NOTHING = '[^\\x00-\\x{10ffff}]'

const ESCAPE = [
  'u[dD][89abAB][\\da-fA-F]{2}\\\\u[dD][c-fC-F][\\da-fA-F]{2}', 'u[\\da-fA-F]{4}', 'u\\{[\\da-fA-F]+\\}',
  'x[\\da-fA-F]{2}', 'c[a-zA-Z]', '[pP]\\{[^{}]*\\}', 'k<[^<>]*>', '\\d+', '.'
].map(form => `\\\\${form}`).join('|')
const TOKEN = new RegExp(`${ESCAPE}|\\[\\^?(?:\\\\.|[^\\\\\\]])*\\]|\\(\\?<?[=!]|\\(\\?[^:<]|.`, 'gsu')
// Without the flag u, \c is a control character before a digit or _ as well, but only in a class (ECMA-262 B.1.2).
const TOKEN_OF_CLASS = new RegExp(`\\\\c[\\d_]|${ESCAPE}|.`, 'gsu')

/** RE2 knows only the short names of general categories. */
const CATEGORIES = new Map(`
  Letter=L Cased_Letter=LC Uppercase_Letter=Lu Lowercase_Letter=Ll Titlecase_Letter=Lt Modifier_Letter=Lm
  Other_Letter=Lo
  Mark=M Combining_Mark=M Nonspacing_Mark=Mn Spacing_Mark=Mc Enclosing_Mark=Me
  Number=N Decimal_Number=Nd digit=Nd Letter_Number=Nl Other_Number=No
  Punctuation=P punct=P Connector_Punctuation=Pc Dash_Punctuation=Pd Open_Punctuation=Ps Close_Punctuation=Pe
  Initial_Punctuation=Pi Final_Punctuation=Pf Other_Punctuation=Po
  Symbol=S Math_Symbol=Sm Currency_Symbol=Sc Modifier_Symbol=Sk Other_Symbol=So
  Separator=Z Space_Separator=Zs Line_Separator=Zl Paragraph_Separator=Zp
  Other=C Control=Cc cntrl=Cc Format=Cf Surrogate=Cs Private_Use=Co Unassigned=Cn
`.trim().split(/\s+/).map(pair => /** @type {[string, string]} */ (pair.split('='))))

/** In a class, such an escape cannot end a range: a - beside it is a literal. */
const SET = /^\\(?:[dDwWsS]$|[pP]\{)/

/**
 * The limit of steps: the characters of the text times the instructions of the pattern. A step takes up to 16 ns, so
 * the limit is about 1 s. `"token":"([^"]+)"` has 16 instructions and may read 4.1 million characters.
 */
const MOST_STEPS = 2 ** 26

/** The limit of time for all matches in a text, ms: 1 MiB takes 0.1 s, and 1 s on a busy machine. */
const LONGEST_SEARCH = 5000

/** A pattern with a part that has no linear form. */
class UnsupportedPattern extends TypeError {}

/**
 * @typedef {object} Matcher
 * @property {(text: string) => boolean} test
 * @property {(text: string) => ArrayLike<string | undefined> | null} exec
 * @property {(text: string) => Iterable<string | undefined>} all of each match the first group, or all of it
 */

/** @implements {Matcher} */
class LinearPattern {
  /** @param {RegExp} pattern @param {import('re2js').RE2JS} program compiled by RE2 */
  constructor (pattern, program) {
    this.pattern = pattern
    this.program = program
    this.longest = Math.floor(MOST_STEPS / program.programSize())
  }

  /**
   * @param {string} text
   * @throws {Error} when it is too long
   */
  test (text) {
    this.check(text)
    return this.program.test(text)
  }

  /**
   * @param {string} text
   * @returns the match and its groups
   * @throws {Error} when it is too long
   */
  exec (text) {
    this.check(text)
    return this.program.exec(text)
  }

  /**
   * @param {string} text
   * @returns {Generator<string | undefined>} of each match the first group, or all of it
   * @throws {Error} when the text is too long, or the search takes too long
   */
  * all (text) {
    this.check(text)
    const matcher = this.program.matcher(text)
    const group = matcher.groupCount() > 0 ? 1 : 0
    const begun = now()
    while (matcher.find()) {
      yield matcher.group(group) ?? undefined
      if (now() - begun > LONGEST_SEARCH) throw new Error(`to find all matches of ${this.pattern} takes more than 5 s`)
    }
  }

  /** @param {string} text */
  check (text) {
    if (text.length > this.longest) {
      throw new Error(`the text is longer than the ${this.longest} characters over which ${this.pattern} is run`)
    }
  }
}

/**
 * @param {RegExp} pattern the flags g and y are ignored: each text is searched from its start
 * @throws {UnsupportedPattern}
 */
function linear (pattern) {
  // Lazy: it takes 10 ms to load.
  const { RE2JS, RE2JSException } = require('re2js')
  try {
    return new LinearPattern(pattern, RE2JS.compile(translated(pattern)))
  } catch (error) {
    if (error instanceof RE2JSException) throw unsupported(error.message.replace(/^error parsing regexp: /, ''))
    throw error
  }
}

/** @param {RegExp} pattern of a user's code, which may block the thread as any user code can @returns {Matcher} */
function linearWherePossible (pattern) {
  try {
    return linear(pattern)
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    return new BacktrackingPattern(pattern)
  }
}

/** @implements {Matcher} */
class BacktrackingPattern {
  /** @param {RegExp} pattern the flags g and y are ignored */
  constructor ({ source, flags }) {
    const others = flags.replace(/[gy]/g, '')
    this.once = new RegExp(source, others)
    this.each = new RegExp(source, `${others}g`)
  }

  /** @param {string} text */
  test (text) {
    return this.once.test(text)
  }

  /** @param {string} text */
  exec (text) {
    return this.once.exec(text)
  }

  /** @param {string} text */
  * all (text) {
    for (const match of text.matchAll(this.each)) yield match.length > 1 ? match[1] : match[0]
  }
}

/**
 * @param {RegExp} pattern
 * @returns {string} the pattern in the syntax of RE2
 * @throws {UnsupportedPattern}
 */
function translated ({ source, flags }) {
  if (flags.includes('v')) throw unsupported('the flag v')
  const made = Array.from(source.matchAll(TOKEN), ([token]) => {
    if (token[0] === '\\') return escaped(token, flags)
    if (token[0] === '[') return classOf(token, flags)
    if (/^\(\?<?[=!]/.test(token)) throw unsupported(`${token.includes('<') ? 'lookbehind' : 'lookahead'} ${token}…)`)
    if (/^\(\?/.test(token)) throw unsupported(`${token}…)`)
    if (token === '.') return flags.includes('s') ? ANY : '[^\\n\\r\\x{2028}\\x{2029}]'
    return (token === '^' || token === '$') && flags.includes('m') ? `(?m:${token})` : token
  }).join('')
  return flags.includes('i') ? `(?i)${made}` : made
}

/** @param {string} text such as `[^a-z]` @param {string} flags */
function classOf (text, flags) {
  const [, not, inside] = /** @type {RegExpExecArray} */ (/^\[(\^?)(.*)\]$/s.exec(text))
  if (inside === '') return not === '' ? NOTHING : ANY
  const tokens = Array.from(inside.matchAll(TOKEN_OF_CLASS), ([token]) => token)
  return `[${not}${tokens.map((token, i) => {
    if (token === '\\s') return SPACES
    if (token === '\\S') return NO_SPACES
    if (token === '\\b') return '\\x08'
    if (token === '\\B') return 'B'
    if (token === '-' && (SET.test(tokens[i - 1] ?? '') || SET.test(tokens[i + 1] ?? ''))) return '\\-'
    return token[0] === '\\' ? escaped(token, flags) : token === '[' ? '\\[' : token
  }).join('')}]`
}

/**
 * @param {string} token an escape
 * @param {string} flags
 * @throws {UnsupportedPattern}
 */
function escaped (token, flags) {
  const kind = token[1]
  if (token === '\\s') return `[${SPACES}]`
  if (token === '\\S') return `[^${SPACES}]`
  if (token === '\\0') return '\\x00'
  if (/\d/.test(kind) || (kind === 'k' && token.length > 2)) throw unsupported(`backreference ${token}`)
  if (token.length > 2) {
    if (kind === 'p' || kind === 'P') return flags.includes('u') ? property(token, flags) : kind + token.slice(2)
    if (kind === 'c') return hex(token.charCodeAt(2) % 32)
    const codes = Array.from(token.matchAll(/[\da-fA-F]+/g), ([digits]) => parseInt(digits, 16))
    // `\u{…}` without the flag u repeats the letter u.
    if (token[2] === '{' && !flags.includes('u')) return kind + token.slice(2)
    return hex(codes.length === 2 ? (codes[0] - 0xd800) * 0x400 + codes[1] - 0xdc00 + 0x10000 : codes[0])
  }
  if (/[dDwWbBfnrtv]/.test(kind)) return token
  // Before any character but a letter, the backslash is a literal.
  if (kind === 'c') return '\\\\c'
  // Any other escaped letter is a literal.
  return /[!-/:-@[-`{-~]/.test(kind) ? token : kind
}

/**
 * @param {string} token such as `\p{Lu}` or `\P{Script=Greek}`
 * @param {string} flags
 * @throws {UnsupportedPattern}
 */
function property (token, flags) {
  // JavaScript forms the complement before it ignores case, RE2 after that: in JavaScript /\P{Lu}/iu matches A.
  if (token[1] === 'P' && flags.includes('i')) throw unsupported(`${token} with the flag i`)
  const name = token.slice(3, -1).replace(/^(?:Script|sc|General_Category|gc)=/, '')
  return `\\${token[1]}{${CATEGORIES.get(name) ?? name}}`
}

/** @param {number} code */
const hex = code => `\\x{${code.toString(16)}}`

/** @param {string} what */
function unsupported (what) {
  return new UnsupportedPattern(`${what} has no form that runs in linear time`)
}

module.exports = { UnsupportedPattern, linear, linearWherePossible }
