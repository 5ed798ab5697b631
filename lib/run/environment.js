'use strict'

// The environment of a measurement for its result: versions, machine, and the limit of open files.

const { readFileSync } = require('node:fs')
const os = require('node:os')
const { tryOr } = require('../core/try-or')
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

/** Node.js does not report it. @returns {number | null} the limit; null without a limit, or if it is unknown */
function openFileLimit () {
  return tryOr(null, () => {
    const text = process.platform === 'linux'
      ? /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
      : require('node:child_process').execFileSync('/bin/sh', ['-c', 'ulimit -n'], {
        encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore']
      })
    const limit = Number(text)
    return Number.isNaN(limit) ? null : limit
  })
}

module.exports = { environment, openFileLimit }
