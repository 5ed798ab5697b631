'use strict'

// Modules that users name by path: the file that require() finds with or without its extension, and its exports.

const { resolve } = require('node:path')
const { pathToFileURL } = require('node:url')
const { printable } = require('../../core/foreign-text')

/**
 * Finds the file of a module: `/path/to/hook` is hook.js, hook.json or hook/index.js. Other extensions have to be
 * given, as for require().
 * @param {string} path relative paths start at the working directory
 * @returns {string} the absolute path of the file; the given name if there is no such file, so that the error on
 *   loading shows it
 */
function moduleFile (path) {
  // resolve() drops the slash that distinguishes a folder from a file of the same name.
  const resolved = resolve(path) + (/[/\\]$/.test(path) ? '/' : '')
  try {
    return require.resolve(resolved)
  } catch {
    return resolved
  }
}

/** The end of Node.js's message about a missing module. */
const IMPORTED_HERE = ` imported from ${__filename}`

const NO_TYPES = 'this Node.js does not read TypeScript: use Node.js 22.18 or later, or without workers a loader ' +
  "(NODE_OPTIONS='--import tsx'), or write JavaScript or YAML"

/** The limit of reported properties that a module adds to all objects. */
const MOST = 3

/** @returns {string[]} enumerable properties of every object */
function inherited () {
  const names = []
  for (const name in {}) names.push(name)
  return names
}

/**
 * Libraries read options from plain objects, where inherited properties such as `path` or `domain` would count as
 * options.
 * @param {string[]} before inherited properties before the import
 * @throws {TypeError} if a module has added properties; they are removed before, so that the error can be reported
 */
function refuseInherited (before) {
  const added = inherited().filter(name => !before.includes(name))
  if (added.length === 0) return
  for (const name of added) Reflect.deleteProperty(Object.prototype, name)
  const more = added.length > MOST ? ` and ${added.length - MOST} more` : ''
  throw new TypeError(`it adds ${added.slice(0, MOST).map(printable).join(', ')}${more} to Object.prototype, ` +
    'which every object has then, also those of libraries: leave Object.prototype as it is')
}

/**
 * @param {string} file of a CommonJS or ES module
 * @returns {Promise<any>} its module.exports or default export
 */
async function loadDefault (file) {
  const { default: exported } = await loadNamespace(file)
  // TypeScript and Babel compile the default export to CommonJS one level further down.
  return exported?.default ?? exported
}

/**
 * @param {string} file of a CommonJS or ES module
 * @returns {Promise<any>} all exports by name
 */
async function loadNamespace (file) {
  const before = inherited()
  const exported = await imported(file)
  refuseInherited(before)
  return exported
}

/** @param {string} file */
function imported (file) {
  return import(pathToFileURL(file).href).catch(error => {
    if (error?.code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw new TypeError(/\.[cm]?ts$/.test(file)
        ? NO_TYPES
        : 'expected a file that ends in .js, .mjs, .cjs or .ts, ' +
        'a config also in .yaml, .yml or .json')
    }
    if (error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT') {
      throw new TypeError('expected a file, got a folder without an index.js')
    }
    // The end of the message names this file, which means nothing to users. A failed import inside of the module names
    // another file.
    if (error?.code === 'ERR_MODULE_NOT_FOUND' && error.message.endsWith(IMPORTED_HERE)) {
      throw new TypeError(error.message.slice(0, -IMPORTED_HERE.length))
    }
    throw error
  })
}

module.exports = { loadDefault, loadNamespace, moduleFile }
