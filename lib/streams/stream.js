'use strict'

// The interface of a kind of stream: it finds messages in the bytes of a response. parts.js lists all kinds. A kind
// knows neither times nor connections: response/response-stream counts and times its messages.

const { STREAMS } = require('../parts')

/**
 * @typedef {object} Kind
 * @property {ReadonlyArray<string>} types the accepted media types of a response; empty for any
 * @property {string} message the noun of a message in texts: `event`
 * @property {(onMessage?: OnMessage, isContinued?: boolean) => Scanner} scanner creates a scanner for one response;
 *   `reset` prepares it for the next one. `scan`, `endRead` and `finish` call `onMessage` for each message that they
 *   count. It has `fields` for a continued stream, if the kind has ids
 *
 * @typedef {object} Message as text
 * @property {string} type `line`, `chunk`, or the name of an event; `message` for an event without a name
 * @property {string} data
 * @property {string} lastEventId the last `id` of the stream so far; empty for none
 * @property {Buffer} [bytes] of a chunk
 *
 * @typedef {(message: Message) => void} OnMessage
 *
 * Finds messages in the bytes of a body, independently of the boundaries of reads. It allocates nothing per message
 * unless texts are needed.
 * @typedef {object} Scanner
 * @property {() => void} reset prepares for another response
 * @property {(bytes: Buffer, start: number, end: number) => number} scan returns the number of messages that these
 *   bytes complete
 * @property {() => number} endRead returns the number of messages that the end of a read completes; `scan` may be
 *   called several times per read
 * @property {() => number} finish returns the number of messages that the end of the response completes
 * @property {boolean} isInside whether a message is incomplete
 * @property {number} size size of the incomplete message so far, with separators, bytes
 * @property {Fields | null} [fields] the position in the stream, for a client that continues it; null otherwise
 * @property {Delivered} [completion] the content of a completion
 *
 * @typedef {object} Fields
 * @property {string} lastEventId
 * @property {number | null} retry how long to wait before a reconnect, ms; null if the stream does not set it
 * @property {(lastEventId: string) => void} continueFrom called after `reset`, with the last id of the previous stream
 *
 * @typedef {{ code: string, message: string }} Failure
 *
 * The content of a completion. Counts of events are since the last call of `count`; all else is of the whole response.
 * @typedef {object} Delivered
 * @property {number} left how many more events are needed; later ones are ignored
 * @property {number} outputs events with output
 * @property {number} contents of these, the events with content
 * @property {number} reasonings of these, the events with reasoning
 * @property {number} deltas texts and parts of tool calls in these events
 * @property {() => void} count resets the counts of events
 * @property {number} tokens as reported by the server; −1 without a report
 * @property {number} promptTokens likewise
 * @property {boolean} isLying whether the reported usage is impossible
 * @property {ReadonlyArray<string>} finishes the finish reasons of its choices
 * @property {Failure | null} failure the first failure
 * @property {Failure | null} fault the failure of a response that has ended
 */

/** @type {(name: string) => Kind} one of STREAMS */
const kindOf = name => STREAMS[name].load()

module.exports = { kindOf }
