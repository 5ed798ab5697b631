'use strict'

// Loaded by `node --require`: the process is one in which the optional package cheerio is not installed.

const Module = /** @type {any} */ (require('node:module'))

const resolve = Module._resolveFilename
Module._resolveFilename = (/** @type {string} */ name, /** @type {unknown[]} */ ...others) => {
  if (name === 'cheerio') throw Object.assign(new Error("Cannot find module 'cheerio'"), { code: 'MODULE_NOT_FOUND' })
  return resolve.call(Module, name, ...others)
}
