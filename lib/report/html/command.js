'use strict'

// Owns the command line that repeats a run, made from what its result says of the options: what has to be filled in, because a
// result keeps no secrets, and what no flag can say.

const { HIDDEN } = require('../../secrets')
const { burstText, stageText } = require('../load')

/** How a result tells of content that it does not show. */
const NOT_SHOWN = /^\[(\d+ bytes|not shown)\]$/

/** A regular expression as a text. */
const PATTERN = /^\/.+\/[a-z]*$/s

/**
 * @typedef {object} Command
 * @property {string} command for a POSIX shell
 * @property {string[]} hidden what has to be filled in, in the order in which it stands there
 * @property {string[]} missing what only a config or a program can say
 */

/**
 * @param {Record<string, any>} options of a result
 * @param {Record<string, any>} [search] of the same
 * @returns {Command}
 */
function commandOf (options, search) {
  /** @type {Parts} */
  const parts = { words: search === undefined ? [] : searchWords(search), hidden: [], missing: [] }
  const { url, onPort, ...others } = withoutNames(withSingleRequest(options, parts), namesIn(options), parts)
  // The stages say it.
  if (others.stages !== undefined) delete others.duration
  for (const [name, value] of Object.entries(others)) {
    const say = Object.hasOwn(WORDS, name) ? WORDS[name] : plain
    say(value, parts, name)
  }
  const urls = [url].flat().filter(one => one !== undefined)
  if (onPort !== undefined) parts.words.push('--on-port')
  for (const given of urls) {
    const one = onPort === undefined || urls.length > 1 ? given : withoutOrigin(String(given))
    if (String(one).includes(`${HIDDEN}@`)) parts.hidden.push('user and password of the URL')
    parts.words.push(quote(String(one)))
  }
  if (onPort !== undefined) {
    if (onPort.some((/** @type {string} */ word) => word.includes(HIDDEN))) parts.hidden.push('the command of the server')
    parts.words.push('--', ...onPort.map(quote))
  }
  return { command: ['autocannon', ...parts.words].join(' '), hidden: [...new Set(parts.hidden)], missing: parts.missing }
}

/**
 * @param {string} url
 * @returns {string} its path and query: another run of the server listens elsewhere
 */
function withoutOrigin (url) {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/'
}

/**
 * @param {Record<string, any>} search
 * @returns {string[]} the command that searches, and its flags
 */
function searchWords ({ over, from, to, precision, step, failBelow, thresholds }) {
  const unit = over === 'rate' ? '/s' : ''
  return [
    'find',
    ...over === 'rate' ? [] : [`--over ${over}`],
    `--from ${from}${unit}`,
    `--to ${to}${unit}`,
    `--precision ${Number((precision * 100).toPrecision(6))}%`,
    `--step ${step}s`,
    ...failBelow === undefined ? [] : [`--fail-below ${failBelow}${unit}`],
    ...thresholds.map((/** @type {string} */ expression) => `--threshold ${quote(expression)}`)
  ]
}

/** @typedef {{ words: string[], hidden: string[], missing: string[] }} Parts of a command */

/**
 * A list of one request is what the flags of the method, the headers and the body say, and the path of the URL.
 * @param {Record<string, any>} options
 * @param {Parts} parts
 * @returns {Record<string, any>} without requests
 */
function withSingleRequest ({ requests, ...options }, { missing }) {
  if (requests === undefined || options.har !== undefined) return options
  if (requests.length !== 1) {
    missing.push(`the ${requests.length} requests that take turns`)
    return options
  }
  const { method, path, headers = [], body, expect, ...others } = requests[0]
  /** @type {Record<string, any>} */
  const said = { ...options, ...method !== undefined && { method }, ...body !== undefined && { body } }
  if (path !== undefined) {
    const urls = [options.url].flat().map(url => withPath(url, path))
    if (urls.includes(null)) missing.push(`the path ${path} of the request`)
    else said.url = urls
  }
  if (headers.length > 0) said.headers = merged(options.headers ?? [], headers)
  if (expect !== undefined) said.expect = { ...options.expect, ...expect, ...(options.expect?.headers || expect.headers) && { headers: merged(options.expect?.headers ?? [], expect.headers ?? []) } }
  for (const [name, value] of Object.entries(others)) missing.push(`${name} of the request (${inWords(value)})`)
  return said
}

/**
 * @param {Record<string, any>} options
 * @returns {string[]} what thresholds are addressed to by names that only a config gives: requests, scenarios, and where there are scenarios the rounds of all
 */
function namesIn ({ requests = [], scenarios = [] }) {
  const named = (/** @type {Array<{ name?: string }>} */ list) => list.flatMap(({ name }) => name ?? [])
  const own = named(scenarios)
  return [...named(requests), ...own, ...own.map(name => `scenario ${name}`), ...named(scenarios.flatMap((/** @type {{ requests?: any[] }} */ { requests = [] }) => requests)), ...scenarios.length > 0 ? ['iterations', 'rounds'] : []]
}

/**
 * No flag gives a request a name, and a threshold for a name that is not there is refused.
 * @param {Record<string, any>} options
 * @param {string[]} names
 * @param {Parts} parts
 * @returns {Record<string, any>} without thresholds for what has a name
 */
function withoutNames ({ thresholds, ...options }, names, { missing }) {
  if (thresholds === undefined) return options
  /** @param {any} one */
  const isNamed = one => names.some(name => (one.threshold ?? one).trim().startsWith(`${name}:`))
  missing.push(...thresholds.filter(isNamed).map((/** @type {any} */ one) => `the threshold ${one.threshold ?? one}`))
  return { ...options, thresholds: thresholds.filter((/** @type {any} */ one) => !isNamed(one)) }
}

