'use strict'

// Reads and loads user functions: a function, the exports of a module, or its path. Only a path can be sent to a worker
// thread.

const { HookError } = require('../../core/errors')
const { isRecord, printable, show } = require('../../core/foreign-text')
const { suggestOf } = require('../../core/suggest')

/** Further exports of a module with a user function. */
const OTHERS = ['setup', 'teardown', 'user']

/** The export that is used by default. */
const MAIN = 'default'

/**
 * @typedef {object} UserModule
 * @property {Function} run
 * @property {Function | null} setup once, before the run
 * @property {Function | null} teardown once, after the load
 * @property {Function | null} user once for each user, before its first iteration
 * @property {string} [file] the loaded file
 */

/**
 * Reads `-u`. As in curl it may be user and password: a text with a colon that is no path of a module.
 * @param {unknown} given
 * @returns {unknown} the user function, or `{ credentials }`
 * @throws {TypeError}
 */
function parseUser (given) {
  if (typeof given === 'function' || isModule(given)) return given
  if (typeof given === 'string') {
    if (isModulePath(given)) return given
    if (/^[^:]+:/.test(given)) return { credentials: given }
    // In Locust, -u is the number of users. Other values may be a password, so they are not shown.
    const users = /^\d{1,7}$/.test(given) ? `: virtual users (Locust) are connections here: -c ${given}` : ''
    throw new TypeError(`expected user:password, got something without a colon or a user${users}`)
  }
  throw new TypeError('expected an async function such as ({ http }) => http.get(\'/\'), ' +
    `or the path of a module that exports one, got ${show(given)}`)
}

/**
 * Returns whether the text is the path of a module. A password may end in .js, too: text before a colon is a user name,
 * unless it is a drive letter.
 * @param {string} text
 */
function isModulePath (text) {
  if (/^\.{0,2}\//.test(text)) return true
  return /\.[cm]?[jt]s$/.test(text) && !/^(?![a-z]:[\\/]|file:\/\/)[^/\\]+:/i.test(text)
}

/**
 * @param {unknown} given
 * @returns {string} the name of an export that is a user function
 * @throws {TypeError}
 */
function parseExport (given) {
  if (typeof given === 'string' && /^[\p{L}_$][\p{L}\d_$]*$/u.test(given) && ![...OTHERS, 'options'].includes(given)) {
    return given
  }
  throw new TypeError(`expected the name of a function that the module exports, such as checkout, got ${show(given)}`)
}

/**
 * Reads the user function of a scenario, which cannot be credentials.
 * @param {unknown} given
 * @param {unknown} [name] of the export
 * @throws {TypeError}
 */
function parseFunction (given, name) {
  if (name !== undefined && name !== null && typeof given !== 'string') {
    if (isRecord(given) && typeof given[String(name)] === 'function') return given
    throw new TypeError('expected the path of a module, or its exports, one of which exec names, got ' +
      `${isRecord(given) ? `exports without ${show(name)}` : show(given)}`)
  }
  if (typeof given === 'string' && !isModulePath(given)) {
    throw new TypeError(`expected the path of a module, such as ./buy.mjs, got ${show(given)}`)
  }
  return parseUser(given)
}

/** @param {unknown} given */
function isModule (given) {
  return typeof given === 'object' && given !== null && typeof (/** @type {any} */ (given).default) === 'function'
}

/**
 * @param {any} given as for `parseUser`
 * @param {Promise<unknown>} late resolves at the limit of time for loading modules
 * @param {string | null} [name] of the export with the function
 * @returns {Promise<UserModule>}
 * @throws {HookError}
 */
async function loadUser (given, late, name = null) {
  if (typeof given === 'function') return { run: given, setup: null, teardown: null, user: null }
  if (typeof given !== 'string') return moduleOf(given, 'the module', null, name ?? MAIN)
  const { loadNamespace, moduleFile } = require('../requests/module-file')
  const file = moduleFile(given)
  if (file.endsWith('.json')) {
    throw HookError.notLoaded(given, `user: the module '${given}' is JSON: a module that exports a function is needed`)
  }
  let exported
  try {
    exported = await Promise.race([loadNamespace(file), late.then(() => { throw new HookError('') })])
  } catch (error) {
    if (error instanceof HookError) {
      throw HookError.notLoaded(
        given, `user: the module '${given}' does not finish loading: is there an await in it that never ends?`
      )
    }
    const place = placeOf(error)
    const message = `user: could not load the module '${given}': ${HookError.wordsOf(error)}${place}`
    const failure = HookError.notLoaded(given, message, error)
    // With `unread`, the caller can let Node.js show the line.
    throw error instanceof SyntaxError && place === '' ? Object.assign(failure, { unread: file }) : failure
  }
  return { ...moduleOf(exported, `the module '${given}'`, given, name ?? MAIN), file }
}

/**
 * @param {any} exported
 * @param {string} what it is
 * @param {string | null} path its path; null for exports of a program
 * @param {string} main the name of the export with the user function
 * @returns {UserModule}
 * @throws {HookError}
 */
function moduleOf (exported, what, path, main) {
  // Exports of CommonJS are the default of the namespace; Node.js detects only some of their names.
  const inner = exported.default
  const all = isRecord(inner) || (typeof inner === 'function' && [main, ...OTHERS].some(name => name in inner))
    ? { ...exported, ...inner, default: inner.default ?? inner }
    : exported
  if (typeof all[main] !== 'function') {
    const names = Object.keys(all).filter(name => name !== MAIN && name !== 'module.exports')
    const others = names.length === 0 ? 'no exports' : `only ${names.slice(0, 5).map(printable).join(', ')}`
    const functions = names.filter(name => typeof all[name] === 'function' && !OTHERS.includes(name))
    if (main !== MAIN) {
      throw HookError.notLoaded(path, `exec: ${what} exports no function ${show(main)}${suggestOf(main, functions)}`)
    }
    throw HookError.notLoaded(path, `user: ${what} has to export the function of a user as its default, got ` +
      (all.default === undefined ? others : show(all.default)) + byName(functions))
  }
  const others = OTHERS.map(name => {
    const value = all[name] ?? null
    if (value !== null && typeof value !== 'function') {
      throw HookError.notLoaded(
        path, `user: ${what} exports ${name}, which has to be a function, got ${show(value)}`)
    }
    return [name, value]
  })
  return { run: all[main], ...(Object.fromEntries(others)) }
}

/**
 * @param {string[]} functions named exports that are functions
 * @returns {string} advice to select one by name; empty for none
 */
function byName (functions) {
  if (functions.length === 0) return ''
  const entries = functions.slice(0, 3).map(name => `{ exec: '${printable(name)}' }`)
  return `: exec names ${functions.length === 1 ? 'it' : 'them'}, as in export const options = ` +
    `{ scenarios: [${entries.join(', ')}] }`
}

/**
 * @param {any} error of a failed import
 * @returns {string} the line of a syntax error in CommonJS, from its stack; empty otherwise
 */
function placeOf (error) {
  if (!(error instanceof SyntaxError)) return ''
  const [, line] = /^(?:file:\/\/)?[^\n]+?:(\d+)\n/.exec(String(error.stack)) ?? []
  return line === undefined ? '' : `, line ${line}`
}

module.exports = { isModulePath, loadUser, parseExport, parseFunction, parseUser, placeOf }
