'use strict'

// The line of a syntax error in an ES module, which Node.js reports only when the error ends a process.

const { spawnSync } = require('node:child_process')

/** ms */
const LONGEST = 5000

/**
 * @param {string} file that could not be loaded
 * @returns {string} such as `, line 2`; empty where the error is in another file
 */
function syntaxLine (file) {
  const { stderr } = spawnSync(process.execPath, ['--check', file], {
    encoding: 'utf8', timeout: LONGEST, windowsHide: true
  })
  const [, line] = /^(?:file:\/\/)?[^\n]+?:(\d+)\n/.exec(stderr ?? '') ?? []
  return line === undefined ? '' : `, line ${line}`
}

module.exports = { syntaxLine }
