'use strict'

// Users that are functions: given as one, as the exports of its module, or as the path of that, the only form that
// reaches a worker thread.

const { HookError } = require('../../core/errors')
const { isRecord, printable, show } = require('../../core/foreign-text')

/** Further exports of a module with a user function. */
const OTHERS = ['setup', 'teardown', 'user']

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
 * A user of a scenario has no credentials of its own.
 * @param {unknown} given
 * @throws {TypeError}
 */
function parseFunction (given) {
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
 * @returns {Promise<UserModule>}
 * @throws {HookError}
 */
async function loadUser (given, late) {
  if (typeof given === 'function') return { run: given, setup: null, teardown: null, user: null }
  if (typeof given !== 'string') return moduleOf(given, 'the module', null)
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
  return { ...moduleOf(exported, `the module '${given}'`, given), file }
}

/**
 * @param {any} exported
 * @param {string} what it is
 * @param {string | null} path of it; null for exports that a program has loaded
 * @returns {UserModule}
 * @throws {HookError}
 */
function moduleOf (exported, what, path) {
  // The exports of CommonJS are the default of a namespace, which has their names as well where these can be seen.
  const inner = exported.default
  const all = isRecord(inner) || (typeof inner === 'function' && OTHERS.some(name => name in inner))
    ? { ...exported, ...inner, default: inner.default ?? inner }
    : exported
  if (typeof all.default !== 'function') {
    const names = Object.keys(exported).filter(name => name !== 'default' && name !== 'module.exports')
    const others = names.length === 0 ? 'no exports' : `only ${names.slice(0, 5).map(printable).join(', ')}`
    throw HookError.notLoaded(path, `user: ${what} has to export the function of a user as its default, got ` +
      `${all.default === undefined ? others : show(all.default)}`)
  }
  const others = OTHERS.map(name => {
    const value = all[name] ?? null
    if (value !== null && typeof value !== 'function') {
      throw HookError.notLoaded(
        path, `user: ${what} exports ${name}, which has to be a function, got ${show(value)}`)
    }
    return [name, value]
  })
  return { run: all.default, ...(Object.fromEntries(others)) }
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

module.exports = { isModulePath, loadUser, parseFunction, parseUser, placeOf }
