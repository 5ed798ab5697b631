'use strict'

const { round } = require('../../core/units')

/** @param {import('./record').Messages} messages @param {import('../../figures/result').Context} context */
function derive (messages, { seconds, summary }) {
  const { opened, compressed, sent, received, unmatched, late, refused, closed, ping, age } = messages
  return {
    websocket: {
      opened,
      compressed,
      refused: Object.fromEntries(refused),
      sent,
      received,
      receivedPerSecond: round(received / seconds),
      unmatched,
      late,
      closed: Object.fromEntries(closed),
      ping: summary(ping),
      age: summary(age)
    }
  }
}

/** Properties of all metrics of WebSocket. */
const OF_MESSAGES = { websocket: true, parts: undefined, noAbortOn: 'messages: they are judged when the run is over' }

/** The metrics of WebSocket connections. */
const METRICS = {
  times: {
    ping: { what: 'the round trip of a WebSocket ping', row: OF_MESSAGES },
    age: { what: 'the time from the sending of a message, by its own account, to its arrival', row: OF_MESSAGES }
  },
  rows: {
    unmatched: { unit: 'count', of: 'unmatched', per: 'received', share: true, ...OF_MESSAGES },
    'late messages': { unit: 'count', of: 'lateMessages', per: 'received', share: true, ...OF_MESSAGES }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ websocket }) => websocket === undefined
    ? {}
    : {
        times: { ping: websocket.ping, age: websocket.age },
        counted: {
          unmatched: websocket.unmatched, lateMessages: websocket.late, received: websocket.received
        }
      }
}

module.exports = { METRICS, derive }
