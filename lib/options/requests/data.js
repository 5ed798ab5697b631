'use strict'

// The option `data`: sources of rows by name. On the command line `--data` also has the meaning that it has in curl.

const { isRecord, show } = require('../../core/foreign-text')
const { BUILT_IN } = require('../../requests/expression')
const { readFile } = require('../../requests/file')
const { dataOfRows, hasSeparator, isDataFile, readDataFile } = require('../../templates/data-file')
const { readObject } = require('../../requests/fields')
const { PlacedError, within } = require('../../requests/place')
const { CHOICE } = require('../type')
const { nearest } = require('../../core/suggest')

/**
 * @typedef {object} DataSource
 * @property {string} name
 * @property {'order' | 'random' | 'once' | 'connection'} pick how the row of an iteration is selected
 * @property {'run' | 'scenario'} end what ends when each row has been used once
 * @property {string | null} source a short text of the source; null for rows of another option
 * @property {string | null} file null for rows in the options
 * @property {import('../../templates/rows').RowsData} rows
 * @property {ReadonlyMap<number, string>} breaks see data-file.js
 */

/** Extensions of data files, for messages. */
const EXTENSIONS = '.csv, .tsv, .json, .ndjson or .jsonl'

/** Keys that the flag does not support. */
const OTHER_KEYS = ['pick', 'end', 'rows']

/** Names of the separator in other tools. */
const DELIMITERS = ['delimiter', 'delim', 'sep']

/** Keys of a source. */
const FIELDS = Object.freeze(/** @satisfies {import('../../requests/fields').Fields} */ ({
  file: {
    ts: 'string', schema: ({ PATH }) => PATH,
    help: 'A .csv, .tsv, .json, .ndjson or .jsonl file; a source has either this or rows.'
  },
  rows: {
    ts: 'ReadonlyArray<unknown>', schema: () => ({ type: 'array', minItems: 1 }), parse: rowsOf,
    help: 'The rows themselves: objects, or values.'
  },
  pick: {
    ...CHOICE, choices: ['order', 'random', 'once', 'connection'], default: 'order',
    help: 'Which row an iteration has: the next one, one at random, each once over all connections and workers, or ' +
      'one for each connection.'
  },
  end: {
    ...CHOICE, choices: ['run', 'scenario'], default: 'run',
    help: 'With pick once: what ends when each row has been used.'
  },
  separator: {
    ts: 'string', schema: ({ FILLED }) => FILLED, parse: separatorOf,
    help: 'What separates the values of a .csv or .tsv file: one character, such as ;, | or \\t.'
  }
}))

const KEYS = Object.keys(FIELDS)

/** Parsed sources: pipes cannot be read twice. */
class Data {
  /** @param {ReadonlyArray<DataSource>} sources */
  constructor (sources) {
    this.sources = sources
  }
}

/**
 * @param {unknown} text given to --data
 * @returns {[name: string, source: string | { file: string, separator: string }] | null} null for curl's meaning: a
 *   body
 * @throws {TypeError}
 */
function sourceFlag (text) {
  const [, name, given] = typeof text === 'string' ? /^([A-Za-z_][\w-]*)=([^&]+)$/s.exec(text) ?? [] : []
  if (given === undefined) return null
  if (isDataFile(given)) return [name, given]
  const [, file, key, value] = /^(.+?\.[a-z]+),(\w+)=(.*)$/si.exec(given) ?? []
  if (file === undefined) return null
  if (!isDataFile(file)) {
    if (key !== 'separator') return null
    throw new TypeError(`expected a file that ends in .csv or .tsv, got ${show(file)}: rename it, or send this text ` +
      'by --body')
  }
  if (key === 'separator') {
    const [, character, other] = /^(.+?),(\w+)=/s.exec(value) ?? []
    if (other === undefined) return [name, { file, separator: value }]
    throw new TypeError(`expected a separator alone, such as ${show(character).slice(1, -1)}, got ${show(value)}: ` +
      `${other} is a key of data in a config, as in data: { ${name}: { file: ${show(file).slice(1, -1)}, … } }`)
  }
  if (OTHER_KEYS.includes(key)) {
    throw new TypeError(`${key} is a key of data in a config, as in data: { ${name}: { file: ` +
      `${show(file).slice(1, -1)}, ${key}: ${show(value).slice(1, -1)} } }; send this text by --body`)
  }
  if (!DELIMITERS.includes(key.toLowerCase()) && nearest(key, ['separator']) === null) return null
  throw new TypeError(`expected ${name}=${file},separator=${show(value).slice(1, -1)}, got ${show(text)}; send this ` +
    'text by --body')
}

/** Extensions of tables that are not supported. */
const OTHER_TABLE = /\.(tab|psv|xlsx?|ods|parquet)$/i

/**
 * @param {unknown} text value of --data that is no source
 * @throws {TypeError} for a name and a file of another format: otherwise the text would be sent as the body
 */
function checkTable (text) {
  const [, file] = typeof text === 'string' ? /^[A-Za-z_][\w-]*=([^&]+)$/s.exec(text) ?? [] : []
  if (file !== undefined && OTHER_TABLE.test(file)) {
    throw new TypeError(`expected a file that ends in ${EXTENSIONS}, got ${show(file)}: convert it, or send this ` +
      'text by --body')
  }
}

/**
 * @param {unknown} given an object of sources; texts of the command line are sources or parts of a body
 * @returns {{ data: Data | undefined, body: Buffer | undefined }}
 * @throws {TypeError}
 */
