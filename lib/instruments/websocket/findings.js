'use strict'

// Owns what has to be known of the messages of a run: that none of them had the time that its age is computed from.

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings ({ websocket, streams, options }) {
  const path = options?.age
  return path == null || websocket.age?.totalCount > 0 || !(streams?.events > 0)
    ? []
    : [{ code: 'no-ages', severity: 'warning', facts: { path, messages: streams.events } }]
}

module.exports = { findings }
