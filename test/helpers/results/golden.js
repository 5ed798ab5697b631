'use strict'

// Texts byte by byte, as the files of test/golden have them. After a change that is meant, UPDATE_GOLDEN=1 writes them; read the diff.

const { existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')

/**
 * @param {{ equal: Function, fail: Function }} t
 * @param {string} name of the file, such as text/normal.txt
 * @param {string} text
 */
function golden (t, name, text) {
  const file = path.join(__dirname, '../../golden', name)
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  if (!existsSync(file)) return t.fail(`there is no ${file}: run with UPDATE_GOLDEN=1 to write it`)
  t.equal(text, readFileSync(file, 'utf8'), name)
}

module.exports = { golden }
