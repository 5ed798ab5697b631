'use strict'

// Hints for common mistakes: flags with another meaning in curl, hey, oha and wrk, a command instead of a URL, and
// words that a shell split for lack of quotes.

const { statSync } = require('node:fs')
const { show } = require('../core/foreign-text')
const { tryOr } = require('../core/try-or')
const { nearest, suggest } = require('../core/suggest')

/** A port of this machine in the form of httpie (`:8080`), and a path. */
const PORT = /^:?(\d{1,5}(?:\/.*)?)$/s

/** A number is no host: `-l 99.9` would send load to http://99.0.0.9. */
const NUMBER = /^\d*\.\d+%?$/

/** A name that no host has. */
const FILE = /^[^:/]+\.(json|jsonl|ndjson|html|csv|ya?ml|txt|har|[cm]?[jt]s)$/i

/** A path in this folder or the one above. */
const MODULE = /^\.{1,2}\/[^:]+\.([cm]?[jt]s|ya?ml|json|har)$/i

/** File extensions of results. */
const RESULT = /\w\.(json|csv|md|html|ndjson)$/i

/** Replacements for scripts of other tools, by file extension. @type {Readonly<Record<string, string>>} */
const SCRIPTS = Object.freeze({
  jmx: 'its requests (JMeter) are written as scenarios, see docs/scenarios.md, or recorded as a HAR for --har',
  lua: 'what it does (wrk) is in the table of wrk in docs/recipes.md',
  py: 'what it does (Locust) is written as scenarios or user functions, see "Coming from Locust" in ' +
    'docs/user-functions.md'
})

/** The name of a script, perhaps in a folder. */
const SCRIPT = /^[^:/\s]*\.(jmx|lua|py)$/i

/** Has a host, or begins with a slash as a path of the server does: a.test/x.py. */
const HOST = /^\/|:|^localhost(?:\/|$)|^[^./]+\.[^/]*\//i

/** More likely a command that starts a server than a server: `node server.js`. */
const COMMAND = /^(?!\S*:\/\/)[\w.@-][\w.@=/-]*\s+\S/

/** A dash that a word processor put instead of one or two hyphens. */
const OTHER_DASH = /^([\u2013\u2014\u2212])-?(?=[A-Za-z])/

/** Replacements for commands of other tools. @type {Readonly<Record<string, string>>} */
const COMMANDS_ELSEWHERE = Object.freeze({
  version: "there is no command 'version': use autocannon --version",
  attack: "there is no command 'attack' (vegeta): omit it, and give the file of targets with --targets FILE and " +
    'the requests per second with --rate N'
})

/**
 * Likely intentions of a user who turns off an option that is off by default.
 * @type {Readonly<Record<string, string>>}
 */
const OFF = Object.freeze({
  http1: 'HTTP/2 is --http2',
  ipv4: 'IPv6 alone is -6',
  ipv6: 'IPv4 alone is -4'
})

/**
 * @param {string} flag as it was typed
 * @param {string} name of its option, which is off
 * @returns {string | null} a sentence; null without another meaning
 */
function offHint (flag, name) {
  return Object.hasOwn(OFF, name) ? `${flag} changes nothing: ${OFF[name]}` : null
}

/** Placeholders of hints: the values that replace them, and the texts without a value. */
const PLACEHOLDERS = Object.freeze({
  NUM: { pattern: /^(\d{1,9})$/, otherwise: 'NUM' },
  FILE: { pattern: /^(?:json|csv)=([\w./-]{1,200})$/, otherwise: 'FILE, such as -o run.json' }
})

/**
 * @param {string} name of a flag, without its dashes
 * @param {string} [value] the word after it
 * @returns {string | undefined} the equivalent option, for a flag of curl, h2load, hey, k6, Locust, oha, siege, vegeta
 *   or wrk
 */
function hintFor (name, value = '') {
  // Lazy: only an unknown flag needs it.
  const foreign = /** @type {Array<{ flags: string[], hint: string }>} */ (require('./config/foreign-flags.json'))
  return foreign.find(({ flags }) => flags.includes(name))?.hint.replace(/\{(NUM|FILE)\}/, (_, key) => {
    const { pattern, otherwise } = PLACEHOLDERS[/** @type {keyof typeof PLACEHOLDERS} */ (key)]
    return pattern.exec(value)?.[1] ?? otherwise
  })
}

