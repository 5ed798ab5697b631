'use strict'

// Owns the config file: JSON, or a module that exports options, with the paths in it made absolute.

const { statSync } = require('node:fs')
const { dirname, resolve } = require('node:path')
const { OptionsError } = require('../errors')
const { loadDefault, moduleFile } = require('../options/module-file')
const { KEYS: STAGE_KEYS } = require('../options/stages')
const { TABLE, VERSUS, byName } = require('../options/table')
const { suggest } = require('../suggest')
const { KEYS: EXPECT_KEYS } = require('../checks/expectation')
const { readFile, isStandardInput } = require('../scenario/file')
const { parseJson } = require('../scenario/json')
const { FIELD_KEYS } = require('../scenario/multipart')
const { REQUEST_KEYS } = require('../scenario/request')
const { isRecord, show } = require('../foreign-text')

/** What makes sense on the command line only. */
const FLAGS_ONLY = new Set(['config', 'printConfig', 'help', 'version'])

/** Types whose value is the path of a file. */
const PATHS = new Set(['file', 'files', 'hook', 'har', 'results', 'targets'])

/**
 * @param {string} path
 * @param {string[]} [found] problems that are known already
 * @param {ReadonlyArray<Readonly<import('../options/table').Option>>} [rows] which options it may have: those of a run unless said
 * @returns {Promise<Record<string, any>>} raw options
 * @throws {OptionsError} with every problem of the file behind those
 */
async function loadConfig (path, found = [], rows = TABLE) {
  try {
    return await readConfig(path, rows.map(({ name }) => name).filter(name => !FLAGS_ONLY.has(name)))
  } catch (error) {
    throw error instanceof OptionsError ? new OptionsError([...found, ...error.problems]) : error
  }
}

/**
 * @param {string} path
 * @param {string[]} allowed names
 */
async function readConfig (path, allowed) {
  const file = isPipe(path) ? path : moduleFile(path)
  const isJson = file.endsWith('.json') || isPipe(path)
  const config = isJson ? readJson(path, file) : await loadModule(path, file)
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new OptionsError([`the config '${path}' has to ${isJson ? 'be' : 'export'} an object of options, got ${show(config)}`])
  }
  const problems = Object.keys(config).filter(name => !allowed.includes(name)).map(name => `the config '${path}': ${problemOfName(name, allowed)}`)
  const { onPort = false } = config
  const isCommand = Array.isArray(onPort) && onPort.length > 0 && onPort.every(word => typeof word === 'string' && !word.includes('\0'))
  if (onPort !== false && !isCommand) {
    problems.push(`the config '${path}': expected 'onPort' to be the words of the command to start, such as ["node", "server.js"], got ${show(onPort)}`)
  }
  for (const [place, object, known] of partsOf(config)) {
    const strange = Object.keys(Object(object)).filter(name => !known.includes(name))
    problems.push(...strange.map(name => `the config '${path}': unknown key ${show(name)} in ${place}${suggest(name, known)}`))
  }
  if (problems.length > 0) throw new OptionsError(problems)
  // Paths in what came through a pipe start at the working directory.
  const folder = isPipe(path) ? '.' : dirname(file)
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, absolute(name, value, folder)]))
}

/**
 * @param {string} name
 * @param {string[]} allowed
 */
function problemOfName (name, allowed) {
  if (FLAGS_ONLY.has(name)) return `'${name}' can only be a flag`
  if (VERSUS.some(option => option.name === name)) return `'${name}' is an option of autocannon versus, and this is one run: leave it out`
  return `unknown option '${name}'${suggest(name, allowed)}`
}

/**
 * @param {Record<string, any>} config
 * @returns {Array<[place: string, object: unknown, known: string[]]>} the objects inside of it, and which keys they may have
 */
