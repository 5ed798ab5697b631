'use strict'

// Counts of proxies: their share of the time to connect, their errors, and their responses that refuse a request.

const { Counts } = require('../../record/counts')
const { Histogram } = require('../../record/histogram')

/**
 * @typedef {object} ProxiedReport a plain object
 * @property {import('../../record/histogram').Encoded} connect ms from the start of a connection until the proxy had
 *   connected
 * @property {Array<{ code: string, message: string, count: number }>} errors of proxies
 * @property {number} refused responses of proxies that refuse a request
 */

/** The number of different errors that are kept: a proxy may send messages with an id in them. */
const MOST_ERRORS = 20

/** The status that only a proxy sends (RFC 9110 §15.5.8). */
const WANTS_CREDENTIALS = 407

/** @extends {Counts<ProxiedReport>} */
class Proxied extends Counts {
  static FIELDS = /** @type {const} */ (['connect', 'refused'])

  /** @param {boolean} [forwards] whether requests go to the proxy itself: in a tunnel it sends no responses */
  constructor (forwards = false) {
    super()
    this.forwards = forwards
    this.refused = 0
    this.connect = new Histogram()
    /** @type {Map<string, { code: string, message: string, count: number }>} by message */
    this.errors = new Map()
  }

  /** @param {string} code @param {string} message @param {number} count */
  onError (code, message, count) {
    if (code.startsWith('AC_PROXY_')) this.fail(code, message, count)
  }

  /** @param {string} code @param {string} message @param {number} count */
  fail (code, message, count) {
    const known = this.errors.get(message)
    if (known !== undefined) known.count += count
    else if (this.errors.size < MOST_ERRORS) this.errors.set(message, { code, message, count })
  }

  /** @param {{ statuses: Float64Array }} recorder with the number of responses of the sample by status */
  onSample ({ statuses }) {
    if (this.forwards) this.refused += statuses[WANTS_CREDENTIALS]
  }

  /** @param {ProxiedReport} report */
  add (report) {
    super.add(report)
    for (const { code, message, count } of report.errors) this.fail(code, message, count)
  }

  reset () {
    super.reset()
    this.errors.clear()
  }

  /** @returns {ProxiedReport} */
  encode () {
    return { ...super.encode(), errors: Array.from(this.errors.values(), one => ({ ...one })) }
  }
}

module.exports = { Proxied, Total: Proxied }