/**
 * @param {string} url
 * @param {string} path
 * @returns {string | null} null when it is none of this URL: `*`, or a URL itself
 */
function withPath (url, path) {
  const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0]
  return origin === undefined || !/^(\/|(?!\*$|[a-z]+:\/\/))/i.test(path) ? null : origin + (path.startsWith('/') ? path : '/' + path)
}

/**
 * @param {Array<[string, string]>} under
 * @param {Array<[string, string]>} over its names win
 */
function merged (under, over) {
  const names = new Set(over.map(([name]) => name.toLowerCase()))
  return [...under.filter(([name]) => !names.has(name.toLowerCase())), ...over]
}

/** @typedef {(value: any, parts: Parts, name: string) => void} Say */

/** @type {(flag: string) => Say} of a list that is said by repeating the flag */
function each (flag) {
  return (list, parts) => {
    for (const one of list) add(parts, flag, one)
  }
}

/** @type {Record<string, Say>} */
const WORDS = {
  headers (pairs, parts) {
    for (const [name, value] of pairs) {
      if (value.includes(HIDDEN)) parts.hidden.push(`the header ${name}`)
      add(parts, '--header', `${name}: ${value}`)
    }
  },
  thresholds (list, parts) {
    for (const one of list) typeof one === 'string' ? add(parts, '--threshold', one) : add(parts, one.abortOn ? '--abort-on' : '--threshold', one.threshold)
  },
  stages (list, parts) {
    for (const stage of list) add(parts, '--stage', stageText(stage))
  },
  // An array is told by its size.
  targets: (source, parts) => /^\[\d+ targets?\]$/.test(source) ? parts.missing.push(`the ${source.slice(1, -1)} of an array`) : add(parts, '--targets', source),
  connectTo: each('--connect-to'),
  resolve: each('--resolve'),
  localAddress: (list, parts) => add(parts, '--local-address', list.join(',')),
  proxy (url, parts) {
    if (url.includes(HIDDEN)) parts.hidden.push('user and password of the proxy')
    add(parts, '--proxy', url)
  },
  burst: (burst, parts) => add(parts, '--burst', burstText(burst)),
  percentiles: (list, parts) => add(parts, '--percentiles', list.join(',')),
  alpn: (list, parts) => add(parts, '--alpn', list.join(',') || 'none'),
  warmup ({ connections, duration }, parts) {
    const inside = [...connections === undefined ? [] : ['-c', connections], ...duration === undefined ? [] : ['-d', duration]]
    parts.words.push('--warmup', ...inside.length === 0 ? [] : ['[', ...inside, ']'])
  },
  expect (expect, parts) {
    for (const [key, value] of Object.entries(expect)) {
      if (Object.hasOwn(EXPECT, key)) EXPECT[key](value, parts, key)
      else parts.missing.push(`expect.${key} (${inWords(value)})`)
    }
  },
  tlsOptions: (_, { missing }) => missing.push('tlsOptions (certificates and keys in files: --cert, --key, --ca)'),
  scenarios: (list, { missing }) => missing.push(list.length === 1 ? `the scenario${list[0].name === undefined ? '' : ` ${list[0].name}`}` : `the scenarios ${list.map((/** @type {{ name: string }} */ { name }) => name).join(', ')}`),
  initialContext: onlyInConfig,
  setupClient: onlyInConfig,
  verifyBody: onlyInConfig,
  check: onlyInConfig
}

/**
 * Parts of what is expected of an answer.
 * @type {Record<string, Say>}
 */
const EXPECT = {
  status: (codes, parts) => add(parts, '--expect-status', [codes].flat().join(',')),
  headers (pairs, parts) {
    for (const [name, value] of pairs) {
      parts.hidden.push(`what the header ${name} is expected to be`)
      add(parts, '--expect-header', `${name}=${value}`)
    }
  },
  json (json, parts) {
    if (typeof json !== 'object') return parts.missing.push(`expect.json (${inWords(json)})`)
    for (const [path, value] of Array.isArray(json) ? json : Object.entries(json)) {
      if (path.includes('=') || (typeof value === 'string' && PATTERN.test(value))) {
        parts.missing.push(`expect.json ${path} (${inWords(value)})`)
        continue
      }
      const text = typeof value === 'string' && NOT_SHOWN.test(value) ? JSON.stringify(HIDDEN) : JSON.stringify(value)
      if (text.includes(HIDDEN)) parts.hidden.push(`what ${path} is expected to be`)
      add(parts, '--expect-json', `${path}=${text}`)
    }
  }
}

/** @type {Say} */
function onlyInConfig (value, { missing }, name) {
  missing.push(`${name} (${inWords(value)})`)
}

/** @type {Say} */
function plain (value, parts, name) {
  if (typeof value === 'boolean') parts.words.push(`--${value ? '' : 'no-'}${name}`)
  else if (typeof value === 'string' && NOT_SHOWN.test(value)) {
    parts.hidden.push(`${name} (${value.slice(1, -1)})`)
    add(parts, `--${name}`, HIDDEN)
  } else if (typeof value === 'number' || typeof value === 'string') {
    if (String(value).includes(HIDDEN)) parts.hidden.push(name)
    add(parts, `--${name}`, String(value))
  } else onlyInConfig(value, parts, name)
}

/**
 * @param {Parts} parts
 * @param {string} flag
 * @param {string} value
 */
function add ({ words }, flag, value) {
  // What begins with a dash would be read as a flag.
  if (value.startsWith('-')) words.push(`${flag}=${quote(value)}`)
  else words.push(flag, quote(value))
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
