'use strict'

// Owns the config file: JSON, or a module that exports options, with the paths in it made absolute.

const { readFileSync } = require('node:fs')
const { dirname, resolve } = require('node:path')
const { pathToFileURL } = require('node:url')
const { OptionsError } = require('../errors')
const { syntaxProblem } = require('../options/json')
const { moduleFile } = require('../options/module-file')
const { TABLE, byName } = require('../options/table')
const { suggest } = require('../options/validate')
const { show } = require('../units')

/** What makes sense on the command line only. */
const FLAGS_ONLY = new Set(['config', 'printConfig', 'onPort', 'help', 'version'])
const ALLOWED = TABLE.map(({ name }) => name).filter(name => !FLAGS_ONLY.has(name))

/** Types whose value is the path of a file. */
const PATHS = new Set(['file', 'files', 'hook', 'har', 'results'])

/**
 * @param {string} path
 * @returns {Promise<Record<string, any>>} raw options
 * @throws {OptionsError} with every problem of the file
 */
async function loadConfig (path) {
  const config = path.endsWith('.json') ? readJson(path) : await loadModule(path)
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new OptionsError([`the config '${path}' has to ${path.endsWith('.json') ? 'be' : 'export'} an object of options, got ${show(config)}`])
  }
  const problems = Object.keys(config).filter(name => !ALLOWED.includes(name)).map(name => FLAGS_ONLY.has(name)
    ? `the config '${path}': '${name}' can only be a flag`
    : `the config '${path}': unknown option '${name}'${suggest(name, ALLOWED)}`)
  if (problems.length > 0) throw new OptionsError(problems)
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, absolute(name, value, dirname(resolve(path)))]))
}

/** @param {string} path */
function readJson (path) {
  let text
  try {
    text = readFileSync(path, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    throw new OptionsError([`could not read the config '${path}': ${/** @type {Error} */ (error).message}`])
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new OptionsError([syntaxProblem(path, text, /** @type {Error} */ (error))])
  }
}

/** @param {string} path of a CommonJS or ES module */
async function loadModule (path) {
  let loaded
  try {
    loaded = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    const { message = String(error), stack = '' } = /** @type {Error} */ (Object(error))
    // Of a syntax error, the stack begins with where it is.
    const [, line] = /^(?:file:\/\/)?[^\n]+?:(\d+)\n/.exec(stack) ?? []
    throw new OptionsError([`could not load the config '${path}': ${message.split('\n')[0]}${line === undefined ? '' : `, line ${line}`}`])
  }
  // What TypeScript and Babel compile to CommonJS has its default export one level further down.
  const config = loaded.default?.__esModule ? loaded.default.default : loaded.default
  if (config === undefined) throw new OptionsError([`the config '${path}' has to export an object of options, by module.exports or as the default`])
  return config
}

/**
 * @param {string} name
 * @param {any} value
 * @param {string} folder where relative paths start
 * @returns {any}
 */
function absolute (name, value, folder) {
  const path = (/** @type {unknown} */ given) => typeof given === 'string' && given !== '' ? resolve(folder, given) : given
  const type = byName.get(name)?.type ?? ''
  if (name === 'socketPath') return /^[@\0]/.test(value) ? value : path(value)
  if (type === 'requests' && Array.isArray(value)) {
    return value.map(entry => typeof entry !== 'object' || entry === null
      ? entry
      : { ...entry, ...mapped(entry, ['setupRequest', 'onResponse', 'check'], path) })
  }
  if (type === 'form' && typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([field, given]) => [field, { ...given, ...mapped(Object(given), ['path'], path) }]))
  }
  if (type === 'form') return typeof value === 'string' && !value.trimStart().startsWith('{') ? path(value) : value
  return !PATHS.has(type) ? value : Array.isArray(value) ? value.map(path) : path(value)
}

/**
 * @param {Record<string, any>} object
 * @param {string[]} keys
 * @param {(value: unknown) => unknown} change
 */
function mapped (object, keys, change) {
  return Object.fromEntries(keys.filter(key => key in object).map(key => [key, change(object[key])]))
}

module.exports = { loadConfig }
