'use strict'

// Describes one exemplar request (slowest, failed) from data of its connection. Secrets in its path are replaced.

const { cut, printable } = require('../core/foreign-text')
const { hasSecretTemplate, pathWithoutUserinfo, redactedText } = require('../core/secrets')

/** @typedef {import('../instruments/exemplars/selection').Slot} Slot */

/** The limit of a path in characters. */
const LONGEST = 200

/**
 * @param {Slot} slot
 * @param {import('./connection').Connection} connection
 * @param {number} row of a request in flight
 */
function note (slot, connection, row) {
  const { exchanges, responses, shared: { startedAt } } = connection
  slot.time = exchanges.started[row] - startedAt
  slot.waited = Math.max(0, exchanges.started[row] - exchanges.origins[row])
  slot.connect = responses.completed === 0 ? connection.connectMs : -1
  slot.connection = connection.number
  slot.step = exchanges.steps[row]
  slot.entry = exchanges.entries[row]
  slot.request = exchanges.made ? exchanges.requests[row] : null
  slot.bytes = exchanges.made ? exchanges.bytes[row] : null
}

/**
 * @param {Slot} slot
 * @param {import('./connection').Connection} connection
 * @param {number} row
 * @param {number} status
 * @param {number} size
 * @param {number} total ms
 * @param {number} firstByte ms
 */
function noteResponse (slot, connection, row, status, size, total, firstByte) {
  note(slot, connection, row)
  slot.total = total
  slot.firstByte = firstByte
  slot.status = status
  slot.size = size
  slot.error = null
}

/**
 * @param {Slot} slot
 * @param {import('./connection').Connection} connection
 * @param {number} row
 * @param {number} total time until the end of the attempt, ms
 * @param {string | null} error its code
 */
function noteLoss (slot, connection, row, total, error) {
  noteResponse(slot, connection, row, 0, 0, total, -1)
  slot.error = error
}

/**
 * @param {Pick<import('../protocols/peer').Protocol, 'decode'>} protocol
 * @returns {import('../instruments/exemplars/selection').Describe}
 */
function describer ({ decode }) {
  return ({ step, entry, request, bytes }) => {
    const { listed, inspector, target } = step
    const given = request ?? (listed ? listed.requestOf(entry) : step.request)
    // A WebSocket message has no request bytes to parse.
    const known = listed ? listed.bytesOf(entry) : step.bytes
    const sent = request === null ? known : bytes
    const template = step.templates === null ? null : step.request.path ?? target.path
    const { path, headers } = decode && sent ? decode(sent, { ...given, headers: TRACED, body: null }) : given
    return {
      name: inspector?.name ?? null,
      // Values in a path are encoded and may be adjacent, so all are hidden if one is a secret.
      request:
        `${given.method} ${shown(template !== null && hasSecretTemplate(template) ? template : path ?? target.path)}`,
      ...traceOf(headers)
    }
  }
}

/** Header fields that exemplars include. @type {ReadonlyArray<readonly [string, string]>} */
const TRACED = [['traceparent', '']]

/** @param {string} path */
function shown (path) {
  return cut(printable(redactedText(pathWithoutUserinfo(cut(path, 10 * LONGEST)))), LONGEST)
}

/**
 * @param {ReadonlyArray<readonly [name: string, value: string]>} headers
 * @returns {{ trace?: import('../instruments/exemplars/record').Trace }} ids from a valid W3C Trace Context header
 */
function traceOf (headers) {
  const value = headers.find(([name]) => name.toLowerCase() === 'traceparent')?.[1] ?? ''
  const [, id, parent, flags] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})/.exec(value) ?? []
  return id === undefined ? {} : { trace: { id, parent, sampled: (parseInt(flags, 16) & 1) === 1 } }
}

module.exports = { describer, noteResponse, noteLoss }
