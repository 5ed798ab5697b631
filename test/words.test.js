'use strict'

// The English of help, messages and documents: phrases that readers had to read twice, with the reason and what to write. Each entry proves itself with a
// sample that it finds, and with text that it must not find. A new phrase is one entry.

const t = require('tap')
const { readFileSync, readdirSync } = require('node:fs')
const path = require('node:path')
const ts = require('typescript')
const { cli } = require('./helpers/processes/cli')
const { CODES, FOREIGN_CODES, hintOf } = require('../lib/core/errors')
const { FAMILIES } = require('../lib/follow/metrics/families')
const FOREIGN_FLAGS = require('../lib/cli/config/foreign-flags.json')
const { AGENT } = require('../lib/cli/commands/agent-flags')
const { GROUPS } = require('../lib/options/table')
const { EXPERIMENTS } = require('../lib/parts')

const ROOT = path.join(__dirname, '..')

/**
 * `finds` is text that the pattern must find, `leaves` is text that it must not find.
 * @type {ReadonlyArray<{ pattern: RegExp, why: string, finds: string[], leaves?: string[] }>}
 */
const PHRASES = [
  { pattern: /\b(?:says?|said|tells?|told|hears?)\b/i, why: 'code and documents do not speak: shows, reports, returns, receives', finds: ['the report says why', 'Is told at once', 'as Retry-After tells'] },
  { pattern: /\bask(?:s|ed|ing)?\b/i, why: 'code does not ask: requests, checks, is configured', finds: ['It asks each server', 'the rate that was asked for'], leaves: ['task', 'a masked value'] },
  { pattern: /\b(?:nobody|somebody|everybody|whoever)\b/i, why: 'name the thing, or use the passive', finds: ['Where nobody looks at a body', 'Whoever has the link'] },
  { pattern: /(?<!\b(?:users?|people|everyone|someone|visitors?) )\bwhom?\b(?![^.|]*\?)/i, why: 'name the person or the thing', finds: ['who reads too slowly', 'Who has no key'], leaves: ['users who log in', 'everyone who starts a run', 'Who can use my agents?'] },
  { pattern: /\bwhose\b/i, why: 'split the sentence, or write "with"', finds: ['requests whose connection ended'] },
  { pattern: /\banew\b/i, why: 'again, reopened', finds: ['is made anew'] },
  { pattern: /\b(?:stands?|stood|standing) (?:for|in|behind|below|above|beside|before|as|by)\b/i, why: 'means, is in, follows, replaces', finds: ['{{…}} stands for a value', 'It stands in the result'], leaves: ['a withstanding in'] },
  { pattern: /\b(?:standstills?|stands? still|stood still)\b/i, why: 'stall, stalled', finds: ['after a standstill', 'the process stood still'] },
  { pattern: /\bcut short\b/i, why: 'aborted', finds: ['the iteration is cut short'] },
  { pattern: /\bso (?:many|much of)\b/i, why: 'N, this number', finds: ['send so many requests', 'Leave so much of the start out'] },
  { pattern: /\bheld to\b/i, why: 'must satisfy, is checked against', finds: ['A response is held to what it should be'] },
  { pattern: /\b(?:in (?:its |their )?turns?|tak(?:es?|ing) (?:its |their )?turns?|took turns)\b/i, why: 'round-robin, alternating', finds: ['Connections take turns', 'measured in turn'], leaves: ['in return'] },
  { pattern: /\b(?:kept waiting|waits? for (?:a|its) (?:core|CPU)|waited for (?:a|its) core|starved of a core)\b/i, why: 'CPU wait', finds: ['it waits for a core'], leaves: ['waits for a connection'] },
  { pattern: /(?<!\bload )\bgenerators?\b(?! ?[<=>])/i, why: 'load generator', finds: ['The generator was late', 'both generators'], leaves: ['the load generator', 'threshold "generator <= busy"', 'load generators'] },
  { pattern: /\bwhole users?\b/i, why: 'user scenarios', finds: ['whole users go through scenarios'] },
  { pattern: /\brounds?\/s\b|\brounds? of (?:a|the|one|its) users?\b/i, why: 'iterations/s, iteration', finds: ['50 rounds/s', 'a round of a user'] },
  { pattern: /\bbehind\b(?! (?:a|the|such a) (?:proxy|load balancer|firewall))/i, why: 'after (in time), below (in a picture)', finds: ['a pause behind the response'], leaves: ['behind a proxy'] },
  { pattern: /\bin front of\b(?! (?:it|the server)\b)/i, why: 'before', finds: ['a pause in front of the first request'], leaves: ['a load balancer in front of it'] },
  { pattern: /\b(?:in (?:the )?place of|takes? the place of)\b/i, why: 'instead of, replaces', finds: ['in place of a host', 'It takes the place of headers'] },
  { pattern: /\b(?:an?|the|no) \w+ of (?:its|their|your) own\b/i, why: 'its own …', finds: ['it has a name of its own'], leaves: ['on its own connection'] },
  { pattern: /\bcan not\b/i, why: 'cannot', finds: ['it can not be read'] },
  { pattern: /\bcan(?:'t|not) (?:be told|tell)\b|\bis known (?:so well|well enough|to within)\b|\bhow well (?:it|the figure|a figure) is known\b/i, why: 'inconclusive; the precision of …', finds: ["the runs can't tell", 'how well a figure is known', 'until p99 is known to within 5 %'] },
  { pattern: /\b(?:closes in on|mend(?:s|ed|ing)?|deaf|sparing(?:ly)?|parked|surroundings|singl(?:ed|es|ing) out|examiners?|foreign text)\b/i, why: 'a private noun: see the term of the field', finds: ['all are mended', 'a parked socket', 'It closes in on the limit'], leaves: ['a recommended value'] },
  { pattern: /\b(?:each|the|its|of|every|several) (?:try|tries)\b/i, why: 'attempt', finds: ['Each try is a request', 'several tries'], leaves: ['the entries'] },
  { pattern: /\banswer(?:s|ed|ing)?\b/i, why: 'response, responds, completed', finds: ['an answer of the server', 'requests are answered'] },
  { pattern: /\bwhat (?:is|was|were) (?:in flight|due|needed|sent|missing|left|measured|due and not sent|there)\b/i, why: 'a clause as a noun: requests in flight, due requests', finds: ['what is in flight never changes', 'what was due and never sent'] },
  { pattern: /\bgo(?:es)? (?:neither |not |only )?with\b/i, why: 'can be combined with', finds: ['It goes with any rate', 'goes neither with a rate nor a burst'] },
  { pattern: /\bat the (?:most|least|latest)\b/i, why: 'at most, at least', finds: ['once per ms at the most'] },
  { pattern: /\b(?:whatever|whichever|wherever)\b/i, why: 'any, every, for all', finds: ['whatever a run needs'] },
  { pattern: /\bhowever (?:many|long|short|much|fast)\b/i, why: 'for any …', finds: ['however long that takes'] },
  { pattern: /\bwins?\b(?! ?\d)/i, why: 'takes precedence, overrides', finds: ['flags win over it'], leaves: ['Windows', 'window'] },
  { pattern: /\b(?:for want of|over and over|as ever|again and again|for good|to and fro)\b/i, why: 'an idiom: write the plain word', finds: ['over and over', 'rates are as ever'], leaves: ['for goods'] },
  { pattern: /\b(?:leave|leaves|left) (?:\S+ ){0,3}out\b/i, why: 'omit, exclude', finds: ['leave the start out', 'is left out'] },
  { pattern: /\bgiv(?:es|en|e|ing) up\b|\bgave up\b/i, why: 'abort, close, drop', finds: ['the request is given up'] },
  { pattern: /\bturns? (?:of|in) (?:an?|the) (?!event )(?:\w+ )?loop\b/i, why: 'pass of a loop, loop index', finds: ['the turn of the innermost loop'], leaves: ['turns of the event loop'] },
  { pattern: /\b(?:is|are) another one\b/i, why: 'differs, has changed, a new one', finds: ['its version is another one'] },
  { pattern: /\bnever exactly something\b|\bmakes (?:it|them) (?:greater|lower|worse)\b/i, why: 'grows with the load, never equals', finds: ['more load makes it greater'] }
]

/**
 * Phrases of comments in lib/: a subset, as comments may speak of code in more ways than reports do.
 * @type {typeof PHRASES}
 */
const COMMENT_PHRASES = [
  { pattern: /\b(?:nobody|somebody|everybody|whoever|those who)\b/i, why: 'name the caller, the user or the socket', finds: ['Whoever calls it', 'Loaded by those who have users.'], leaves: ['the body'] },
  { pattern: /^Owns\b/, why: 'a header names its subject', finds: ['Owns the result.'], leaves: ['A peer owns its socket'] },
  { pattern: /\bin place of\b/i, why: 'instead of', finds: ['a socket of Node.js in place of a native one'], leaves: ['a word in the place of the URL'] },
  { pattern: /\b(?:is|are) another one\b/i, why: 'differs, a new one', finds: ['Each path with an id is another one.'] },
  { pattern: /\bof (?:its|their) own(?= ?[,.;:)*])/i, why: 'its own …', finds: ['Users with a rate of their own.'], leaves: ['streams of its own connection'] },
  { pattern: /\b(?:that|which) (?:is|are) none\b(?! of)/i, why: 'not valid, not a …', finds: ['for a variable that is none'] },
  { pattern: /@returns \{[^}]*\} of how many\b/, why: 'name the result', finds: ['@returns {number} of how many values it is another one'] }
]

