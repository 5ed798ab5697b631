'use strict'

// WebSocket connections in reports: pings as a row of the table of latencies, and unexpected events.

const { formatInteger, plural } = require('../../core/units')
const { timeColumnsOf, timesTable } = require('../../report/authored')
const { briefTimes } = require('../../report/figures')

/** @type {import('../../report/authored').TimesOf} */
function times ({ websocket: { ping, age } }) {
  return [{ name: 'Ping', distribution: ping }, { name: 'Message age', distribution: age }]
    .map(time => ({ ...time, isBrief: time.distribution.totalCount > 0 }))
}

/** @type {import('../../report/authored').TablesOf} */
function tables (result, form) {
  // Other formats have these in the table of latencies.
  return form === 'md' ? [timesTable('websocket-times', 'Pings and ages', times(result))] : []
}

/**
 * @param {Record<string, any>} result
 * @returns {Array<{ name: string, text: string }>} the part in the first line of a report
 */
function headFacts ({ websocket: { ping } }) {
  return ping?.totalCount > 0 ? [{ name: 'ping', text: `ping ${briefTimes(ping)}` }] : []
}

/** @param {Record<string, number>} counts */
const countsOf = counts => Object.entries(counts).map(([key, n]) => `${formatInteger(n)} × ${key}`).join(', ')

/** @param {Record<string, any>} result */
function facts ({ websocket: { refused, sent, unmatched, late, closed }, streams, options: { match = 'next' } = {} }) {
  // With --receive, a message that nothing asked for is an event of a stream.
  const others = match === 'next' && sent > 0 && streams?.kind === 'messages' ? streams.events : unmatched
  const doubt = match === 'next'
    ? ': --match next may have assigned others to the wrong message. With an id in the messages, use --match ' +
      "'json id'"
    : ''
  return [
    ...Object.keys(refused).length > 0 ? [`Handshakes refused, by status: ${countsOf(refused)}`] : [],
    ...Object.keys(closed).length > 0 ? [`Connections closed by the server, by code: ${countsOf(closed)}`] : [],
    ...others > 0 ? [`${plural(others, 'message')} responded to no message in flight${doubt}`] : [],
    ...late > 0 ? [`${plural(late, 'response')} came after the timeout of its message`] : []
  ]
}

/** @type {import('../../report/authored').Columns} empty without WebSocket */
const columns = [
  ['messages_sent', ({ websocket }) => websocket?.sent],
  ['messages_received', ({ websocket }) => websocket?.received],
  ['messages_unmatched', ({ websocket }) => websocket?.unmatched],
  ['messages_late', ({ websocket }) => websocket?.late],
  ...timeColumnsOf('ping', ({ websocket }) => websocket?.ping),
  ...timeColumnsOf('message_age', ({ websocket }) => websocket?.age)
]

module.exports = { columns, facts, headFacts, tables, times }
