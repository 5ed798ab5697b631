'use strict'

// `autocannon run FILE URL`: a module with a user function. Its export `options` is a config.

const { readFileSync } = require('node:fs')
const { dirname, resolve } = require('node:path')
const { HookError, OptionsError } = require('../../core/errors')
const { isRecord, printable, show } = require('../../core/foreign-text')
const { isModulePath, placeOf: placeOfSyntax } = require('../../options/users/functions')
const { configValues } = require('../../options/config-values')
const { TABLE } = require('../../options/table')
const { schemaOf } = require('../../options/config-schema')
const { loadNamespace, moduleFile } = require('../../options/requests/module-file')
const { withTimeout } = require('../../core/timers')
const { tryOr } = require('../../core/try-or')
const { suggest } = require('../../core/suggest')
const { hintOn } = require('./foreign-options')
const { readingOf } = require('./k6-options')
const { syntaxLine } = require('./syntax-line')

/** @typedef {import('./k6-options').Note} Note */

/** How long the module may take to load, ms. */
const LOAD_TIMEOUT = 30_000
/** After this time a notice shows what the module waits for, ms. */
const SLOW = 5000

/**
 * @param {string[]} argv after `run`
 * @returns {{ file: string, argv: string[] }} the module, and the other arguments
 * @throws {OptionsError}
 */
function moduleIn (argv) {
  const end = argv.indexOf('--')
  const words = end === -1 ? argv : argv.slice(0, end)
  // A word after a flag may be the value of the flag.
  const alone = words.findIndex((arg, i) => isModule(arg) && !words[i - 1]?.startsWith('-'))
  const at = alone === -1 ? words.findIndex(arg => isModule(arg) && NAMED.test(arg)) : alone
  if (at === -1) {
    const config = words.find((arg, i) => CONFIG.test(arg) && !words[i - 1]?.startsWith('-'))
    if (config !== undefined) {
      throw new OptionsError([`run needs the module of a user function, and ${show(config)} is a config: ` +
        `autocannon --config ${printable(config.slice(0, 60))}`])
    }
    throw new OptionsError(['run needs the module of a user function, which ends in .js, .mjs, .cjs, .ts or .mts, ' +
      'such as: autocannon run shop.mjs http://localhost:3000'])
  }
  const next = words[at + 1]
  if (next !== undefined && isModule(next) && NAMED.test(next)) {
    throw new OptionsError([`run takes one module, got ${show(argv[at])} and ${show(next)}: several are users of ` +
      'scenarios in a config (docs/user-functions.md)'])
  }
  return { file: argv[at], argv: argv.toSpliced(at, 1) }
}

/** A path without a file extension may be a path of the server. */
const NAMED = /\.[cm]?[jt]s$/

const CONFIG = /^[^:-][^:]*\.(ya?ml|json)$/i

/** @param {string} arg */
const isModule = arg => !arg.startsWith('-') && !CONFIG.test(arg) && isModulePath(arg) && !arg.includes('://')

/**
 * @param {string} file
 * @param {(sentence: string) => void} notice
 * @returns {Promise<{ options: Record<string, any>, notes: Note[] }>} options: the exported ones, and the module itself
 *   as `user`; notes: a sentence for each option in the form of k6
 * @throws {OptionsError}
 */
async function optionsOf (file, notice) {
  const exported = await load(file, notice)
  return OptionsError.reading(`the options of '${file}'`, () => readOptions(file, exported))
}

/** @type {(file: string, exported: any) => { options: Record<string, any>, notes: Note[] }} */
function readOptions (file, exported) {
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
    ...strange.map(({ place, key, known }) => `the options of '${file}': unknown key ${show(key)}` +
      `${place === '' ? '' : ` in ${place.slice(1)}`}${hintFor(place, key, known)}`)
  ]
  if (all.length > 0) throw new OptionsError(all)
  if (typeof exported.handleSummary === 'function') {
    notes.push({ option: 'output', sentence: 'the export handleSummary (k6) is not called: -o FILE writes a report' })
  }
  const scenarios = withModule(value.scenarios, file)
  return { options: scenarios === undefined ? { ...value, user: file } : { ...value, scenarios }, notes }
}

