'use strict'

// What is sent in place of requests: messages. Each is a whole frame that is masked when it is sent. Until its values
// are in it, it is a draft: the opcode of the frame, and the payload.

const { BINARY, TEXT } = require('./frames')
const { payloadStart, plainFrame } = require('./frame-writer')

const NO_BYTES = Buffer.alloc(0)

/** A text is sent as text, bytes as they are. @type {import('../../templates/template').Encode} */
function encode ({ body }) {
  const payload = body === null ? NO_BYTES : Buffer.from(body)
  return Buffer.concat([Buffer.of(typeof body === 'string' ? TEXT : BINARY), payload])
}

/** @type {import('../../templates/template').Finish} */
const finish = draft => plainFrame(draft[0], draft.subarray(1))

/** @param {Buffer} frame @returns {string} the text of a message that `finish` has made */
const textOf = frame => frame.toString('utf8', payloadStart(frame))

module.exports = { encode, finish, textOf }
