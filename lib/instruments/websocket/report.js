'use strict'

// How reports show WebSocket connections: pings as a row of the table of latencies, and what else is not as expected.

const { formatInteger, plural } = require('../../core/units')
const { timeColumnsOf } = require('../../report/authored')

/** @type {import('../../report/authored').TimesOf} */
function times ({ websocket: { ping, age } }) {
  return [{ name: 'Ping', distribution: ping }, { name: 'Message age', distribution: age }]
    .map(time => ({ ...time, isBrief: time.distribution.totalCount > 0 }))
}

/** @param {Record<string, number>} counts */
const countsOf = counts => Object.entries(counts).map(([key, n]) => `${key} ${formatInteger(n)}`).join(', ')

/** @param {Record<string, any>} result */
function facts ({ websocket: { refused, unmatched, late, closed }, options: { match = 'next' } = {} }) {
  const doubt = match === 'next'
    ? ': --match next may have assigned others to the wrong message. With an id in the messages, use --match ' +
      "'json id'"
    : ''
  return [
    ...Object.keys(refused).length > 0 ? [`Handshakes refused, by status: ${countsOf(refused)}`] : [],
    ...Object.keys(closed).length > 0 ? [`Connections closed by the server, by code: ${countsOf(closed)}`] : [],
    ...unmatched > 0 ? [`${plural(unmatched, 'message')} responded to no message in flight${doubt}`] : [],
    ...late > 0 ? [`${plural(late, 'response')} came after the timeout of its message`] : []
  ]
}

/** @type {import('../../report/authored').Columns} of the run; empty without WebSocket */
const columns = [
  ['messages_sent', ({ websocket }) => websocket?.sent],
  ['messages_received', ({ websocket }) => websocket?.received],
  ['messages_unmatched', ({ websocket }) => websocket?.unmatched],
  ['messages_late', ({ websocket }) => websocket?.late],
  ...timeColumnsOf('ping', ({ websocket }) => websocket?.ping),
  ...timeColumnsOf('message_age', ({ websocket }) => websocket?.age)
]

module.exports = { columns, facts, times }
