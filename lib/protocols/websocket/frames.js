'use strict'

// The numbers of WebSocket frames (RFC 6455 §5.2, §11.8) and the limits on both sides.

const CONTINUATION = 0
const TEXT = 1
const BINARY = 2
const CLOSE = 8
const PING = 9
const PONG = 10

/** Bits of the first byte: the last frame of a message, and a compressed message (RFC 7692 §6). */
const FIN = 0x80
const RSV1 = 0x40
/** A bit of the second byte. */
const MASKED = 0x80

/** The longest payload of a control frame (§5.5). */
const MAX_CONTROL = 125

/** The largest message that is accepted, after it is inflated, bytes. */
const MAX_MESSAGE = 16 * 1024 * 1024

module.exports = { CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG, FIN, RSV1, MASKED, MAX_CONTROL, MAX_MESSAGE }
