'use strict'

// Finds a run with messages that lack the time from which their age is computed.

const { warning } = require('../../core/finding')

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings ({ websocket, streams, options }) {
  const path = options?.age
  return path == null || websocket.age?.totalCount > 0 || !(streams?.events > 0)
    ? []
    : [warning('no-ages', { path, messages: streams.events })]
}

module.exports = { findings }
