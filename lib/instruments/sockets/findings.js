'use strict'

// Finds sockets of Node.js in a run with native ones.

/** @param {Record<string, any>} result @returns {import('../../findings/findings').Finding[]} */
function findings ({ environment, sockets: { native, node, reasons } }) {
  const connections = reasons
    .reduce((/** @type {number} */ sum, /** @type {any} */ reason) => sum + reason.connections, 0)
  // All of them, which the header says before the run.
  if (environment?.sockets === 'node' && connections === 0) return []
  return [{ code: 'node-sockets', severity: 'warning', facts: { native, node, connections } }]
}

module.exports = { findings }
