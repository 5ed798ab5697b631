'use strict'

// The address and port of a live view. Other machines can reach it only if an option allows that.

const { show } = require('../core/foreign-text')
const { problemWith, problemAt } = require('../core/problem')

/**
 * @typedef {object} Address
 * @property {string} host
 * @property {number} port 0 for one that is free
 * @property {boolean} isLoopback whether only this machine comes there
 */

const LOOPBACK = '127.0.0.1'

/** ADDR:PORT, [ADDR]:PORT, :PORT or PORT. */
const FORM = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]*)):)?(\d{1,5})$/i

/**
 * @param {unknown} given
 * @returns {Address | undefined} undefined for none
 * @throws {TypeError}
 */
function parseUi (given) {
  if (given === false || given === 'false') return undefined
  const address = readAddress(given === true || given === 'true' || given === '' ? '0' : given)
  if (address === null) {
    throw new TypeError('expected an address and a port such as 127.0.0.1:8080, [::1]:8080 or :8080, or nothing for ' +
      `a free port of this machine, got ${show(given)}`)
  }
  return address
}

/** Returns null when it is none; of a port alone, that of this machine. @type {(given: unknown) => Address | null} */
function readAddress (given) {
  const text = typeof given === 'number' ? String(given) : given
  const [matches, address, name, port] = typeof text === 'string' ? FORM.exec(text.trim()) ?? [] : []
  if (matches === undefined || Number(port) > 65_535) return null
  const host = address ?? (name || LOOPBACK)
  return { host, port: Number(port), isLoopback: /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/i.test(host) }
}

/** @type {import('./normalize').Rules} */
function aboutUi ({ ui, open, uiAllowRemote }, call) {
  if (ui === undefined) {
    return ['open', 'uiAllowRemote'].filter(name => ({ open, uiAllowRemote })[name]).map(name =>
      problemAt(call, name, `expected ${call('ui')} as well, got none: there is no page`))
  }
  if (ui.isLoopback || uiAllowRemote) return []
  return [problemWith(call, 'ui', `${ui.host}:${ui.port}: other machines could see the page there, and anyone with ` +
    `its link can watch the run and end it, over plain HTTP: add ${call('uiAllowRemote')} if that is meant, or omit ` +
    'the address')]
}

/**
 * @param {string} word after the flag
 * @returns {boolean} whether it may be its value
 */
function mayBeUi (word) {
  return /^(?:\[[\da-f:.]+\]|[\w.-]*):\d{1,5}$/i.test(word)
}

module.exports = { parseUi, readAddress, aboutUi, mayBeUi }
