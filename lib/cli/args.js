'use strict'

// Owns the way from argv to raw options: which flag is which option, and what is wrong with the flags themselves.

const { parseArgs } = require('node:util')
const { TABLE } = require('../options/table')
const { suggest } = require('../options/validate')
const { show } = require('../foreign-text')
const { startsNode } = require('../server/command')
const { NO_PROXY, knownElsewhere, looksLikeUrl, notBody, notUrl, notRequests, notThreads, notWarmup, urlOfPort } = require('./mistakes')

/**
 * @typedef {{ type: 'boolean' | 'string', short?: string, multiple?: boolean }} Flag
 * @typedef {{ option: import('../options/table').Option, negative: boolean }} Meaning
 *
 * @typedef {object} Grammar
 * @property {Map<string, Meaning>} meanings long flag without its dashes → what it means
 * @property {Record<string, Flag>} flags as util.parseArgs wants them
 * @property {ReadonlyArray<Readonly<import('../options/table').Option>>} rows of the table
 */

/** Types of which every value counts, not just the last. */
const REPEATABLE = new Set(['headers', 'files', 'paths', 'status', 'texts', 'expectedHeaders', 'expectedJson', 'thresholds', 'regressions', 'data'])

const BOOLEANS = new Set(['true', 'false'])

/**
 * @param {ReadonlyArray<Readonly<import('../options/table').Option>>} rows
 * @returns {Grammar}
 */
function grammarOf (rows) {
  /** @type {Grammar} */
  const grammar = { meanings: new Map(), flags: {}, rows }
  const { meanings, flags } = grammar
  for (const option of rows) {
    if (option.where === 'api' || option.type === 'warmup') continue
    const type = option.type === 'flag' ? 'boolean' : 'string'
    for (const name of [option.name, ...option.aliases ?? []]) {
      meanings.set(name, { option, negative: false })
      flags[name] = { type, ...name.length === 1 && { short: name } }
      if (type === 'boolean') {
        meanings.set('no-' + name, { option, negative: true })
        flags['no-' + name] = { type }
      }
    }
    if (option.short !== undefined) flags[option.negated ? 'no-' + option.name : option.name].short = option.short
  }
  return grammar
}

/** Of a run. */
const RUN = grammarOf(TABLE)

/**
 * @param {string[]} argv without node and the script
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string[]} [configured] the command of a config, for want of one after `--`
 * @param {Grammar} [grammar] of a run unless said
 * @returns {{ raw: Record<string, any>, command: string[], problems: string[], notes: string[], labels: Record<string, string>, urlImplied: boolean }} raw
 *   options by name, what --on-port starts, one sentence for each problem and for what may be meant otherwise, what was typed for an
 *   option that has no flag in it, and whether the URL is just where --on-port listens
 */
