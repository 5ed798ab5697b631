'use strict'

// The line about the machine of the load generator and its settings, on which figures depend.

const { formatRate } = require('../core/units')

/** @param {Record<string, any>} result @returns {string | null} null without an environment */
function machineSentence ({ environment, rate, sockets: used }) {
  if (environment?.cores === undefined) return null
  const { cpu, cores, governor, quota, virtualization } = environment
  const sockets = used?.native === 0 ? 'node' : environment.sockets
  return [
    `Load generated on ${cores} ${cores === 1 ? 'core' : 'cores'}${cpu == null ? '' : ` (${cpu})`}`,
    ...virtualization == null ? [] : [virtualization],
    ...quota == null ? [] : [`CPU quota ${formatRate(quota)} cores`],
    ...governor == null ? [] : [`CPU governor ${governor}`],
    ...sockets === undefined ? [] : [`${sockets === 'native' ? 'native' : 'Node.js'} sockets`],
    ...rate?.pace === undefined ? [] : [`pace ${rate.pace}`]
  ].join(', ') + '.'
}

module.exports = { machineSentence }
