'use strict'

// Reads a dispatcher of undici.

const { show } = require('../../core/foreign-text')

/**
 * @param {unknown} given
 * @returns {unknown} a dispatcher, its factory, or the path of a module that exports either
 * @throws {TypeError}
 */
function parseDispatcher (given) {
  const isPath = typeof given === 'string' && given !== ''
  if (isPath || typeof given === 'function' || isDispatcher(given)) return given
  throw new TypeError('expected a dispatcher of undici, a function that makes one, or the absolute path of a module ' +
    `that exports one of these, got ${show(given)}`)
}

/** @param {any} given */
function isDispatcher (given) {
  return typeof given === 'object' && given !== null && typeof given.dispatch === 'function'
}

/**
 * @param {unknown} given a dispatcher, its factory, or the path of a module that exports either
 * @param {(path: string) => Promise<unknown>} load
 * @returns {Promise<import('undici').Dispatcher>} of this thread
 * @throws {TypeError} when it is none
 */
async function dispatcherOf (given, load) {
  const exported = typeof given === 'string' ? await load(given) : given
  const dispatcher = typeof exported === 'function' ? await exported() : exported
  if (!isDispatcher(dispatcher)) throw new TypeError(`expected a dispatcher of undici, got ${show(dispatcher)}`)
  return /** @type {any} */ (dispatcher)
}

module.exports = { dispatcherOf, parseDispatcher }
