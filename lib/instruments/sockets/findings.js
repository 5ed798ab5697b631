'use strict'

// Finds sockets of Node.js in a run with native ones.

const { warning } = require('../../core/finding')
const { sumOf } = require('../../core/statistics')

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings ({ environment, sockets: { native, node, reasons } }) {
  const connections = sumOf(reasons, reason => reason.connections)
  // All of them, which the header says before the run.
  if (environment?.sockets === 'node' && connections === 0) return []
  return [warning('node-sockets', { native, node, connections })]
}

module.exports = { findings }
