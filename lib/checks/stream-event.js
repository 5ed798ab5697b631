'use strict'

// One event of a stream, for check functions, expectations and captures. Its JSON is parsed on first access.

const { Response } = require('./response')

/**
 * An event is checked like a response without a request.
 * @typedef {Readonly<{ name: string | null, path: string }>} Defaults
 */
/** @type {Defaults} */
const NO_REQUEST = Object.freeze({ name: null, path: '' })

const NO_HEADERS = Object.freeze({})

class StreamEvent {
  /** @type {unknown} undefined until it is parsed */
  #json
  /** @type {Response | null} */
  #response = null

  /**
   * @param {{ type: string, data: string, lastEventId: string }} message
   * @param {number} index from 1
   * @param {number} ms since the time at which its request was due, or was sent
   */
  constructor ({ type, data, lastEventId }, index, ms) {
    this.type = type
    this.data = data
    this.lastEventId = lastEventId
    this.index = index
    this.ms = ms
  }

  /**
   * @returns {any} its data, parsed once for all readers
   * @throws {Error}
   */
  json () {
    if (this.#json !== undefined) return this.#json
    try {
      return (this.#json = JSON.parse(this.data))
    } catch {
      throw new Error('the data is not JSON')
    }
  }

  /** @param {StreamEvent} event @returns {Response} its data as the body of a response */
  static asResponse (event) {
    event.#response ??= new Response(sourceOf(event), event.ms, NO_REQUEST)
    return event.#response
  }
}

/** @type {(event: StreamEvent) => import('./response').Source} */
function sourceOf ({ data }) {
  /** @type {Buffer | null} */
  let bytes = null
  const bytesOf = () => (bytes ??= Buffer.from(data))
  return {
    status: 200,
    bodySize: data.length,
    missing: null,
    late: null,
    events: null,
    random: () => 0,
    bytes: bytesOf,
    charset: () => '',
    text: () => data,
    sample: size => ({ body: data.slice(0, size), truncated: data.length > size }),
    rawHeaders: () => [],
    lowerCaseHeaders: () => NO_HEADERS,
    trailers: () => NO_HEADERS,
    sent: () => ({ method: '', path: null, headers: [], body: null })
  }
}

module.exports = { StreamEvent }
