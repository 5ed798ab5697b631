'use strict'

// The environment of a measurement for its result: versions and machine.

const os = require('node:os')
const { machineOf } = require('../machine/machine')
const { read } = require('../machine/read')
const { version } = require('../../package.json')

/**
 * @returns {{ autocannon: string, node: string, platform: string, cpu: string, cores: number } &
 *   import('../machine/machine').Machine}
 */
function environment () {
  const cpus = os.cpus()
  return {
    autocannon: version,
    node: process.version,
    platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    cpu: cpus[0]?.model.trim() || 'unknown',
    cores: os.availableParallelism(),
    ...machineOf(read)
  }
}

module.exports = { environment }
