'use strict'

const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')

/**
 * A Unix socket's path has at most 108 bytes (sun_path in unix(7)), which that of t.testdir() exceeds where the
 * checkout is in a folder with a long name.
 * @param {{ teardown: (remove: () => void) => void }} t
 * @returns {string} a folder with a short name, which goes with the test
 */
function shortFolder (t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'ac-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

module.exports = { shortFolder }
