'use strict'

// Owns the functions that users plug into a run: given as they are, or as the path of a module that exports one, which is
// the only form that reaches a worker thread.

const { pathToFileURL } = require('node:url')
const { resolve } = require('node:path')
const { HookError } = require('../errors')

/**
 * @typedef {object} Hooks functions at the place where the load is made
 * @property {((client: import('../http1/client').Client) => void) | undefined} setupClient
 * @property {((body: string, context: Record<string, any>) => unknown) | undefined} verifyBody
 * @property {import('../request/script').RequestHooks[]} requests in the order of the requests
 */

/**
 * @param {import('./plan').Plan['hooks']} hooks functions or paths
 * @returns {Promise<Hooks>}
 * @throws {HookError}
 */
async function loadHooks ({ setupClient, verifyBody, requests }) {
  return {
    setupClient: await load('setupClient', setupClient),
    verifyBody: await load('verifyBody', verifyBody),
    requests: await Promise.all(requests.map(async ({ setupRequest, onResponse }, i) => ({
      setupRequest: await load(`setupRequest of request ${i}`, setupRequest),
      onResponse: await load(`onResponse of request ${i}`, onResponse)
    })))
  }
}

/**
 * @param {string} name
 * @param {unknown} hook
 * @returns {Promise<any>} a function, or undefined when there is none
 */
async function load (name, hook) {
  if (typeof hook !== 'string') return hook
  let loaded
  try {
    loaded = await import(pathToFileURL(resolve(hook)).href)
  } catch (error) {
    throw new HookError(`${name}: could not load the module '${hook}': ${/** @type {Error} */ (error)?.message ?? error}`, error)
  }
  // What TypeScript and Babel compile to CommonJS has its default export one level further down.
  const hookFunction = loaded.default?.default ?? loaded.default
  if (typeof hookFunction !== 'function') throw new HookError(`${name}: the module '${hook}' has to export a function, by module.exports or as the default`)
  return hookFunction
}

module.exports = { loadHooks }
