'use strict'

// The traits of a protocol before it is used: the options that select it, and its differences. parts.js lists all
// protocols.

const { PROTOCOLS } = require('../parts')

/**
 * @typedef {object} Traits
 * @property {(plan: import('../options/plan').Plan, now: import('../core/clock').Clock) => import('./peer').Protocol}
 *   protocolOf for the connections of one thread
 * @property {() => (plan: import('../options/plan').Plan) => any} [socketsOf] where user functions open connections of
 *   it one by one; loads what they need
 * @property {Rules} [rulesOf] limits of its requests
 * @property {true} [sharesConnections] a user is a stream: several share a connection
 * @property {true} [hasMessages] its requests are messages of WebSocket, each connection of which is a user in that
 * @property {true} [tunnels] a proxy does not know the protocol, and has to open a tunnel
 * @property {true} [isOpaque] a library reads and writes: the bytes that were read, and when they arrived, are unknown
 *
 * @typedef {(values: import('../options/normalize').Values, call: import('../core/problem').Call, given: Given) =>
 *   import('../core/problem').Problem[]} Rules one for each that is broken
 *
 * @typedef {object} Given for rules, beside the values
 * @property {Array<[place: string, entry: Record<string, any>]>} entries of requests
 * @property {(names: ReadonlyArray<string>) => string[]} set options among these whose value is not the default
 * @property {ReadonlyArray<string>} shapes options of the shapes of a load
 */

/**
 * @param {Record<string, any>} values of options
 * @returns {string[]} their protocol and client
 */
function selectedBy (values) {
  return Object.keys(PROTOCOLS).filter(name =>
    Object.entries(PROTOCOLS[name].when).every(([option, value]) => valueOf(values, option) === value))
}

/**
 * @param {Record<string, any>} values as above
 * @param {string} option
 * @returns {unknown} of URLs, which are all alike, the scheme without that it is secure
 */
function valueOf (values, option) {
  return option === 'url' ? schemeOf(String([values.url].flat()[0])) : values[option]
}

/** Schemes of the URL of a run, without that they are secure. */
const PLAIN = Object.freeze(['http', ...choicesOf('url')])

/** All schemes of the URL of a run, as `URL.protocol` has them. */
const SCHEMES = Object.freeze(PLAIN.flatMap(scheme => [`${scheme}:`, `${scheme}s:`]))

/** @param {string} url @returns {string | undefined} one of PLAIN; undefined for a URL without a scheme */
const schemeOf = url => PLAIN.find(scheme => new RegExp(`^${scheme}s?:`, 'i').test(url))

/**
 * @param {Record<string, any>} values of options, or their form in a result
 * @returns {string} the one that is spoken: one of PROTOCOLS
 */
function protocolIn (values) {
  return selectedBy(values).at(-1) ?? 'http1'
}

/** @param {Record<string, any>} values as above */
function traitsIn (values) {
  return PROTOCOLS[protocolIn(values)].load()
}

/** Returns its values that select a protocol. @type {(option: string) => string[]} */
function choicesOf (option) {
  return [...new Set(Object.values(PROTOCOLS).flatMap(({ when }) => when[option] ?? []))]
}

module.exports = { SCHEMES, selectedBy, choicesOf, protocolIn, traitsIn }
