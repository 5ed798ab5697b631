'use strict'

// Reads a small file of the system, which may be missing.

const { readFileSync } = require('node:fs')
const { tryOr } = require('../core/try-or')

/** @type {import('./cgroup').Read} */
const read = path => tryOr(null, () => readFileSync(path, 'latin1'))

module.exports = { read }
