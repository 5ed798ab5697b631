'use strict'

// Where metrics are served or sent, and with which attributes.

const { isRecord, printable, show } = require('../core/foreign-text')
const { problemAt } = require('../core/problem')
const { redactedUrl, userinfoOf } = require('../core/secrets')
const { readAddress } = require('./ui')

/** Names of tags. Prometheus has underscores for dots and dashes. */
const NAME = /^[a-z_][\w.-]*$/i
/** The limits of tags and their length: they are on each series. */
const [MOST, LONGEST] = [50, 200]

/**
 * @throws {TypeError}
 * @type {(given: unknown) => import('./ui').Address}
 */
function parseListen (given) {
  const address = readAddress(given)
  if (address === null) {
    throw new TypeError('expected a port of this machine such as :9464, or an address and a port such as ' +
      `0.0.0.0:9464 or [::1]:9464, got ${show(given)}`)
  }
  return address
}

/** The default path of a collector's metrics (OTLP 1.x, OTLP/HTTP). */
const PATH = '/v1/metrics'

/**
 * @throws {TypeError}
 * @type {(given: unknown) => string}
 */
function parseOtlp (given) {
  const url = typeof given === 'string' && /^https?:\/\/[^/]/i.test(given) && URL.canParse(given)
    ? new URL(given)
    : null
  if (url === null) {
    throw new TypeError('expected the URL of a collector such as http://localhost:4318, got ' +
      `${typeof given === 'string' ? show(redactedUrl(given)) : show(given)}`)
  }
  userinfoOf(url, show(redactedUrl(url.href)))
  if (url.pathname === '/') url.pathname = PATH
  return url.href
}

/**
 * @param {unknown} given `name=value`, or an array of them, or an object
 * @returns {Record<string, string>}
 * @throws {TypeError}
 */
function parseTags (given) {
  const pairs = isRecord(given)
    ? Object.entries(given)
    : [given].flat().map(one => typeof one === 'string' ? splitAt(one, '=') : [one, undefined])
  /** @type {Map<string, string>} their names in Prometheus, which have to differ */
  const taken = new Map()
  const tags = pairs.map(([name, value]) => {
    const text = ['number', 'boolean'].includes(typeof value) ? String(value) : value
    if (typeof name !== 'string' || typeof text !== 'string' || text === '') {
      throw new TypeError('expected name=value such as commit=1a2b3c, got ' +
        `${show(isRecord(given) ? { [String(name)]: value } : value === undefined ? name : `${name}=${value}`)}`)
    }
    if (!NAME.test(name) || name.startsWith('__') || name.length > LONGEST) {
      throw new TypeError(
        `expected a name of letters, digits, dots, dashes and underscores that begins with a letter, got ${show(name)}`
      )
    }
    if (printable(text) !== text || text.length > LONGEST) {
      throw new TypeError(`expected a value of up to ${LONGEST} characters that can be seen, got ${show(text)}`)
    }
    const label = name.replace(/\W/g, '_')
    if (taken.has(label)) {
      const other = taken.get(label)
      throw new TypeError('expected each name once, got ' + (other === name
        ? `${show(name)} twice`
        : `${show(other)} and ${show(name)}, which are the same in Prometheus`))
    }
    taken.set(label, name)
    return [name, text]
  })
  if (tags.length > MOST) throw new TypeError(`expected at most ${MOST}, got ${tags.length}`)
  return Object.fromEntries(tags)
}

/** @type {(text: string, separator: string) => [string, string | undefined]} */
function splitAt (text, separator) {
  const at = text.indexOf(separator)
  return at === -1 ? [text, undefined] : [text.slice(0, at).trim(), text.slice(at + 1)]
}

/**
 * @param {import('./normalize').Values} values
 * @param {Record<string, unknown>} raw
 * @param {(name: string) => string} call how the user calls an option
 * @returns {import('../core/problem').Problem[]} one for each rule that is broken
 */
function aboutMetrics ({ metricsLinger, tag }, { metricsListen, otlp }, call) {
  const problems = []
  if (metricsLinger !== undefined && metricsListen === undefined) {
    problems.push(problemAt(call, 'metricsLinger', `expected ${call('metricsListen')} as well, got none: there is ` +
      'nothing to scrape'))
  }
  if (tag !== undefined && metricsListen === undefined && otlp === undefined) {
    problems.push(problemAt(call, 'tag', `expected ${call('metricsListen')} or ${call('otlp')} as well, got none: ` +
      'there are no metrics to put it on'))
  }
  return problems
}

module.exports = { parseListen, parseOtlp, parseTags, aboutMetrics }
