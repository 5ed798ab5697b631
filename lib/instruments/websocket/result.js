'use strict'

const { round } = require('../../core/units')

/** @param {import('./record').Messages} messages @param {import('../../figures/result').Context} context */
function derive (messages, { seconds, summary }) {
  const { opened, compressed, sent, received, unmatched, late, refused, closed, pings, ages } = messages
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
      ping: summary(pings),
      age: summary(ages)
    }
  }
}

module.exports = { derive }