/**
 * Scenarios without `user` and `requests` get the module as their `user`.
 * @param {unknown} scenarios
 * @param {string} file
 * @returns {unknown[] | undefined} undefined if every scenario sets one of them
 */
function withModule (scenarios, file) {
  if (!Array.isArray(scenarios)) return undefined
  const isOwn = (/** @type {unknown} */ entry) => isRecord(entry) && (entry.user ?? entry.requests ?? null) === null
  if (!scenarios.some(isOwn)) return undefined
  return scenarios.map(entry => isOwn(entry) ? { ...entry, user: file } : entry)
}

/** @type {(place: string, key: string, known: string[]) => string} */
function hintFor (place, key, known) {
  const foreign = place === '' ? hintOn(key) : undefined
  return foreign === undefined ? suggest(key, known) : `: ${foreign}`
}

/** @type {(file: string, notice: (sentence: string) => void) => Promise<any>} */
async function load (file, notice) {
  const slow = setTimeout(
    () => notice(`the module '${printable(file)}' is still loading: it has ${LOAD_TIMEOUT / 1000} s`), SLOW
  )
  try {
    return await withTimeout(LOAD_TIMEOUT, loadNamespace(moduleFile(file)), () =>
      new Error('it does not finish loading: is there an await in it that never ends?'))
  } catch (error) {
    const words = HookError.wordsOf(error).replace(/ Require stack:.*$/, '')
    const path = moduleFile(file)
    if (/^Cannot find (package|module) 'k6\b/.test(words) || (error instanceof SyntaxError && imports(K6, path))) {
      const sockets = imports(K6_SOCKETS, path)
        ? ", its WebSockets with ws: const socket = await ws('/chat'), await socket.request(message)"
        : ''
      throw new OptionsError([`the module '${file}' is a script of k6, which does not run here: its options ` +
        `work; replace its requests by those of the http that a user function receives${sockets} ` +
        '(docs/user-functions.md)'])
    }
    const where = error instanceof SyntaxError ? placeOfSyntax(error) || syntaxLine(path) || IMPORTED : ''
    throw new OptionsError([
      `could not load the module '${file}': ${words}${where}${endingFor(error, path)}${hintOnName(error)}`
    ])
  } finally {
    clearTimeout(slow)
  }
}

/** @type {(error: unknown) => string} a suggestion for a global of another tool */
const hintOnName = error => error instanceof ReferenceError
  ? require('../../functions/habits').hintAtLoad(error) + require('../failure').placeOf(error).replace('\n', ', ')
  : ''

/** The place of a syntax error in an imported file. */
const IMPORTED = ', in a module that it imports'

const K6 = /^\s*import\s[^'"]*['"]k6(?:\/[^'"]*)?['"]/m
const K6_SOCKETS = /^\s*import\s[^'"]*['"]k6\/(?:ws|(?:experimental\/)?websockets)['"]/m

/** @type {(statement: RegExp, file: string) => boolean} whether the file has such an import */
const imports = (statement, file) => tryOr(false, () => statement.test(readFileSync(file, 'utf8')))

/**
 * @param {any} error
 * @param {string} file
 * @returns {string} advice for an ES module that Node.js loads as CommonJS; empty for another error
 */
function endingFor (error, file) {
  if (!(error instanceof SyntaxError)) return ''
  // This error of Node.js has no code.
  const { message: words, stack } = error
  const isTaken = !/compileSourceTextModule/.test(String(stack)) &&
    /import statement|token 'export'/.test(words)
  if (!isTaken || /\.m[jt]s$/.test(file)) return ''
  return `: it is an ES module, so name it ${/ts$/.test(file) ? '.mts' : '.mjs'}, or write "type": "module" in its ` +
    'package.json'
}

module.exports = { moduleIn, optionsOf }
