'use strict'

// Owns lines that are like one before but for the path at their end: that is copied as it is. A million lines are read in time because most of them are.

const { pathStart, plainEnd } = require('./plain-path')

const NONE = new Uint8Array(0)

class KnownHead {
  /** @param {import('./target-collector').TargetCollector} collector */
  constructor (collector) {
    this.collector = collector
    /** @type {Uint8Array} what lines begin with that have nothing but a path behind it */
    this.head = NONE
    /** The shape of their requests. */
    this.shape = 0
  }

  /**
   * @param {Uint8Array} line of a request that is nothing but method and URL
   * @param {string} url that it ends with
   * @param {number} shape of the request
   */
  learn (line, url, shape) {
    const path = pathStart(url)
    const { hosts, writer: { shapes } } = this.collector
    // A slash may stand in the query of a URL without a path, which is no host then. Credentials are a value of each request.
    const isKnown = path !== -1 && hosts.has(url.slice(0, path)) && shapes[shape].names.length === 0
    this.head = isKnown ? line.subarray(0, line.length - Buffer.byteLength(url.slice(path))) : NONE
    this.shape = shape
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number} start of a line
   * @returns {number} behind what is known, when the line begins so; else −1
   */
  match (bytes, start) {
    const { head } = this
    if (head === NONE || !startsWith(bytes, start, head, head.length)) return -1
    return plainEnd(bytes, start + head.length)
  }

  /**
   * Adds the request of the line that matched last.
   * @param {Uint8Array} bytes
   * @param {number} start of the line
   * @param {number} end
   */
  copy (bytes, start, end) {
    const { writer } = this.collector
    writer.begin(this.shape)
    writer.copy(bytes, start + this.head.length, end)
  }
}

/**
 * Lines of other servers differ at the end of their heads.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {Uint8Array} head
 * @param {number} length of it
 */
function startsWith (bytes, at, head, length) {
  for (let i = length - 1; i >= 0; i--) if (bytes[at + i] !== head[i]) return false
  return true
}

module.exports = { KnownHead, startsWith }
