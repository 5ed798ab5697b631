'use strict'

// The limit of open files of this process. Node.js does not report it.

const { execFileSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { tryOr } = require('../core/try-or')

/** @returns {number | null} null where there is no limit, or it can't be known */
function openFileLimit () {
  return tryOr(null, () => {
    const text = process.platform === 'linux'
      ? /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1]
      : execFileSync('/bin/sh', ['-c', 'ulimit -n'], { encoding: 'latin1', stdio: ['ignore', 'pipe', 'ignore'] })
    const limit = Number(text)
    return Number.isNaN(limit) ? null : limit
  })
}

module.exports = { openFileLimit }
