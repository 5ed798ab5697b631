'use strict'

// Owns the functions that users plug into a run: given as they are, or as the path of a module that exports one, which is
// the only form that reaches a worker thread.

const { pathToFileURL } = require('node:url')
const { HookError } = require('../errors')
const { moduleFile } = require('./module-file')

/**
 * @typedef {object} Hooks functions at the place where the load is made
 * @property {((client: import('../response/client').Client) => void) | undefined} setupClient
 * @property {((body: string, context: Record<string, any>) => unknown) | undefined} verifyBody
 * @property {import('../response/examiner').Check} [check]
 * @property {Array<import('../scenario/compiled-scenario').RequestHooks & { check?: import('../response/examiner').Check }>} requests in the
 *   order of the requests
 */

/**
 * @param {import('./plan').Plan['hooks']} hooks functions or paths
 * @param {Promise<unknown>} late resolves when a module that is not loaded by then never will be
 * @returns {Promise<Hooks>}
 * @throws {HookError}
 */
async function loadHooks ({ setupClient, verifyBody, check, requests }, late) {
  /**
   * @param {string} name
   * @param {unknown} hook
   */
  const load = (name, hook) => typeof hook !== 'string' ? hook : Promise.race([loadModule(name, hook), tooLate(name, hook, late)])
  return {
    setupClient: /** @type {any} */ (await load('setupClient', setupClient)),
    verifyBody: /** @type {any} */ (await load('verifyBody', verifyBody)),
    check: /** @type {any} */ (await load('check', check)),
    requests: await Promise.all(requests.map(async ({ setupRequest, onResponse, check }, i) => ({
      setupRequest: /** @type {any} */ (await load(`setupRequest of request ${i}`, setupRequest)),
      onResponse: /** @type {any} */ (await load(`onResponse of request ${i}`, onResponse)),
      check: /** @type {any} */ (await load(`check of request ${i}`, check))
    })))
  }
}

/**
 * @param {string} name
 * @param {string} path
 * @returns {Promise<Function>}
 * @throws {HookError}
 */
async function loadModule (name, path) {
  const file = moduleFile(path)
  if (file.endsWith('.json')) throw new HookError(`${name}: the module '${path}' is JSON: a module that exports a function is needed`)
  let hookFunction
  try {
    const loaded = await import(pathToFileURL(file).href)
    // What TypeScript and Babel compile to CommonJS has its default export one level further down.
    hookFunction = loaded.default?.default ?? loaded.default
  } catch (error) {
    throw new HookError(`${name}: could not load the module '${path}': ${HookError.wordsOf(error)}`, error)
  }
  if (typeof hookFunction !== 'function') throw new HookError(`${name}: the module '${path}' has to export a function, by module.exports or as the default`)
  return hookFunction
}

/**
 * @param {string} name
 * @param {string} path
 * @param {Promise<unknown>} late
 * @returns {Promise<never>}
 */
async function tooLate (name, path, late) {
  await late
  throw new HookError(`${name}: the module '${path}' does not finish loading: is there an await in it that never ends?`)
}

module.exports = { loadHooks }
