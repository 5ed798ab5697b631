'use strict'

// The config: options from a file, with variables of the environment inserted and paths made absolute.

const { dirname, join } = require('node:path')
const { readConfigFile, reading } = require('./config-file')
const { OptionsError } = require('../../core/errors')
const { configValues } = require('../../options/config-values')
const { withEnvironment } = require('../../options/environment')
const { VERSUS } = require('../../experiments/versus/flags')
const { TABLE, byName } = require('../../options/table')
const { schemaOf } = require('../../options/config-schema')
const { PlacedError, placeOf } = require('../../requests/place')
const { keepSecret, withReferences } = require('../../core/secrets')
const { suggest } = require('../../core/suggest')
const { isRecord, show } = require('../../core/foreign-text')

/**
 * @typedef {object} Config
 * @property {Record<string, any>} options raw ones
 * @property {(place: string) => string} at the place of a mistake: the file, and the line if known
 * @property {(place: string) => number} lineOf the line of a place in the file; 0 if unknown
 *
 * @param {string} path
 * @param {string[]} [found] earlier problems
 * @param {ReadonlyArray<Readonly<import('../../options/table').Option>>} [rows] the allowed options; default: the
 *   options of a run
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Config>}
 * @throws {OptionsError} with the earlier problems, followed by every problem of the file
 */
async function loadConfig (path, found = [], rows = TABLE, env = process.env) {
  try {
    return await readConfig(path, schemaOf(rows), env)
  } catch (error) {
    throw error instanceof OptionsError ? new OptionsError([...found, ...error.problems]) : error
  }
}

/**
 * @type {(path: string, schema: import('../../options/config-schema').Schema, env: NodeJS.ProcessEnv) =>
 *   Promise<Config>}
 */
async function readConfig (path, schema, env) {
  const read = await readConfigFile(path)
  if (read.file !== null) require('../../checks/html').lookBeside(join(dirname(read.file), 'package.json'))
  const options = () => optionsOf(path, read, schema, env)
  return read.isText ? options() : OptionsError.reading(`the config '${path}'`, options)
}

/**
 * @param {string} path
 * @param {import('./config-file').ConfigFile} read
 * @param {import('../../options/config-schema').Schema} schema
 * @param {NodeJS.ProcessEnv} env
 * @returns {Config}
 */
function optionsOf (path, { value: given, isText, file, lineOf: known }, schema, env) {
  const lineOf = (/** @type {string} */ place) => known(place) ?? 0
  const at = (/** @type {string} */ place) => {
    const line = lineOf(place)
    return `the config '${path}'${line === 0 ? '' : `, line ${line}`}: `
  }
  if (!isRecord(given)) {
    throw new OptionsError([
      `the config '${path}' has to ${isText ? 'be' : 'export'} an object of options, got ${show(given)}` +
        (typeof given === 'function' ? `: a user function is run by autocannon run ${path} URL` : '')
    ])
  }
  // Only texts: a module can read the environment itself.
  const { value: { $schema: _, ...config }, problems: missing, used } = isText
    ? reading(() => withEnvironment(given, env), `the config '${path}': `)
    : { value: given, problems: [], used: [] }
  for (const name of used) keepSecret(name, /** @type {string} */ (env[name]))
  /** @type {import('../../core/problem').Problem[]} */
  const problems = missing.map(({ place, reason }) =>
    ({ place, text: `${place === '' ? '' : `${place.slice(1)}: `}${reason}` }))
  const { onPort = false } = config
  const isCommand = Array.isArray(onPort) && onPort.length > 0 &&
    onPort.every(word => typeof word === 'string' && !word.includes('\0'))
  if (onPort !== false && !isCommand) {
    problems.push({
      place: '.onPort',
      text: 'expected \'onPort\' to be the words of the command to start, such as ["node", "server.js"], ' +
        `got ${show(onPort)}`
    })
  }
  try {
    // Paths in a config from a pipe are relative to the working directory.
    const { value: options, strange } = configValues(config, schema, {
      folder: file === null ? '.' : dirname(file), hasPatterns: isText
    })
    problems.unshift(...withoutFollowing(strange).map(({ place, key, known }) => ({
      place: place + placeOf(key),
      text: place === ''
        ? problemOfName(key, known)
        : `unknown key ${show(key)} in ${place.slice(1)}${hintOf(place, key, known, isText)}`
    })))
    if (problems.length === 0) return { options: isText ? withShownTexts(options) : options, at, lineOf }
    problems.push(...problemsBeside(options, [...strange.map(({ place, key }) => place + placeOf(key)),
      ...missing.map(({ place }) => place)]))
  } catch (error) {
    if (!(error instanceof PlacedError)) throw error
    problems.push({ place: error.place, text: error.message })
  }
  problems.sort((a, b) => lineOf(a.place) - lineOf(b.place))
  throw new OptionsError(problems.map(({ place, text }) => at(place) + text))
}

