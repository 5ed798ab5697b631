'use strict'

// The JSON body that requests a completion of a language model. Without a stream and its usage there are no tokens to
// time.

const { show } = require('../core/foreign-text')

/**
 * @param {Record<string, unknown>} given the JSON body
 * @returns {Record<string, unknown>} the missing members that request a stream with its usage
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