function parseData (given) {
  if (given instanceof Data) return { data: given, body: undefined }
  /** @type {DataSource[]} */
  const sources = []
  /** @type {Buffer[]} */
  const parts = []
  for (const part of [given].flat()) {
    const flag = sourceFlag(part)
    if (flag === null) checkTable(part)
    if (part instanceof Data) sources.push(...part.sources)
    else if (isRecord(part)) for (const [name, one] of Object.entries(part)) add(sources, name, one)
    else if (flag !== null) add(sources, ...flag)
    else if (typeof part !== 'string') {
      throw new TypeError(
      `expected an object of sources by name, such as { users: 'users.csv' }, got ${show(part)}`
      )
    } else parts.push(bodyPart(part))
  }
  return {
    data: sources.length === 0 ? undefined : new Data(sources),
    body: parts.length === 0
      ? undefined
      : Buffer.concat(parts.flatMap((part, i) => i === 0 ? [part] : [Buffer.from('&'), part]))
  }
}

/**
 * @param {string} part as in curl
 * @throws {TypeError} for the name of a data file alone: otherwise the name would be sent as the body
 */
function bodyPart (part) {
  if (/^[^@\s=&{}[\]]+$/.test(part) && (isDataFile(part) || OTHER_TABLE.test(part))) {
    throw new TypeError(`expected NAME=FILE, got ${show(part)}: give its rows a name, as in rows=${part}, send the ` +
      `file as the body by @${part}, or this text by --body`)
  }
  if (part === '@') throw new TypeError('expected the path of a file after the @, or - for standard input, got none')
  return part.startsWith('@') ? readFile(part.slice(1)) : Buffer.from(part)
}

/**
 * @param {DataSource[]} sources the source is added, and replaces one with the same name
 * @param {string} name
 * @param {unknown} given
 */
function add (sources, name, given) {
  const source = within(`.${name}`, () => sourceOf(name, given))
  const before = sources.findIndex(one => one.name === name)
  if (before === -1) sources.push(source)
  else sources[before] = source
}

/**
 * @throws {TypeError}
 * @type {(name: string, given: unknown) => DataSource}
 */
function sourceOf (name, given) {
  if (!/^[A-Za-z_][\w-]*$/.test(name) || name === '__proto__') {
    throw new TypeError(`expected a name of letters, digits, - and _, got ${show(name)}`)
  }
  if (/** @type {ReadonlyArray<string>} */ (BUILT_IN).includes(name)) {
    throw new TypeError(`{{${name}}} has its own meaning: give the source another name`)
  }
  if (typeof given === 'string') return sourceOf(name, { file: given })
  if (!isRecord(given)) {
    throw new TypeError(`expected the path of a file, or an object with ${KEYS.join(', ')}, got ${show(given)}`)
  }
  const { file, rows, pick = FIELDS.pick.default, end, separator } = readObject(given, FIELDS)
  if (end !== undefined && pick !== 'once') {
    throw new PlacedError('.end', "expected pick: 'once' as well, got none: rows that are used again never end")
  }
  if ((file === undefined) === (rows === undefined)) {
    throw new TypeError(`expected ${file === undefined ? 'a file, or rows' : 'either a file or rows'}, got ` +
      `${file === undefined ? 'none' : 'both'}`)
  }
  if (separator !== undefined && (file === undefined || (isDataFile(file) && !hasSeparator(file)))) {
    throw new PlacedError('.separator', file === undefined
      ? 'expected a file as well, got rows'
      : `expected a .csv or .tsv file, got ${show(file)}`)
  }
  return { name, pick, end: end ?? FIELDS.end.default, ...rows ?? fileOf(file, separator) }
}

/**
 * @param {unknown} given
 * @returns {string} one character; `\\t` is a tab
 * @throws {TypeError}
 */
function separatorOf (given) {
  const character = given === '\\t' ? '\t' : given
  if (typeof character === 'string' && /^[\t -~]$/.test(character) && !/[\w"]/.test(character)) return character
  throw new TypeError(`expected one character such as ';', '\\t' or '|', got ${show(given)}`)
}

/** @typedef {Pick<DataSource, 'rows' | 'breaks' | 'source' | 'file'>} Rows */

/** @type {(given: unknown) => Rows} */
function rowsOf (given) {
  if (!Array.isArray(given) || given.length === 0) {
    throw new TypeError(
      `expected an array of objects, or of values, got ${Array.isArray(given) ? 'an empty one' : show(given)}`
    )
  }
  return { ...dataOfRows(given), source: `[${given.length} rows]`, file: null }
}

/** @type {(file: unknown, separator?: string) => Rows} */
function fileOf (file, separator) {
  if (!isDataFile(file)) {
    throw new TypeError(`expected the path of a file that ends in ${EXTENSIONS}, got ${show(file)}`)
  }
  const path = /** @type {string} */ (file)
  return { ...readDataFile(path, separator), source: path, file: path }
}

/** Returns sources by name, for the result. @type {(data: Data) => Record<string, unknown>} */
function describedData ({ sources }) {
  return Object.fromEntries(
    sources.filter(({ source }) => source !== null)
      .map(({ name, source, pick }) => [name, pick === 'order' ? source : { file: source, pick }])
  )
}

module.exports = { Data, FIELDS, describedData, parseData, sourceFlag }
