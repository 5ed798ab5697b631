'use strict'

// Finds a run whose messages have no time from which to compute their age.

const { warning } = require('../../core/finding')

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings ({ websocket, streams, options }) {
  const path = options?.age
  return path == null || websocket.age?.totalCount > 0 || !(streams?.events > 0)
    ? []
    : [warning('no-ages', { path, messages: streams.events })]
}

module.exports = { findings }
