'use strict'

// The JSON that requests a completion of a language model: without a stream and its usage, there are no tokens to time.

const { show } = require('../core/foreign-text')

/**
 * @param {Record<string, unknown>} given what requests a completion
 * @returns {Record<string, unknown>} the members that it lacks for a stream with its usage
 * @throws {TypeError}
 */
function missingIn ({ stream, stream_options: options }) {
  if (stream !== undefined && stream !== true) {
    throw new TypeError(`"stream" is ${show(stream)}, so there are no tokens to time: omit it, or make it true`)
  }
  return {
    ...stream === undefined && { stream: true },
    ...options === undefined && { stream_options: { include_usage: true } }
  }
}

module.exports = { missingIn }
