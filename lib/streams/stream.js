'use strict'

// The interface of a kind of stream: how messages are found in the bytes of a response. parts.js lists all kinds. A
// kind uses neither times nor connections: response/response-stream counts and times its messages.

const { STREAMS } = require('../parts')

/**
 * @typedef {object} Kind
 * @property {ReadonlyArray<string>} types media types, of which a response has one; none where any will do
 * @property {string} message its noun, in messages: `event`
 * @property {(onMessage?: OnMessage, isContinued?: boolean) => Scanner} scanner one for each response that is read; it
 *   is used again after `reset`. It calls `onMessage`, in `scan`, `endRead` or `finish`, for each message that those
 *   count. It has `fields` for a stream that is continued, where the kind has ids
 *
 * @typedef {object} Message as text
 * @property {string} type `line` of a line, `chunk` of a chunk, and of an event its name, or `message`
 * @property {string} data
 * @property {string} lastEventId the last `id` of the stream so far; empty for none
 * @property {Buffer} [bytes] of a chunk
 *
 * @typedef {(message: Message) => void} OnMessage
 *
 * Finds messages in the bytes of a body, wherever reads cut them. It builds nothing per message, unless their text is
 * needed.
 * @typedef {object} Scanner
 * @property {() => void} reset another response begins
 * @property {(bytes: Buffer, start: number, end: number) => number} scan how many messages are complete with these
 *   bytes
 * @property {() => number} endRead how many more are complete because a read ends here; one read may have led to
 *   several calls of `scan`
 * @property {() => number} finish how many more are complete because the response has ended
 * @property {boolean} isInside whether a message has begun and is not complete
 * @property {number} size bytes of that message so far, with separators
 * @property {Fields | null} [fields] where the stream is, for a client that continues it; null where it is not
 *   continued
 * @property {Delivered} [completion] the content of messages of a completion
 *
 * @typedef {object} Fields
 * @property {string} lastEventId
 * @property {number | null} retry how long to wait before a reconnect, ms; null if the stream does not set it
 * @property {(lastEventId: string) => void} continueFrom called after `reset`: the stream before ended with that id
 *
 * @typedef {{ code: string, message: string }} Failure
 *
 * The content of a completion: events with output since the last `count`, and the rest of the whole response.
 * @typedef {object} Delivered
 * @property {number} left how many more events are needed: others are ignored
 * @property {number} outputs events with output
 * @property {number} contents of these those with content
 * @property {number} reasonings likewise with reasoning
 * @property {number} deltas texts and parts of tool calls in them
 * @property {() => void} count these have been counted
 * @property {number} tokens by the server's count; −1 without one
 * @property {number} promptTokens likewise
 * @property {boolean} isLying whether the usage that it reports cannot be right
 * @property {ReadonlyArray<string>} finishes why its choices ended
 * @property {Failure | null} failure the first thing that is wrong
 * @property {Failure | null} fault the problem of a response that the server has ended
 */

/** @type {(name: string) => Kind} one of STREAMS */
const kindOf = name => STREAMS[name].load()

module.exports = { kindOf }
