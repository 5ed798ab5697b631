'use strict'

// Reads a small file of the system, which may be missing.

const { readFileSync } = require('node:fs')

/** @type {import('./cgroup').Read} */
function read (path) {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}

module.exports = { read }