/**
 * @typedef {object} Before the flag directly before a word
 * @property {string} flag as it was typed
 * @property {string} name of its option
 * @property {string} [value] undefined for a switch
 */

/**
 * @param {string} flag that is not known, as it was typed
 * @param {Map<string, unknown>} meanings the known flags, without their dashes
 * @param {boolean} ofRun whether it may be a flag of another tool
 * @param {string} [value] the word after it
 */
function notKnown (flag, meanings, ofRun, value = '') {
  const name = flag.replace(/^--?/, '')
  const near = nearestFlag(flag, meanings, ofRun)
  const hint = ofRun ? hintFor(name, value) : undefined
  const unknown = `unknown flag ${flag.slice(0, 60)}`
  if (near !== null) return `${unknown}, did you mean --${near}?`
  return hint === undefined ? unknown : `${unknown}: ${hint}`
}

/**
 * @param {string} flag as typed
 * @param {Map<string, unknown>} meanings as above
 * @param {boolean} ofRun as above
 * @returns {string | null} the closest known flag; null if none is close, or if another tool has this flag
 */
function nearestFlag (flag, meanings, ofRun) {
  const name = flag.replace(/^--?/, '')
  return ofRun && hintFor(name) !== undefined
    ? null
    : nearest(name, [...meanings.keys()].filter(known => known.length > 1))
}

/**
 * @param {string} arg that begins with a dash
 * @param {Map<string, unknown>} meanings as above
 * @param {boolean} ofRun as above
 * @param {string} [next] the word after it
 * @returns {string | null} the likely meaning of several one-letter flags
 */
function notFlag (arg, meanings, ofRun, next) {
  const [, name, value = next] = /^-([A-Za-z][\w-]+)(?:=(.*))?/s.exec(arg) ?? []
  // `-json` would be `-j -s on`.
  if (name !== undefined && meanings.has(name)) return `unknown flag -${name}, did you mean --${name}?`
  // Tools in Go have one dash in front of words: `-keepalive=false` would be `-k -e epalive`.
  if (name !== undefined && ofRun && hintFor(name) !== undefined) {
    return notKnown(`-${name}`, meanings, ofRun, value)
  }
  // Flags of curl: silent, insecure and the like.
  if (/^-s[kSLvfi]{1,5}$/.test(arg)) {
    return `${arg} is the server name ${show(arg.slice(2))}, by -s: omit the s, -n disables the progress ` +
      `bar${arg.includes('k') ? ', and give -k alone' : ''}; that server name is --servername ${arg.slice(2)}`
  }
  return /^-n\d+$/.test(arg) ? notRequests(arg.slice(2)) : null
}

/**
 * `localhost`, an address, a host with a dot or a port, a path, and all that has a scheme: the parser of URLs reports
 * their problems. Anything else may be a host, too, but a forgotten quote is far more likely.
 * @param {string} word
 */
