'use strict'

// The metrics of WebSocket connections.

const { counter, histogram } = require('../../follow/metrics/family')

/** @typedef {import('./record').Messages} Messages */

/** @type {ReadonlyArray<import('../../follow/metrics/families').Family>} */
const FAMILIES = Object.freeze([
  counter('autocannon.websocket.opened', 'WebSockets that were opened.', read(({ opened }) => opened)),
  counter('autocannon.websocket.refused', 'Handshakes that the server refused, by status.',
    readEach('http.response.status_code', ({ refused }) => refused), { labels: ['http.response.status_code'] }),
  counter('autocannon.websocket.closed', 'WebSockets that the server closed, by close code; 1006 without a close ' +
    'frame.', readEach('close.code', ({ closed }) => closed), { labels: ['close.code'] }),
  counter('autocannon.websocket.sent', 'Messages that were sent.', read(({ sent }) => sent)),
  counter('autocannon.websocket.received', 'Messages that were received: responses, and those that respond to ' +
    'nothing.', read(({ received }) => received)),
  counter('autocannon.websocket.unmatched', 'Messages that responded to none in flight. Without --receive.',
    read(({ unmatched }) => unmatched)),
  counter('autocannon.websocket.late', 'Responses to messages that had timed out.', read(({ late }) => late)),
  histogram('autocannon.websocket.ping', 'Round trip of pings. With --ping.', read(({ ping }) => some(ping))),
  histogram('autocannon.websocket.message_age', 'Time from the sending of a message, by its own account, to its ' +
    'arrival. With --age.', read(({ age }) => some(age)))
])

/**
 * @param {(messages: Messages) => import('../../follow/metrics/families').Value | null} valueOf
 * @returns {import('../../follow/metrics/families').Family['read']}
 */
function read (valueOf) {
  return ({ totals: { instruments: { websocket } } }) => websocket === null ? null : valueOf(websocket)
}

/**
 * @param {string} label
 * @param {(messages: Messages) => Map<string, number>} countsOf
 * @returns {import('../../follow/metrics/families').Family['read']}
 */
function readEach (label, countsOf) {
  return ({ totals: { instruments: { websocket } } }) =>
    websocket === null ? [] : Array.from(countsOf(websocket), ([key, n]) => [{ [label]: key }, n])
}

/** A histogram without its option stays empty. @param {import('../../follow/metrics/families').Histogram} histogram */
function some (histogram) {
  return histogram.count === 0 ? null : histogram
}

module.exports = { FAMILIES }
