'use strict'

// Users that are functions: given as one, as the exports of its module, or as the path of that, the only form that
// reaches a worker thread.

const { HookError } = require('../../core/errors')
const { isRecord, printable, show } = require('../../core/foreign-text')
const { suggestOf } = require('../../core/suggest')

/** Further exports of a module with a user function. */
const OTHERS = ['setup', 'teardown', 'user']

/** The export of a module that is called where none is named. */
const MAIN = 'default'

/**
 * @typedef {object} UserModule
 * @property {Function} run
 * @property {Function | null} setup once, before the run
 * @property {Function | null} teardown once, after the load
 * @property {Function | null} user once for each user, before its first iteration
 * @property {string} [file] that it was loaded from
 */

/**
 * `-u` of curl has user and password: a text with a colon that is no path of a module.
 * @param {unknown} given
 * @returns {unknown} the same, or `{ credentials }`
 * @throws {TypeError}
 */
function parseUser (given) {
  if (typeof given === 'function' || isModule(given)) return given
  if (typeof given === 'string') {
    if (isModulePath(given)) return given
    if (/^[^:]+:/.test(given)) return { credentials: given }
    // Locust's -u; its value may be a password, so it is not shown.
    const users = /^\d{1,7}$/.test(given) ? `: virtual users (Locust) are connections here: -c ${given}` : ''
    throw new TypeError(`expected user:password, got something without a colon or a user${users}`)
  }
  throw new TypeError('expected an async function such as ({ http }) => http.get(\'/\'), ' +
    `or the path of a module that exports one, got ${show(given)}`)
}

/**
 * A password may end in .js as well: a name in front of a colon is no folder, but a letter may be a drive.
 * @param {string} text
 */
function isModulePath (text) {
  if (/^\.{0,2}\//.test(text)) return true
  return /\.[cm]?[jt]s$/.test(text) && !/^(?![a-z]:[\\/]|file:\/\/)[^/\\]+:/i.test(text)
}

/**
 * @param {unknown} given
 * @returns {string} the export of a module that is a user
 * @throws {TypeError}
 */
function parseExport (given) {
  if (typeof given === 'string' && /^[\p{L}_$][\p{L}\d_$]*$/u.test(given) && ![...OTHERS, 'options'].includes(given)) {
    return given
  }
  throw new TypeError(`expected the name of a function that the module exports, such as checkout, got ${show(given)}`)
}

/**
 * A user of a scenario has no credentials of its own.
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
 * @param {any} given as `parseUser` takes it
 * @param {Promise<unknown>} late resolves when a module that is not loaded by then never will be
 * @param {string | null} [name] of the export that is the function
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
    // The caller may have Node.js show the line.
    throw error instanceof SyntaxError && place === '' ? Object.assign(failure, { unread: file }) : failure
  }
  return { ...moduleOf(exported, `the module '${given}'`, given, name ?? MAIN), file }
}

/**
 * @param {any} exported
 * @param {string} what it is
 * @param {string | null} path of it; null for exports that a program has loaded
 * @param {string} main the export that is the function of a user
 * @returns {UserModule}
 * @throws {HookError}
 */
function moduleOf (exported, what, path, main) {
  // The exports of CommonJS are the default of a namespace, which has their names as well where these can be seen.
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

/** @param {string[]} functions that a module exports by name @returns {string} how they become users; empty for none */
function byName (functions) {
  if (functions.length === 0) return ''
  const entries = functions.slice(0, 3).map(name => `{ exec: '${printable(name)}' }`)
  return `: exec names ${functions.length === 1 ? 'it' : 'them'}, as in export const options = ` +
    `{ scenarios: [${entries.join(', ')}] }`
}

/**
 * @param {any} error of a module that could not be loaded
 * @returns {string} the line of a syntax error, with which the stack of one in CommonJS begins
 */
function placeOf (error) {
  if (!(error instanceof SyntaxError)) return ''
  const [, line] = /^(?:file:\/\/)?[^\n]+?:(\d+)\n/.exec(String(error.stack)) ?? []
  return line === undefined ? '' : `, line ${line}`
}

module.exports = { isModulePath, loadUser, parseExport, parseFunction, parseUser, placeOf }
