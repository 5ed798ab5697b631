'use strict'

// Loads hooks: functions, or paths of modules that export one. Only a path can be sent to a worker thread.

const { HookError } = require('../../core/errors')
const { USER, changeHooks } = require('./hook-places')

/**
 * @param {import('../plan').Plan} plan
 * @param {Promise<unknown>} late resolves at the limit of time for loading modules
 * @returns {Promise<import('../plan').Plan>} with functions instead of paths
 * @throws {HookError}
 */
async function loadHooks (plan, late) {
  /** @type {Map<string, Promise<Function>>} by path: many requests and URLs may have the same hook */
  const loading = new Map()
  const loaded = await changeHooks(plan, (name, hook, exec) => {
    if (name === 'dispatcher') return loadDispatcher(hook, late)
    // Lazy, for runs with user functions.
    if (name === USER) return require('../users/functions').loadUser(hook, late, exec)
    if (typeof hook !== 'string') return hook
    if (!loading.has(hook)) loading.set(hook, Promise.race([loadModule(name, hook), tooLate(name, hook, late)]))
    return loading.get(hook)
  })
  return loaded.users === null ? loaded : require('../users/async-hooks').withAsyncHooks(loaded)
}

/**
 * @throws {HookError}
 * @type {(name: string, path: string) => Promise<Function>}
 */
async function loadModule (name, path) {
  const { loadDefault, moduleFile } = require('./module-file')
  const file = moduleFile(path)
  if (file.endsWith('.json')) {
    throw HookError.notLoaded(path, `${name}: the module '${path}' is JSON: a module that exports a function is needed`)
  }
  let hookFunction
  try {
    hookFunction = await loadDefault(file)
  } catch (error) {
    throw HookError.notLoaded(
      path, `${name}: could not load the module '${path}': ${HookError.wordsOf(error)}`, error)
  }
  if (typeof hookFunction !== 'function') {
    throw HookError.notLoaded(
      path, `${name}: the module '${path}' has to export a function, by module.exports or as the default`)
  }
  return hookFunction
}

/**
 * @throws {HookError}
 * @type {(given: unknown, late: Promise<unknown>) => Promise<import('undici').Dispatcher>}
 */
async function loadDispatcher (given, late) {
  const name = typeof given === 'string' ? `the module '${given}'` : 'it'
  try {
    const { loadDefault, moduleFile } = require('./module-file')
    const made = require('./dispatcher').dispatcherOf(given, path => loadDefault(moduleFile(path)))
    return await Promise.race([made, late.then(() => { throw new Error('it takes too long') })])
  } catch (error) {
    throw new HookError(`dispatcher: ${name} gives none: ${HookError.wordsOf(error)}`, error)
  }
}

/** @type {(name: string, path: string, late: Promise<unknown>) => Promise<never>} */
async function tooLate (name, path, late) {
  await late
  throw HookError.notLoaded(
    path, `${name}: the module '${path}' does not finish loading: is there an await in it that never ends?`)
}

module.exports = { loadHooks }