function looksLikeUrl (word) {
  if (PORT.test(word) || COMMAND.test(word) || OTHER_DASH.test(word) || NUMBER.test(word)) return false
  if (word === '' || word.startsWith('/') || /^[a-z][a-z0-9+.-]*:\/\//i.test(word)) return true
  const host = word.replace(/[/?#].*$/s, '').replace(/^.*@/s, '')
  return /^localhost$/i.test(host) || /:\d+$/.test(host) || /[^.]\.[^.]/.test(host) ||
    /^[[\da-f:]*:[\da-f:.]*:/i.test(host) || /^https?:/i.test(word)
}

/**
 * @param {string} word that looks like a URL
 * @param {Before | null} before
 * @param {boolean} writes whether a result can be written to a file
 * @returns {string | null} the likely meaning of a file name: siege has one after -f, other tools after flags that are
 *   switches here
 */
function notServer (word, before, writes) {
  const file = word.slice(0, 60)
  if (before?.flag === '-f' && /^[^:/]+\.(txt|jsonl?|urls)$/i.test(word)) {
    return `-f is --forever, and ${show(word)} a file rather than a server: its requests are sent by --targets ${file}`
  }
  if (before?.name === 'markdown' && /^[^:/]+\.md$/i.test(word)) {
    return `${before.flag} takes no file: it prints, as into > ${file}`
  }
  if (before?.name === 'output' && RESULT.test(word) && FILE.test(word)) return notOneOutput(word, before)
  // .md is also the top-level domain of Moldova.
  if (before?.name === 'output' && /^[^:/]+\.md$/i.test(word)) {
    return `${notOneOutput(word, before)}; a host of that name is http://${file}/`
  }
  const other = otherFile(word, before)
  if (other !== null) return other
  // No host name ends so.
  const [, end] = FILE.exec(word) ?? []
  if (end === undefined) return null
  if (before?.name === 'json') {
    return `${before.flag} takes no file: it prints, as into > ` +
      `${file}${writes ? `; -o ${file} writes the result beside the report` : ''}`
  }
  return `${show(word)} is a file, not a server: ${usesOf(end.toLowerCase(), file, writes)}`
}

/** @param {string} word a second file @param {Before} before the flag of the first one */
function notOneOutput (word, { flag, value = '' }) {
  return `${show(word)} is a file, not a server: ${flag} takes one file and may be repeated, as in ` +
    `${flag} ${value.slice(0, 60)} ${flag} ${word.slice(0, 60)}`
}

/** Common programs that start servers, after a flag with a complete value. */
const PROGRAM = /^(node|npm|npx|yarn|pnpm|bun|deno|tsx|python3?)$/
const COMPLETE = /^\d+(\.\d+)?(ms|s|m|h|k)?$/

/** @param {string} word */
const isFileName = word => FILE.test(word) || SCRIPT.test(word)

/**
 * @param {string} word
 * @param {Before | null} before
 * @returns {string | null} a sentence about a script of another tool, or an existing file
 */
function otherFile (word, before) {
  if (HOST.test(word) || COMMAND.test(word)) return null
  const [, end] = SCRIPT.exec(word.replace(/^.*\//, '')) ?? []
  const file = word.slice(0, 60)
  const prefix = before?.flag === '-f' ? '-f is --forever, and ' : ''
  if (end !== undefined) return `${prefix}${show(word)} is a file, not a server: ${SCRIPTS[end.toLowerCase()]}`
  if (FILE.test(word) || !isFileThere(word)) return null
  const [, known] = FILE.exec(word.replace(/^.*\//, '')) ?? []
  return `${prefix}${show(word)} is a file, not a server: ` + (known === undefined
    ? `--targets ${file} sends the requests in it, -b @${file} sends it as a body` +
      (/^[\w.-]+$/.test(word) ? `; a host of that name is http://${file}` : '')
    : usesOf(known.toLowerCase(), file, false))
}

/** @type {(word: string) => boolean} */
const isFileThere = word => tryOr(false, () => statSync(word).isFile())

/**
 * @param {string} end of the name of a file
 * @param {string} file
 * @param {boolean} writes as above
 * @returns {string}
 */
function usesOf (end, file, writes) {
  if (end === 'har') return `--har ${file} sends its requests`
  if (end === 'txt') return `--targets ${file} sends the requests in it`
  if (/ts$/.test(end)) return `autocannon run ${file} URL runs its user function, --config ${file} reads options from it`
  if (/js$/.test(end)) {
    return `--on-port / -- node ${file} starts it as a server, --config ${file} reads options from it, ` +
      `autocannon run ${file} URL runs its user function`
  }
  const writing = writes && !/^ya?ml$/.test(end) ? `-o ${file} writes a result to it` : ''
  const reading = readingOf(end, file)
  return [reading, writing].filter(use => use !== '').join(', ') || 'give the URL of the server instead'
}

/** @type {(end: string, file: string) => string} */
function readingOf (end, file) {
  if (end === 'html') return ''
  return /^(json|ya?ml)$/.test(end) ? `--config ${file} reads options from it` : `--data NAME=${file} reads rows from it`
}

/**
 * @param {string} word that does not look like a URL
 * @param {Before | null} flag directly before it
 * @param {{ two: boolean, commands: ReadonlyArray<string> }} expected two: whether two servers are expected; commands:
 *   the possible commands
 */
function notUrl (word, flag, { two, commands }) {
  if (flag?.name === 'progress' && /^\d+$/.test(word)) return notRequests(word)
  const [, dash] = OTHER_DASH.exec(word) ?? []
  if (dash !== undefined) {
    return `${show(word)} begins with the dash ${dash}, not with a hyphen: type it as ` +
    `-${word.replace(OTHER_DASH, '').length > 1 ? '-' : ''}${word.replace(OTHER_DASH, '').slice(0, 40)}`
  }
  if (flag === null && !two && MODULE.test(word)) {
    const file = word.slice(0, 60)
    return `${show(word)} is a file, not a server: ${usesOf(file.replace(/^.*\./, '').toLowerCase(), file, false)}`
  }
  if (flag?.name === 'output' && RESULT.test(word)) return notOneOutput(word, flag)
  const before = flag?.value === undefined ? null : { flag: flag.flag, value: flag.value }
  const other = before === null || COMPLETE.test(before.value) ? otherFile(word, flag) : null
  if (other !== null) return other
  const [, socket] = /^unix:(?:\/\/)?(\/.*)$/.exec(word) ?? []
  if (socket !== undefined) {
    return `${show(word)} is no URL: for a server on a Unix socket, use -S ${socket.slice(0, 100)} http://localhost/`
  }
  if (PROGRAM.test(word) && before?.value !== undefined && COMPLETE.test(before.value)) {
    return `${show(word)} is no URL: a command that starts a server follows --, as in ` + (two
      ? 'autocannon versus --on-port / -- node old.js -- node new.js'
      : 'autocannon --on-port / -- node server.js')
  }
  if (before === null && COMMAND.test(word)) {
    const example = two
      ? 'autocannon versus --on-port / -- node a.js -- node b.js'
      : 'autocannon --on-port / -- node server.js'
    return `${show(word)} is not a URL: a command that starts a server follows -- without quotes, as ` +
      `in ${example}`
  }
  if (NUMBER.test(word) && before === null) {
    return `${show(word)} is a number, not a URL${flag === null ? '' : `: ${flag.flag} takes no value`}`
  }
  const local = urlOfPort(word, before)
  if (local !== null) return `${show(word)} is not a URL: that port of this machine is ${local}`
  // `-T how versus` may be a title without quotes, unlike `-c 5 versus`.
  if ((commands.includes(word) || (word === 'help' && before === null)) && (before === null || /^\d/.test(before.value))) {
    return `${show(word)} is a command and must come first: autocannon ${word} …`
  }
  // The word after a header may be a password.
  if (before !== null && /^-(H|-headers?)$/.test(before.flag)) {
    return `the word after ${before.flag} ${shortened(before.value)} is not a URL: put a header with blanks in ` +
      `quotes, as in ${before.flag} "X-Name: value"`
  }
  if (before !== null) {
    return `${show(word)} is not a URL: does it belong to ${before.flag} ${shortened(before.value)}? Put a value ` +
      'with ' +
      `blanks or quotes in quotes, as in ${before.flag} '{"a": 1}'`
  }
  if (!two && Object.hasOwn(COMMANDS_ELSEWHERE, word)) return COMMANDS_ELSEWHERE[word]
  const url = `http://${/^[\w-]+$/.test(word) ? word : 'name'}/`
  const command = suggest(word, [...commands])
  if (command !== '') return `${show(word)} is neither a URL nor a command${command} A host of that name is ${url}`
  return `${show(word)} is not a URL: a host has a dot or a port, or is localhost; a host of that name ` +
    `is ${url}`
}

/**
 * @param {string} word
 * @param {{ value?: string } | null} before the flag directly before it
 * @returns {string | null} the likely meaning of a port as a URL
 */
function urlOfPort (word, before) {
  const [, port] = PORT.exec(word) ?? []
  // After `-b '[1,'` a number may belong to the split text, after `-c 10` it does not.
  return port !== undefined && parseInt(port) <= 65535 && (before?.value === undefined || /^\d+\w*$/.test(before.value))
    ? `http://localhost:${port}`
    : null
}

/** @param {string} value */
function shortened (value) {
  const shown = show(value.length > 30 ? value.slice(0, 30) + '…' : value)
  return /^'[\w:=.-]+'$/.test(shown) ? shown.slice(1, -1) : shown
}

/** @param {string} number after -n */
function notRequests (number) {
  return `-n takes no number, it is --no-progress: for ${number} requests use -a ${number}`
}

/**
 * autocannon 9 also reads `-t4` as a timeout, and scripts may rely on it.
 * @param {string} number after -t, without a blank
 */
function notThreads (number) {
  return `-t${number} is a timeout of ${number} s; for ${number} threads, as in wrk, use -w ${number}`
}

/**
 * @param {string} flag as it was typed
 * @param {string} type a media type
 */
function notTitle (flag, type) {
  return `${flag} ${type} is the title of the run; a Content-Type, as -T is in hey, is -H "content-type: ${type}"`
}

/**
 * @param {string} flag as it was typed
 * @param {string} name of its option
 * @param {string} value
 * @returns {string | null} the likely meaning
 */
function notValue (flag, name, value) {
  if (name === 'body' && value === '@') {
    return `${flag} @: expected the path of a file after the @, or - for standard input, got none; the text @ is ` +
      '--body-raw @'
  }
  if (flag === '-p' && /^(h2c?|http\/?[\d.]+)$/i.test(value)) {
    return `-p ${value}: -p is how many requests a connection keeps in flight; HTTP/2 is --http2, also for http:// URLs`
  }
  if (flag === '-i' && /^\d{1,9}$/.test(value)) {
    return `-i ${value}: -i is the file of a body; ${value} requests are -a ${value}, and iterations (k6) ` +
      `are -a '${value} iterations'`
  }
  // A flag of curl.
  if (flag === '-L' && looksLikeUrl(value)) {
    return '-L takes no URL: it is --sampleInt, the length of a sample in ms; redirects are followed by --redirects 5'
  }
  if (name === 'method' && /^\d+$/.test(value)) {
    return `${flag} ${value}: expected a method such as POST; the streams of a connection (h2load) are -p ${value}, ` +
      `the length of a run -d ${value}`
  }
  // The value of curl's -d is rarely a time.
  if (flag !== '-d' || /^[\d.+-]/.test(value) || !/[^\w\s]/.test(value)) return null
  return `-d/--duration: expected seconds or a time such as 1m30s, got ${show(value)}; a body is given by ` +
    `${/^\s*[{[]/.test(value) ? '--json-body' : '-b'} or --data`
}

/**
 * @param {string} flag
 * @param {string | undefined} value after --warmup
 * @returns {string | null} null if it is not a duration without brackets
 */
function notWarmup (flag, value = '') {
  if (!/^\d+(\.\d+)?(ms|s|m)?$/.test(value)) return null
  const seconds = /^\d+$/.test(value) ? `${value}s` : value
  return `${flag} ${value}: a warm-up has its options in brackets, as in --warmup [ -d ${value} ], and --skip-first ` +
    `${seconds} leaves the first seconds of the run out of its figures`
}

/**
 * @param {string} flag --ui or one of its switches
 * @param {string} word after it, which may be the address of the page or the server
 */
function notUi (flag, word) {
  const what = flag === '--ui' ? 'the page or the server may be meant' : `${flag} takes no value`
  return `${flag} ${word}: ${what}: write --ui=${word} for the address of the page, or http://${word} for a server ` +
    'to load'
}

/** Flags that hardly any server has. */
const HARDLY_OF_SERVER = /^--(?:fail-?if|thresholds?|junit|github-?summary)(?==|$)/i

/**
 * @param {string[]} words after the first `--`
 * @returns {string[]} a notice for each flag in a command that was probably meant for autocannon
 */
function flagsOfServer (words) {
  const flags = new Set(words.flatMap(word => HARDLY_OF_SERVER.exec(word) ?? []))
  return [...flags].map(flag => `${flag} is passed to the server, not to autocannon: place it before the first --`)
}

/** The problem of `-x http://proxy:3128 URL`. */
const NOT_PROXY =
  '-x takes no value here, it is --excludeErrorStats; a proxy is --proxy URL; to load two URLs, put -x after them'

module.exports = {
  NOT_PROXY, flagsOfServer, isFileName, isFileThere, looksLikeUrl, nearestFlag, notFlag, notKnown, notServer,
  notThreads, notTitle, notUi, notUrl, notValue, notWarmup, offHint, urlOfPort
}
