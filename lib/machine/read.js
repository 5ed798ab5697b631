'use strict'

// Owns how a small file of the system is read: there may be none.

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