/**
 * @param {Record<string, any>} options of a config
 * @param {string[]} places of mistakes that are known
 * @returns {import('../../core/problem').Problem[]} problems of other values, except consequences of known mistakes
 */
function problemsBeside (options, places) {
  const { normalize } = require('../../options/normalize')
  const known = new Set(places.map(place => /^\.?(\w+)/.exec(place)?.[1]))
  const others = Object.fromEntries(Object.entries(options).filter(([name]) => !known.has(name)))
  return normalize(others, ({ name }) => name).placed.map(({ place, text }) => ({ place: `.${place}`, text }))
}

/**
 * @typedef {import('../../options/config-values').Strange} Strange
 * @type {(strange: Strange[]) => Strange[]}
 */
function withoutFollowing (strange) {
  // Lazy: only an unknown key needs it.
  return strange.length === 0 ? strange : require('../../options/requests/foreign-entry').withoutRests(strange)
}

/**
 * @param {string} place
 * @param {string} key that is unknown in this place
 * @param {string[]} known
 * @param {boolean} isText whether the config is YAML or JSON
 * @returns {string} a suggestion, or the known keys. In YAML, `- login: p95 < 100ms` is an object and not a string
 */
function hintOf (place, key, known, isText) {
  const { hintInEntry, knownInEntry } = require('../../options/requests/foreign-entry')
  const hint = require('./foreign-options').hintInOption(place, key) ?? hintInEntry(place, key)
  if (hint !== undefined) return hint
  if (place === '.thresholds') return "; thresholds are a list of texts: thresholds: ['p99 < 50ms']"
  if (/^\.(scenarios|requests)\b/.test(place) && TABLE.some(({ name }) => name === key)) {
    return `; it is an option of the run, next to ${place.startsWith('.s') ? 'scenarios' : 'requests'}`
  }
  const all = knownInEntry(place, known)
  // Most words are only two wrong letters away from a short one.
  const meant = suggest(key, all.filter(name => name.length > 2 || known.includes(name)))
  if (meant !== '') return meant
  return isText && known.includes('threshold')
    ? "; in YAML, a text with a colon in it needs quotation marks: 'login: p95 < 100ms'"
    : `; there ${all.length === 1 ? 'is' : 'are'} ${all.join(', ')}`
}

/** @type {(name: string, allowed: string[]) => string} */
function problemOfName (name, allowed) {
  const foreign = require('./foreign-options').hintOn(name)
  if (foreign !== undefined) return `unknown option '${name}': ${foreign}`
  if (byName.get(name)?.flagOnly) return `'${name}' can only be a flag`
  if (VERSUS.some(option => option.name === name)) {
    return `'${name}' is an option of autocannon versus, and this is one run: omit it`
  }
  return `unknown option '${name}'${suggest(name, allowed)}`
}

/** Options with texts for the report, which are never sent. */
const SHOWN = ['title', 'threshold', 'thresholds', 'until']

/**
 * @param {Record<string, any>} options of a config that is text
 * @returns {Record<string, any>} the same with references instead of secrets of the environment, where texts are shown
 *   and never sent
 */
function withShownTexts (options) {
  const shown = /** @type {(value: any) => any} */ value =>
    typeof value === 'string' ? withReferences(value) : Array.isArray(value) ? value.map(shown) : value
  const given = SHOWN.filter(name => options[name] !== undefined).map(name => [name, shown(options[name])])
  const named = ['requests', 'scenarios', 'stages'].filter(name => Array.isArray(options[name])).map(name =>
    [name, options[name].map(withShownName)])
  return { ...options, ...Object.fromEntries([...given, ...named]) }
}

/** @param {any} entry a request, a scenario or a stage @returns {any} */
function withShownName (entry) {
  if (!isRecord(entry)) return entry
  const { name, requests } = entry
  return {
    ...entry,
    ...typeof name === 'string' && { name: withReferences(name) },
    ...Array.isArray(requests) && { requests: requests.map(withShownName) }
  }
}

module.exports = { SHOWN, loadConfig }
