'use strict'

// The form of messages as requests, which are masked when they are sent.

const { BINARY, TEXT } = require('./frames')
const { PAYLOAD_START, plainMessage } = require('./frame-writer')

const NO_BYTES = Buffer.alloc(0)

/** A text is sent as text, bytes as they are. @type {import('../../templates/template').Encode} */
function encode ({ body }) {
  return plainMessage(typeof body === 'string' ? TEXT : BINARY, body ?? NO_BYTES)
}

/** @param {Buffer} message @returns {string} its text */
const textOf = message => message.toString('utf8', PAYLOAD_START)

module.exports = { encode, textOf }
