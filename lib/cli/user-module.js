'use strict'

// `autocannon run FILE URL`: a module with a user function, whose export `options` is a config.

const { dirname, resolve } = require('node:path')
const { OptionsError } = require('../core/errors')
const { isRecord, show } = require('../core/foreign-text')
const { isModulePath } = require('../options/users/functions')
const { configValues } = require('../options/config-values')
const { TABLE } = require('../options/table')
const { schemaOf } = require('../options/vocabulary')
const { loadNamespace, moduleFile } = require('../options/requests/module-file')
const { placeOf } = require('../requests/place')
const { suggest } = require('../core/suggest')
const { readingOf } = require('./k6-options')
const { syntaxLine } = require('./syntax-line')

/** How long the module may take to load, ms. */
const LOAD_TIMEOUT = 30_000

/**
 * @param {string[]} argv behind `run`
 * @returns {{ file: string, argv: string[] }} the module, and what is left
 * @throws {OptionsError}
 */
function moduleIn (argv) {
  const at = argv.findIndex(arg => !arg.startsWith('-') && isModulePath(arg) && !arg.includes('://'))
  const end = argv.indexOf('--')
  if (at === -1 || (end !== -1 && at > end)) {
    throw new OptionsError(['run needs the module of a user function, which ends in .js, .mjs, .cjs or .ts, such as: ' +
      'autocannon run shop.mjs http://localhost:3000'])
  }
  return { file: argv[at], argv: argv.toSpliced(at, 1) }
}

/**
 * @param {string} file
 * @returns {Promise<{ options: Record<string, any>, notes: string[] }>} of the run: those that the module exports, and
 *   the module itself as `user`; a sentence for each that is read in the form of k6
 * @throws {OptionsError}
 */
async function optionsOf (file) {
  const exported = await load(file)
  const given = exported.options ?? exported.default?.options ?? {}
  if (!isRecord(given)) {
    throw new OptionsError([`the module '${file}' exports options that are no object, got ${show(given)}`])
  }
  const { options, notes, problems } = readingOf(given)
  const { value, strange } = configValues(options, schemaOf(TABLE), {
    folder: dirname(resolve(file)), hasPatterns: false
  })
  const all = [
    ...problems,
    ...strange.map(({ place, key, known }) => `the options of '${file}': unknown key ` +
      `${show(`${place.slice(1)}${place === '' ? key : placeOf(key)}`)}${suggest(key, known)}`)
  ]
  if (all.length > 0) throw new OptionsError(all)
  return { options: { ...value, user: file }, notes }
}

/** @param {string} file */
async function load (file) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const late = new Promise((resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error('it does not finish loading: is there an await in it that never ends?')), LOAD_TIMEOUT
    )
  })
  try {
    return await Promise.race([loadNamespace(moduleFile(file)), late])
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    if (/^Cannot find (package|module) 'k6\b/.test(message)) {
      throw new OptionsError([`the module '${file}' is a script of k6, which does not run here: ` +
        'its options are read, ' +
        'and its requests are written with the http that a user function is given (docs/user-functions.md)'])
    }
    const line = error instanceof SyntaxError ? syntaxLine(moduleFile(file)) : ''
    throw new OptionsError([
      `could not load the module '${file}': ${String(message).split('\n')[0]}${line}`
    ])
  } finally {
    clearTimeout(timer)
  }
}

module.exports = { moduleIn, optionsOf }