t.test('each phrase is found in its sample, and not in text that is right', async t => {
  for (const { pattern, why, finds, leaves = [] } of [...PHRASES, ...COMMENT_PHRASES]) {
    for (const sample of finds) t.match(sample, pattern, `${why}: ${sample}`)
    for (const sample of leaves) t.notMatch(sample, pattern, `${why}: ${sample}`)
  }
})

/**
 * @param {string} text in Markdown
 * @returns {string} its prose: without code, generated blocks, names of tests and targets of links
 */
function proseOf (text) {
  return text
    .replace(/<!-- bench:[\w-]+ -->[^]*?<!-- \/bench -->/g, ' ')
    .replace(/<details>[^]*?<\/details>/g, ' ')
    .replace(/^```[^]*?^```$/gm, ' ')
    .replace(/`` .*? ``|`[^`\n]*`/g, '…')
    .replace(/› [^|;<\n]*/g, '›')
    .replace(/\]\([^)]*\)/g, ']')
}

t.test('prose is what remains without code, names of tests and links', async t => {
  t.equal(proseOf('a `b` c\n```\nd\n```\ne [f](g.md#who) | `h` › says who |'), 'a … c\n \ne [f] | … ›|')
})

/**
 * @param {string} text
 * @param {typeof PHRASES} [phrases]
 * @returns {string[]} the phrases in it, each with its place and the reason
 */
function phrasesIn (text, phrases = PHRASES) {
  return text.split('\n').flatMap((line, i) => phrases.flatMap(({ pattern, why }) => {
    const found = pattern.exec(line)
    return found === null ? [] : [`line ${i + 1}: "${line.slice(Math.max(0, found.index - 30), found.index + found[0].length + 30).trim()}": "${found[0]}" (${why})`]
  }))
}

/** Documents of the past. */
const OTHERS = ['CHANGELOG.md']
const DOCUMENTS = ['.', 'docs', 'bench', 'samples', 'deploy'].flatMap(folder => readdirSync(path.join(ROOT, folder)).filter(name => name.endsWith('.md')).map(name => path.posix.join(folder, name)))
  .filter(name => !OTHERS.includes(name))

for (const name of DOCUMENTS) {
  t.test(`${name} is read once`, async t => {
    t.strictSame(phrasesIn(proseOf(readFileSync(path.join(ROOT, name), 'utf8'))), [])
  })
}

t.test('the help is read once', async t => {
  for (const words of [['--help'], ['help', 'all'], ['help', 'exit'], ...['run', 'find', 'versus', 'compare', 'merge', 'agent'].map(command => ['help', command])]) {
    const { code, stdout } = await cli(words)
    t.equal(code, 0)
    t.strictSame(phrasesIn(stdout.replaceAll(/\n +/g, ' ')), [], words.join(' '))
  }
  for (const { name, help } of [...GROUPS.flatMap(({ options }) => options), ...AGENT, ...Object.values(EXPERIMENTS).flatMap(({ flags }) => flags())]) t.strictSame(phrasesIn(help), [], name)
})

t.test('hints for flags of other tools are read once', async t => {
  for (const { flags, hint } of FOREIGN_FLAGS) t.strictSame(phrasesIn(hint), [], flags[0])
})

t.test('descriptions of the config schema, which editors show, are read once', async t => {
  for (const [, text] of readFileSync(path.join(ROOT, 'docs/config.schema.json'), 'utf8').matchAll(/"description": ("(?:[^"\\]|\\.)*")/g)) t.strictSame(phrasesIn(JSON.parse(text)), [], text)
})

t.test('comments of the types, which editors show, are read once', async t => {
  for (const [comment] of readFileSync(path.join(ROOT, 'index.d.ts'), 'utf8').matchAll(/\/\*\*[^]*?\*\//g)) t.strictSame(phrasesIn(proseOf(comment.replaceAll(/\s*\n\s*\* ?/g, ' '))), [])
})

/** Where all prose of a folder has been read: others follow. */
const READ = ['words']

/**
 * @param {string} file
 * @returns {string[]} its texts with more than one word; `…` is in the place of a value
 */
function textsIn (file) {
  /** @type {string[]} */
  const texts = []
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    else if (ts.isTemplateExpression(node)) texts.push([node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…'))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023))
  return texts.filter(text => /\w \w/.test(text))
}

t.test('comments of lib/ are read once', async t => {
  for (const name of readdirSync(path.join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'))) {
    const lines = readFileSync(path.join(ROOT, 'lib', name), 'utf8').match(/^ *(?:\/\/|\/?\*).*$/gm) ?? []
    const comments = lines.map(line => line.replace(/^ *(?:\/\/|\/?\*+) */, ''))
    const found = [...comments, comments.join(' ')].flatMap(text => phrasesIn(text, COMMENT_PHRASES))
    if (found.length > 0) t.fail(`lib/${name}: ${found[0]}`)
  }
})

t.test('sentences of reports are read once', async t => {
  for (const folder of READ) {
    for (const name of readdirSync(path.join(ROOT, 'lib', folder)).filter(name => name.endsWith('.js'))) {
      t.strictSame(textsIn(path.join(ROOT, 'lib', folder, name)).flatMap(text => phrasesIn(text)), [], name)
    }
  }
})

t.test('messages of errors, hints and metrics are read once', async t => {
  for (const [code, meaning] of Object.entries({ ...CODES, ...FOREIGN_CODES })) t.strictSame(phrasesIn(`${meaning}. ${hintOf(code) ?? ''}`), [], code)
  for (const { name, help } of FAMILIES) t.strictSame(phrasesIn(help), [], name)
})
