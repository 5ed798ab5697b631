'use strict'

// The messages between a coordinator and the host of a generator, and the form of a snapshot.

/**
 * All messages are sent encoded. A list of responses has status, size and ms of each response.
 * @typedef {{ type: 'memory', memory: import('./memory').Memory[] } | { type: 'open', plan:
 *   import('../options/plan').Plan }
 *   | { type: 'observe', responses: boolean, errors: boolean, mismatches: boolean }
 *   | { type: 'start' } | { type: 'begin', at: number } | { type: 'stop' }
 *  | { type: 'extend', stage: import('../shapes/stages').Stage, drop: boolean } | { type: 'grow', connections: number
 *   }} Order
 * @typedef {{ type: 'ready' } | { type: 'waiting' } | { type: 'alive' } | { type: 'began', at: number }
 *   | { type: 'snapshot', snapshot: ReturnType<typeof encodeSnapshot> }
 *   | { type: 'responses', list: Float64Array }
 *   | { type: 'mismatch', body: string }
 *   | { type: 'log', line: string }
 *   | { type: 'requestError', error: Error }
 *   | { type: 'end', error: Error | null, usedUp: boolean, unusable?: string }} Report
 *
 * One side of a bidirectional connection for messages, which are JSON values.
 * @typedef {object} Transport
 * @property {string} name of the other side in errors
 * @property {true} [isThread] whether the other side is a thread of this process
 * @property {boolean} [shares] whether it can send `{ memory }` without encoding, so that both sides share the memory
 * @property {() => boolean} [isBehind] whether messages wait to be sent, so that the other side can't have replied
 * @property {(message: any) => void} send
 * @property {(message: any) => void} onMessage set by the user of the transport
 * @property {(error: Error) => Error} [explain] wraps an error of the host, if the name of the other side helps
 * @property {(error: Error) => void} onClose set by the user of the transport; receives the reason of the loss
 * @property {() => Promise<void>} close ends all calls of `onMessage` and `onClose`. Idempotent
 */

/** The interval of heartbeats of a host, ms. */
const HEARTBEAT = 1000

/**
 * @param {import('../record/recorder').Snapshot} snapshot of a generator. Many agents send small ones, so its counts
 *   are encoded sparsely
 */
function encodeSnapshot (snapshot) {
  const distributions = /** @type {import('../record/distributions').Distributions | null} */ (snapshot.distributions)
  return { ...snapshot, distributions: distributions?.encode() ?? null }
}

module.exports = { HEARTBEAT, encodeSnapshot }
