'use strict'

// The command line that repeats a run, from the options in its result; with the secrets to fill in, which a result does
// not have, and the options without a flag.

const { HIDDEN } = require('../../core/secrets')
const { ALL } = require('../../shapes/shape')

/** Content that a result does not show. */
const NOT_SHOWN = /^\[(\d+ bytes|not shown)\]$/

/** A regular expression as a text. */
const PATTERN = /^\/.+\/[a-z]*$/s

/** Scheme and host of a URL. */
const ORIGIN = /^[a-z]+:\/\/[^/?#]*/i

class Command {
  constructor () {
    /** @type {string[]} */
    this.words = []
    /** Names of hidden values, in the order of the words. @type {string[]} */
    this.hidden = []
    /** Options without a flag. @type {string[]} */
    this.missing = []
  }

  /** @param {string} flag @param {string | number} value @param {string} [what] its name if it is hidden */
  add (flag, value, what = flag.slice(2)) {
    const given = String(value)
    const size = NOT_SHOWN.exec(given)
    if (size !== null) this.hidden.push(`${what} (${size[1]})`)
    else if (given.includes(HIDDEN)) this.hidden.push(what)
    const text = quote(size === null ? given : HIDDEN)
    // A value that begins with a dash would be read as a flag.
    this.words.push(given.startsWith('-') ? `${flag}=${text}` : `${flag} ${text}`)
  }
}

/**
 * @param {Record<string, any>} options of a result
 * @param {Record<string, any>} [search] of the same
 * @returns {{ command: string, hidden: string[], missing: string[] }} for a POSIX shell
 */
function commandOf (options, search) {
  const command = new Command()
  if (search !== undefined) addSearch(command, search)
  const { url, onPort, ...others } = withoutNames(command, withSingleRequest(command, options), namesIn(options))
  // It follows from the stages.
  if (others.stages !== undefined) delete others.duration
  for (const [name, value] of Object.entries(others)) {
    const say = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : plain
    say(command, value, name)
  }
  const { words, hidden, missing } = command
  if (onPort !== undefined) words.push('--on-port')
  const urls = [url].flat().filter(one => typeof one === 'string')
  for (const given of urls) {
    if (given.includes(`${HIDDEN}@`)) hidden.push('user and password of the URL')
    // A server that --on-port starts has another port each time.
    words.push(quote(onPort === undefined || urls.length > 1 ? given : given.replace(ORIGIN, '') || '/'))
  }
  if (onPort !== undefined) {
    if (onPort.some((/** @type {string} */ word) => word.includes(HIDDEN))) hidden.push('the command of the server')
    words.push('--', ...onPort.map(quote))
  }
  return { command: ['autocannon', ...words].join(' '), hidden: [...new Set(hidden)], missing }
}

/** @param {Command} command @param {Record<string, any>} search */
function addSearch (command, { over, from, to, precision, step, failBelow, thresholds }) {
  const unit = over === 'rate' ? '/s' : ''
  command.words.push('find')
  if (over !== 'rate') command.add('--over', over)
  command.add('--from', `${from}${unit}`)
  command.add('--to', `${to}${unit}`)
  command.add('--precision', `${Number((precision * 100).toPrecision(6))}%`)
  command.add('--step', `${step}s`)
  if (failBelow !== undefined) command.add('--fail-below', `${failBelow}${unit}`)
  for (const expression of thresholds) command.add('--threshold', expression)
}

/**
 * A single request of a list becomes flags for its method, headers and body, and the path of the URL.
 * @param {Command} command
 * @param {Record<string, any>} options
 * @returns {Record<string, any>} without requests
 */
function withSingleRequest ({ missing }, { requests, ...options }) {
  if (requests === undefined || options.har !== undefined) return options
  if (requests.length !== 1) {
    missing.push(`the ${requests.length} requests that take turns`)
    return options
  }
  const { method, path, headers = [], body, expect, ...others } = requests[0]
  /** @type {Record<string, any>} */
  const combined = { ...options, ...method !== undefined && { method }, ...body !== undefined && { body } }
  if (path !== undefined) {
    const urls = [options.url].flat().map(url => withPath(url, path))
    if (urls.includes(null)) missing.push(`the path ${path} of the request`)
    else combined.url = urls
  }
  if (headers.length > 0) combined.headers = merged(options.headers ?? [], headers)
  if (expect !== undefined) {
    const expected = merged(options.expect?.headers ?? [], expect.headers ?? [])
    combined.expect = { ...options.expect, ...expect, ...expected.length > 0 && { headers: expected } }
  }
  for (const [name, value] of Object.entries(others)) missing.push(`${name} of the request (${inWords(value)})`)
  return combined
}

/**
 * @param {Record<string, any>} options
 * @returns {string[]} names of parts of the run that only a config can define
 */
function namesIn ({ requests = [], scenarios = [] }) {
  const named = (/** @type {Array<{ name?: string }>} */ list) => list.flatMap(({ name }) => name ?? [])
  const own = named(scenarios)
  const inside = scenarios.flatMap((/** @type {{ requests?: any[] }} */ { requests = [] }) => requests)
  const all = scenarios.length > 0 ? ['iterations', 'rounds'] : []
  return [...named(requests), ...own, ...own.map(name => `scenario ${name}`), ...named(inside), ...all]
}

/**
 * No flag can name a request, and a threshold on an unknown name is refused.
 * @param {Command} command
 * @param {Record<string, any>} options
 * @param {string[]} names
 * @returns {Record<string, any>} the options without thresholds on named parts
 */
function withoutNames ({ missing }, { thresholds, ...options }, names) {
  if (thresholds === undefined) return options
  /** @param {any} one */
  const isNamed = one => names.some(name => (one.threshold ?? one).trim().startsWith(`${name}:`))
  missing.push(...thresholds.filter(isNamed).map((/** @type {any} */ one) => `the threshold ${one.threshold ?? one}`))
  return { ...options, thresholds: thresholds.filter((/** @type {any} */ one) => !isNamed(one)) }
}

/**
 * @param {string} url
 * @param {string} path
 * @returns {string | null} null for a path that a URL cannot have: `*`, or a whole URL
 */
function withPath (url, path) {
  const origin = ORIGIN.exec(url)?.[0]
  if (origin === undefined || path === '*' || /^[a-z]+:\/\//i.test(path)) return null
  return origin + (path.startsWith('/') ? path : '/' + path)
}

/** @param {Array<[string, string]>} under @param {Array<[string, string]>} over its names take precedence */
function merged (under, over) {
  const names = new Set(over.map(([name]) => name.toLowerCase()))
  return [...under.filter(([name]) => !names.has(name.toLowerCase())), ...over]
}

/** @typedef {(command: Command, value: any, name: string) => void} Say */

/** @type {(flag: string, texts: (value: any) => string[]) => Say} */
const eachText = (flag, texts) => (command, value) => {
  for (const text of texts(value)) command.add(flag, text)
}

/** @type {(flag: string) => Say} of a list that repeats the flag */
const repeated = flag => eachText(flag, list => list.map(String))

/** @type {(flag: string, none?: string) => Say} of a list with commas; `none`: the form of an empty one */
const joined = (flag, none = '') => (command, list) => command.add(flag, [list].flat().join(',') || none)

/** @type {Say} */
const onlyInConfig = ({ missing }, value, name) => { missing.push(`${name} (${inWords(value)})`) }

/** @type {Record<string, Say>} */
const OPTIONS = {
  headers (command, pairs) {
    for (const [name, value] of pairs) command.add('--header', `${name}: ${value}`, `the header ${name}`)
  },
  thresholds (command, list) {
    for (const one of list) command.add(one.abortOn ? '--abort-on' : '--threshold', one.threshold ?? one)
  },
  subprotocol (command, given) {
    for (const name of [given].flat()) command.add('--subprotocol', name)
  },
  // A result has the path without `json`.
  age (command, path) {
    command.add('--age', `json ${path}`)
  },
  // An array is described by its size.
  targets (command, source) {
    if (/^\[\d+ targets?\]$/.test(source)) command.missing.push(`the ${source.slice(1, -1)} of an array`)
    else command.add('--targets', source)
  },
  ...Object.fromEntries(ALL.flatMap(({ option: { name, shown = name }, texts }) =>
    texts === undefined ? [] : [[name, eachText(`--${shown}`, texts)]])),
  connectTo: repeated('--connect-to'),
  resolve: repeated('--resolve'),
  localAddress: joined('--local-address'),
  percentiles: joined('--percentiles'),
  alpn: joined('--alpn', 'none'),
  proxy: (command, url) => command.add('--proxy', url, 'user and password of the proxy'),
  warmup ({ words }, { connections, duration }) {
    const flags = Object.entries({ '-c': connections, '-d': duration })
    const inside = flags.filter(([, value]) => value !== undefined).flat()
    words.push('--warmup', ...inside.length === 0 ? [] : ['[', ...inside, ']'])
  },
  expect (command, expect) {
    for (const [key, value] of Object.entries(expect)) {
      const say = Object.hasOwn(EXPECT, key) ? EXPECT[key] : onlyInConfig
      say(command, value, `expect.${key}`)
    }
  },
  tlsOptions: ({ missing }) => missing.push('tlsOptions (certificates and keys in files: --cert, --key, --ca)'),
  scenarios ({ missing }, list) {
    const names = list.map((/** @type {{ name?: string }} */ { name }) => name).join(', ')
    missing.push(`the scenario${list.length === 1 ? '' : 's'}${names === '' ? '' : ` ${names}`}`)
  },
  initialContext: onlyInConfig,
  setupClient: onlyInConfig,
  verifyBody: onlyInConfig,
  check: onlyInConfig
}

/** Parts of the expectations of a response. @type {Record<string, Say>} */
const EXPECT = {
  status: joined('--expect-status'),
  headers (command, pairs) {
    for (const [name, value] of pairs) {
      command.add('--expect-header', `${name}=${value}`, `what the header ${name} is expected to be`)
    }
  },
  json (command, json) {
    if (typeof json !== 'object') return onlyInConfig(command, json, 'expect.json')
    for (const [path, value] of Array.isArray(json) ? json : Object.entries(json)) {
      const isPattern = typeof value === 'string' && PATTERN.test(value)
      const text = JSON.stringify(NOT_SHOWN.test(value) ? HIDDEN : value)
      if (isPattern || path.includes('=')) onlyInConfig(command, value, `expect.json ${path}`)
      else command.add('--expect-json', `${path}=${text}`, `what ${path} is expected to be`)
    }
  }
}

/** @type {Say} */
function plain (command, value, name) {
  if (typeof value === 'boolean') command.words.push(`--${value ? '' : 'no-'}${name}`)
  else if (typeof value === 'number' || typeof value === 'string') command.add(`--${name}`, value)
  else onlyInConfig(command, value, name)
}

/** @param {unknown} value */
function inWords (value) {
  return typeof value === 'string' ? value.replace(/^\[(.*)\]$/s, '$1') : JSON.stringify(value)
}

/** @param {string} text */
function quote (text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

module.exports = { commandOf }