function partsOf ({ requests, expect, form, warmup, thresholds, stages }) {
  /**
   * @param {string} name
   * @param {unknown} list
   * @returns {Array<[place: string, one: any]>}
   */
  const each = (name, list) => [list ?? []].flat().flatMap((one, i) => isRecord(one) ? [[`${name}[${i}]`, one]] : [])
  /** @type {Array<[place: string, object: unknown, known: string[]]>} */
  const parts = []
  for (const [place, entry] of each('requests', requests)) {
    parts.push([place, entry, REQUEST_KEYS])
    if (isRecord(entry.expect)) parts.push([`${place}.expect`, entry.expect, [...EXPECT_KEYS]])
  }
  if (isRecord(expect)) parts.push(['expect', expect, [...EXPECT_KEYS]])
  for (const [name, field] of isRecord(form) ? Object.entries(form) : []) {
    if (isRecord(field)) parts.push([`form.${name}`, field, FIELD_KEYS])
  }
  if (isRecord(warmup)) parts.push(['warmup', warmup, ['connections', 'duration']])
  for (const [place, threshold] of each('thresholds', thresholds)) parts.push([place, threshold, ['threshold', 'abortOn']])
  for (const [place, stage] of each('stages', stages)) parts.push([place, stage, STAGE_KEYS])
  return parts
}

/**
 * @param {string} path
 * @returns {boolean} whether it is standard input, or something else that can be read only once and is no module: `<(…)` of a shell
 */
function isPipe (path) {
  return isStandardInput(path) || statSync(path, { throwIfNoEntry: false })?.isFIFO() === true
}

/**
 * @param {string} path as it was given
 * @param {string} file
 */
function readJson (path, file) {
  try {
    return parseJson(readFile(file, 'the config').toString(), `the file '${path}'`)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OptionsError([error.message])
  }
}

/**
 * @param {string} path of a CommonJS or ES module, as it was given
 * @param {string} file
 */
async function loadModule (path, file) {
  let config
  try {
    config = await loadDefault(file)
  } catch (error) {
    const { message = String(error), stack = '' } = /** @type {Error} */ (Object(error))
    // Of a syntax error, the stack begins with where it is.
    const [, line] = /^(?:file:\/\/)?[^\n]+?:(\d+)\n/.exec(stack) ?? []
    throw new OptionsError([`could not load the config '${path}': ${message.split('\n')[0]}${line === undefined ? '' : `, line ${line}`}`])
  }
  if (config === undefined) throw new OptionsError([`the config '${path}' has to export an object of options, by module.exports or as the default`])
  return config
}

/**
 * @param {string} name
 * @param {any} value
 * @param {string} folder where relative paths start
 * @returns {any}
 */
function absolute (name, value, folder) {
  const path = (/** @type {unknown} */ given) => typeof given === 'string' && given !== '' && !isStandardInput(given) ? resolve(folder, given) : given
  const type = byName.get(name)?.type ?? ''
  if (name === 'socketPath') return /^[@\0]/.test(value) ? value : path(value)
  if (type === 'requests' && Array.isArray(value)) {
    return value.map(entry => typeof entry !== 'object' || entry === null
      ? entry
      : { ...entry, ...mapped(entry, ['setupRequest', 'onResponse', 'check'], path) })
  }
  if (type === 'form' && typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([field, given]) => [field, { ...given, ...mapped(Object(given), ['path'], path) }]))
  }
  if (type === 'data' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([source, given]) => [source, typeof given === 'string' ? path(given) : { ...given, ...mapped(Object(given), ['file'], path) }]))
  }
  // An array of targets has no paths.
  if (type === 'targets' && typeof value !== 'string') return value
  if (type === 'form') return typeof value === 'string' && !value.trimStart().startsWith('{') ? path(value) : value
  return !PATHS.has(type) ? value : Array.isArray(value) ? value.map(path) : path(value)
}

/**
 * @param {Record<string, any>} object
 * @param {string[]} keys
 * @param {(value: unknown) => unknown} change
 */
function mapped (object, keys, change) {
  return Object.fromEntries(keys.filter(key => key in object).map(key => [key, change(object[key])]))
}

module.exports = { loadConfig }