function readFlags (argv, env = process.env, configured = [], grammar = RUN) {
  /** @type {Record<string, any>} */
  const raw = {}
  /** @type {string[]} */
  const problems = []
  /** @type {string[]} */
  const notes = []
  const { args, tokens } = tokensOf(takeWarmup(argv, raw, problems), grammar.flags)
  /** @type {string[]} */
  const urls = []
  /** @type {string[]} */
  const command = []
  /** @type {Array<[given: string, path: string]>} files that are to be the body: -i FILE, -b @FILE */
  const files = []
  let commandFollows = false
  /** @type {Meaning | null} a flag that has just been given without a value */
  let flagBefore = null
  /** The argument that something was wrong with: one sentence is enough. */
  let refused = -1
  let unknown = false
  /** @type {{ flag: string, value: string } | null} a flag that has just been given with a value */
  let valueBefore = null
  /** Whether the word before was questioned: one sentence is enough for what belongs together. */
  let questioned = false
  /** A word for a URL that is none. */
  let notOne = false
  /** Which of the URLs stands right behind -x. */
  let proxy = -1
  /** @type {Map<string, { flag: string, other: boolean }>} option → the flag that gave its value, and whether that is another than its own */
  const givenBy = new Map()
  for (const token of tokens) {
    if (token.index === refused) {
      // `-z10s URL` is read as the flags z, 1, 0 and s, and s takes the URL.
      if (token.kind === 'option' && token.inlineValue === false && looksLikeUrl(token.value)) urls.push(token.value)
      continue
    }
    const switched = flagBefore
    flagBefore = null
    const behind = valueBefore
    valueBefore = null
    /** @type {boolean} */
    const isWord = token.kind === 'positional' && !commandFollows && !looksLikeUrl(token.value)
    /** @type {boolean} */
    const isMore = isWord && questioned
    questioned = isMore
    const valueOfUnknown = unknown && isWord
    unknown = false
    if (valueOfUnknown || isMore) continue
    if (token.kind === 'option-terminator') commandFollows = true
    // `--latency false`, as minimist reads it: no URL looks like that.
    else if (token.kind === 'positional' && switched !== null && BOOLEANS.has(token.value)) raw[switched.option.name] = negate(token.value, switched.negative)
    else if (isWord) {
      problems.push(switched?.option.name === 'progress' && /^\d+$/.test(token.value) ? notRequests(token.value) : notUrl(token.value, behind, grammar !== RUN))
      questioned = true
      notOne ||= switched === null && (behind === null || urlOfPort(token.value, behind) !== null)
    } else if (token.kind === 'positional') {
      if (switched?.option.name === 'excludeErrorStats' && args[token.index - 1] === '-x') proxy = urls.length
      ;(commandFollows ? command : urls).push(token.value)
    } else {
      const joined = /^-([A-Za-z][\w-]+)/.exec(args[token.index])?.[1]
      if (joined !== undefined && grammar.meanings.has(joined)) {
        // `-json` would be `-j -s on`.
        problems.push(`unknown flag -${joined}, did you mean --${joined}?`)
        refused = token.index
        continue
      }
      if (/^-n\d+$/.test(args[token.index])) {
        problems.push(notRequests(args[token.index].slice(2)))
        refused = token.index
        continue
      }
      if (/^-t\d+$/.test(args[token.index])) notes.push(notThreads(args[token.index].slice(2)))
      const meaning = grammar.meanings.get(token.name)
      // `-c=5` is read as `-c` with `=5` in one piece, but `-b =5` means just that.
      const value = token.inlineValue && !token.rawName.startsWith('--') ? token.value?.replace(/^=/, '') : token.value
      if (meaning === undefined) {
        const instead = knownElsewhere(token.name)
        problems.push(`unknown flag ${token.rawName.slice(0, 60)}${instead === undefined ? suggestFlag(token.name, grammar) : ': ' + instead}`)
        unknown = args[token.index] === token.rawName
        if (token.rawName.length === 2) refused = token.index
      } else if (meaning.option.type === 'flag') {
        raw[meaning.option.name] = negate(value ?? true, meaning.negative)
        if (value === undefined) flagBefore = meaning
      } else if (value === undefined) problems.push(`${token.rawName} needs a value`)
      else {
        valueBefore = { flag: token.rawName, value }
        const { name, type, aliases } = meaning.option
        const before = REPEATABLE.has(type) ? undefined : givenBy.get(name)
        // -c and --connections are one flag, and so are --bodyRaw and --body-raw: the last one counts. -m and -X are two.
        const other = aliases?.includes(token.name) === true && !token.name.includes('-')
        const unlikely = token.rawName === '-d' ? notBody(value) : null
        givenBy.set(name, { flag: token.rawName, other })
        if (before !== undefined && before.other !== other && raw[name] !== value) {
          problems.push(`${before.flag} and ${token.rawName} each give the ${name}: use one of them`)
        } else if (unlikely !== null) problems.push(unlikely)
        else if (name === 'body' && value === '@') {
          problems.push(`${token.rawName} @: expected the path of a file behind the @, or - for standard input, got none; the text @ is --body-raw @`)
        } else if (name === 'body' && value.startsWith('@')) files.push([`${token.rawName} ${value}`, value.slice(1)])
        else if (name === 'input') files.push([`${token.rawName} ${value}`, value])
        else if (REPEATABLE.has(type)) (raw[name] ??= []).push(value)
        else raw[name] = value
      }
    }
  }
  if (proxy !== -1 && urls.length > proxy + 1) problems.push(NO_PROXY)
  /** @type {Record<string, string>} */
  const labels = {}
  if (new Set(files.map(([, path]) => path)).size === 1) {
    const [[given, path]] = files
    raw.input = path
    if (givenBy.has('body') && !givenBy.has('input')) labels.input = given.slice(0, 60)
  } else if (files.length > 0) problems.push(`${files.map(([given]) => given.slice(0, 60)).join(' and ')} each give a body: use one of them`)
  if (startsNode(command) || configured.length > 0) raw.onPort ??= true
  if (raw.onPort !== true && command.length > 0) problems.push('a command stands after --, but --on-port is not given: add --on-port to start it and measure the port that it listens on')
  if (raw.onPort === true && command.length === 0) command.push(...configured)
  if (raw.onPort === true && command.length === 0) problems.push('--on-port needs a command after --, such as: autocannon --on-port / -- node server.js')
  if (urls.length > 0) raw.url = urls.map(url => urlFromPath(url, raw.onPort === true, env, problems))
  // What is wrong with a word has been said, and that no URL is there would be said of the same.
  else if (raw.onPort === true || notOne) raw.url = ['http://localhost/']
  return { raw, command, problems, notes, labels, urlImplied: urls.length === 0 }
}

