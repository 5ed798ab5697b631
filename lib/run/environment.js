'use strict'

// Owns what a result says of where it was measured: versions and machine.

const os = require('node:os')
const { version } = require('../../package.json')

/** @returns {{ autocannon: string, node: string, platform: string, cpu: string, cores: number }} */
function environment () {
  const cpus = os.cpus()
  return {
    autocannon: version,
    node: process.version,
    platform: `${os.platform()} ${os.release()} ${os.arch()}`,
    cpu: cpus[0]?.model.trim() || 'unknown',
    cores: os.availableParallelism()
  }
}

module.exports = { environment }
