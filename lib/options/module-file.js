'use strict'

// Owns which file a module is that users name by its path: the one that require() finds, with or without its ending.

const { resolve } = require('node:path')

/**
 * `/path/to/hook` is hook.js, hook.json or hook/index.js. ES modules other than .js are named with their ending, as for require().
 * @param {string} path relative paths start at the working directory
 * @returns {string} the absolute path of the file; of the module as it was named when there is none, so that whoever loads it says so
 */
function moduleFile (path) {
  // resolve() drops the slash that tells a folder from a file of the same name.
  const asked = resolve(path) + (/[/\\]$/.test(path) ? '/' : '')
  try {
    return require.resolve(asked)
  } catch {
    return asked
  }
}

module.exports = { moduleFile }
