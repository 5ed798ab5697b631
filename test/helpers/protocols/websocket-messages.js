'use strict'

// Whole frames as a client sends them: by the writer, and masked by it.

const { BINARY, TEXT } = require('../../../lib/protocols/websocket/frames')
const { masked, plainClose, plainMessage, plainPing, plainPong } = require('../../../lib/protocols/websocket/frame-writer')

/** @typedef {(payload: string | Uint8Array, isDeflated?: boolean) => Buffer} Build */

/** @type {Build} */
const plainText = (payload, isDeflated) => plainMessage(TEXT, payload, isDeflated)
/** @type {Build} */
const plainBinary = (payload, isDeflated) => plainMessage(BINARY, payload, isDeflated)
/** @type {Build} */
const textFrame = (payload, isDeflated) => masked(plainText(payload, isDeflated))
/** @type {Build} */
const binaryFrame = (payload, isDeflated) => masked(plainBinary(payload, isDeflated))
/** @type {typeof plainPing} */
const pingFrame = payload => masked(plainPing(payload))
/** @type {typeof plainPong} */
const pongFrame = (bytes, start, end) => masked(plainPong(bytes, start, end))
/** @type {typeof plainClose} */
const closeFrame = (code, reason) => masked(plainClose(code, reason))

module.exports = { binaryFrame, closeFrame, pingFrame, plainBinary, plainText, pongFrame, textFrame }