/**
 * @param {string[]} args
 * @param {Grammar['flags']} flags
 * @returns {{ args: string[], tokens: NonNullable<ReturnType<typeof parseArgs>['tokens']> }} the arguments that the tokens are of
 */
function tokensOf (args, flags) {
  const { tokens = [] } = parseArgs({ args, options: flags, strict: false, allowPositionals: true, tokens: true })
  // `-x=false` is taken for the flags x, =, f, a, with a value: the long form of the flag before the = says what is meant.
  const broken = tokens.find(token => token.kind === 'option' && token.rawName === '-=' && !args[token.index].startsWith('-='))
  if (broken === undefined) return { args, tokens }
  const at = args[broken.index].indexOf('=')
  const letter = args[broken.index][at - 1]
  const before = args[broken.index].slice(0, at - 1)
  const long = Object.keys(flags).find(name => flags[name].short === letter)
  return tokensOf(args.toSpliced(broken.index, 1,
    ...before === '-' ? [] : [before], long === undefined ? `-${letter}` : `--${long}${args[broken.index].slice(at)}`), flags)
}

/**
 * Takes `--warmup [ -c 1 -d 3 ]` out of argv. Brackets mean something only there: a body may be a JSON array.
 * @param {string[]} argv
 * @param {Record<string, any>} raw gets the warm-up
 * @param {string[]} problems
 * @returns {string[]} the rest
 */
function takeWarmup (argv, raw, problems) {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const at = argv.findIndex((arg, i) => i < end && /^(--warmup|-W)(=|$)/.test(arg))
  if (at === -1) return argv
  const [flag, ...inline] = argv[at].split('=')
  if (inline.length > 0) return takeWarmup(argv.toSpliced(at, 1, flag, inline.join('=')), raw, problems)
  if (raw.warmup !== undefined) problems.push(`${flag} is given twice: use one of them`)
  raw.warmup = {}
  if (/^\d+(\.\d+)?(ms|s|m)?$/.test(argv[at + 1] ?? '')) {
    problems.push(notWarmup(flag, argv[at + 1]))
    return takeWarmup(argv.toSpliced(at, 2), raw, problems)
  }
  if (!argv[at + 1]?.startsWith('[')) return takeWarmup(argv.toSpliced(at, 1), raw, problems)
  const close = argv.findIndex((arg, i) => i > at && i < end && arg.endsWith(']'))
  if (close === -1) {
    problems.push(`${flag} [ has no ] behind it: expected something like --warmup [ -c 1 -d 3 ]`)
    return argv.toSpliced(at, 2)
  }
  const inner = argv.slice(at + 1, close + 1).join(' ').slice(1, -1).trim()
  const { raw: warmup, problems: inside } = readFlags(inner === '' ? [] : inner.split(/\s+/), {})
  const strange = Object.keys(warmup).filter(name => name !== 'connections' && name !== 'duration')
  problems.push(...inside, ...strange.map(name => `--warmup takes only -c and -d, got ${name}`))
  raw.warmup = warmup
  return takeWarmup(argv.toSpliced(at, close - at + 1), raw, problems)
}

/**
 * @param {string | boolean} value
 * @param {boolean} negative
 * @returns {string | boolean}
 */
function negate (value, negative) {
  const given = value === 'true' ? true : value === 'false' ? false : value
  return negative && typeof given === 'boolean' ? !given : given
}

/**
 * @param {string} name
 * @param {Grammar} grammar
 */
function suggestFlag (name, { meanings }) {
  return suggest(name, [...meanings.keys()].filter(known => known.length > 1)).replace(/'(.+)'/, '--$1')
}

/**
 * A path stands for a URL on this machine, at the port of PORT or of the server that is started.
 * @param {string} url
 * @param {boolean} onPort
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} problems
 */
function urlFromPath (url, onPort, env, problems) {
  if (!url.startsWith('/')) return url
  if (onPort) return `http://localhost${url}`
  if (env.PORT) return `http://localhost:${env.PORT}${url}`
  problems.push(`${show(url)} is a path without a server: set the environment variable PORT, or give something like http://localhost:3000/path`)
  return `http://localhost${url}`
}

module.exports = { readFlags, grammarOf }
