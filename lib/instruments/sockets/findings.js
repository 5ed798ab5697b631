'use strict'

// Finds sockets of Node.js in a run that was to use native ones.

const { warning } = require('../../core/finding')
const { sumOf } = require('../../core/statistics')

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings ({ environment, sockets: { native, node, reasons } }) {
  const connections = sumOf(reasons, reason => reason.connections)
  // If all of them are, the header of the run has said so.
  if (environment?.sockets === 'node' && connections === 0) return []
  return [warning('node-sockets', { native, node, connections })]
}

module.exports = { findings }
