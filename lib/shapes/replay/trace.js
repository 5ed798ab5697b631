'use strict'

// Reads a trace of requests to a language model: the arrival time, prompt tokens and output tokens of each. Each row
// receives a prompt with one word per token.

const { isRecord, show } = require('../../core/foreign-text')
const { toNumber } = require('../../core/numbers')
const { randomFrom } = require('../../core/random')
const { formatInteger } = require('../../core/units')
const { readLines } = require('../../requests/file')
const { parseJson } = require('../../requests/json')
const { RowsWriter } = require('../../templates/rows')

/** Names of columns and keys in traces of Azure, Mooncake and BurstGPT, in lower case and without other characters. */
const NAMES = Object.freeze({
  time: ['timestamp'],
  input: ['contexttokens', 'inputlength', 'requesttokens'],
  output: ['generatedtokens', 'outputlength', 'responsetokens'],
  blocks: ['hashids']
})

const MOST_ROWS = 1_000_000
const MOST_TOKENS = 1_000_000
const MOST_SECONDS = 2_000_000

/**
 * Common words, which tokenizers do not split. All have the same length, so the position of a word in a text is
 * arithmetic.
 */
const WORDS = ('able also area army away back ball bank base bill body book both call care case city come cost data ' +
  'date days deal door down draw each east even ever face fact fall farm fast film fire fish five food ' +
  'foot form four full game girl give goal gold good half hall hand hard head hear help here high hold ' +
  'home hope hour idea into item join just keep kind king know lake land last late lead left less life ' +
  'like line list live long look lord love main make many mark mind miss moon more most move much name ' +
  'near need news next nine note once only open over page part past path plan play poor post race rain ' +
  'read real rest rich ride ring rise road rock role room rule safe sale same save seat seem sell send ' +
  'ship shop show side sign site size skin slow snow some song soon star stay step stop such sure take ' +
  'talk tall task team tell test text than that them then they this thus time town tree trip true turn ' +
  'type unit upon used user very view vote wait walk wall want warm wash wave week well west what when ' +
  'wide wife wild will wind wine wish with wood word work year zone').split(' ')

/** A word and the space after it. */
const WORD_BYTES = 5

/** Tokens of a block of Mooncake: prompts that begin with the same ids begin with the same tokens. */
const BLOCK_TOKENS = 512
/** The number of different blocks, a power of two. Traces of Mooncake have up to 200,000. */
const MOST_BLOCKS = 2 ** 18
/** Odd, so that consecutive numbers map to different positions. */
const SPREAD = 0x9e3779b1

/**
 * @typedef {object} Trace
 * @property {Float64Array} times ms since the first arrival, in order
 * @property {import('../../templates/rows').RowsData | null} rows tokens and prompt of each request, in the same order;
 *   null for a file with times only
 */

/**
 * @param {string} path
 * @returns {Trace}
 * @throws {TypeError} with the file, and the line
 */
function readTrace (path) {
  try {
    return traceOf(readEntries(path))
  } catch (error) {
    // The error of an unreadable file already has its path.
    if (error instanceof TypeError && !('path' in error)) error.message = `the file '${path}': ${error.message}`
    throw error
  }
}

/**
 * The entries in the order of the file. `blocks` has the number of blocks of each prompt, `places` the index of the
 * first word of each block.
 * @typedef {{ times: number[], inputs: number[], outputs: number[], places: number[], blocks: number[] }} Entries
 */

/** @type {(path: string) => Entries} */
function readEntries (path) {
  /** @type {Entries} */
  const entries = { times: [], inputs: [], outputs: [], places: [], blocks: [] }
  /** @type {((text: string, line: number) => Entry) | null} */
  let read = null
  let line = 0
  for (const part of readLines(path).parts) {
    for (const text of part.toString().replace(/\n$/, '').split('\n')) {
      line++
      if (text.trim() === '') continue
      const isFirst = read === null
      read ??= text.trimStart().startsWith('{') ? readObject : tableReader(text)
      if (isFirst && read !== readObject) continue
      add(entries, read(text, line), line)
    }
  }
  if (entries.times.length === 0) throw new TypeError('it has no requests')
  return entries
}

/**
 * `unit`: the unit of a numeric time, in ms.
 * @typedef {{ time: unknown, unit: number, input: unknown, output: unknown, blocks?: unknown }} Entry
 */

/** @type {(entries: Entries, entry: Entry, line: number) => void} */
function add ({ times, inputs, outputs, places, blocks }, { time, unit, input, output, blocks: ids }, line) {
  if (times.length === MOST_ROWS) {
    throw new TypeError(`it has more than ${formatInteger(MOST_ROWS)} requests: take a part of it, as with head -n`)
  }
  times.push(timeOf(time, unit, line))
  // Either all lines have numbers of tokens, or none.
  if (input === undefined && output === undefined && inputs.length === 0) return
  inputs.push(tokensOf(input, line))
  outputs.push(tokensOf(output, line))
  blocks.push(addBlocks(places, ids ?? [], line))
  if (inputs.length < times.length) {
    throw new TypeError(`line ${line}: it has numbers of tokens, which the lines before it do not have`)
  }
}

/** @type {(text: string, line: number) => Entry} */
function readObject (text, line) {
  const row = parseJson(text, 'it', line)
  if (!isRecord(row)) throw new TypeError(`line ${line}: expected an object, got ${show(row)}`)
  const keys = Object.keys(row)
  return {
    time: row[keys[placeOf(keys, 'time')]], unit: 1, input: row[keys[placeOf(keys, 'input')]],
    output: row[keys[placeOf(keys, 'output')]], blocks: row[keys[placeOf(keys, 'blocks')]]
  }
}

/** @param {string} head with the names of columns @returns {(text: string, line: number) => Entry} */
function tableReader (head) {
  const names = valuesIn(head)
  const [time, input, output] = ['time', 'input', 'output'].map(what => placeOf(names, /** @type {any} */ (what)))
  if (time === -1 || (input === -1) !== (output === -1)) {
    throw new TypeError('line 1: expected the columns TIMESTAMP, ContextTokens and GeneratedTokens, or TIMESTAMP ' +
      `alone, or a JSON object in each line, got ${show(head.trim())}`)
  }
  return (text, line) => {
    const values = valuesIn(text)
    if (values.length !== names.length) {
      throw new TypeError(`line ${line}: expected ${names.length} values, as the first line has names, got ` +
        `${values.length}`)
    }
    return { time: values[time], unit: 1000, input: values[input], output: values[output] }
  }
}

/** No known trace has commas in values. @param {string} text */
function valuesIn (text) {
  return text.split(',').map(value => value.trim().replace(/^"(.*)"$/, '$1'))
}

/** @type {(names: string[], what: keyof typeof NAMES) => number} */
function placeOf (names, what) {
  return names.findIndex(name => NAMES[what].includes(name.toLowerCase().replace(/[^a-z]/g, '')))
}

/** Date.parse rounds to whole ms, and traces have up to 100 ns: the fraction is parsed separately. */
const DATE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?$/

/** Returns ms. @type {(given: unknown, unit: number, line: number) => number} */
function timeOf (given, unit, line) {
  const [, day, time, part = '0', zone = 'Z'] = typeof given === 'string' ? DATE.exec(given) ?? [] : []
  const ms = day === undefined ? toNumber(given) * unit : Date.parse(`${day}T${time}${zone}`) + Number(part) * 1000
  if (Number.isFinite(ms)) return ms
  throw new TypeError(`line ${line}: expected a time such as 2023-11-16 18:17:03.979 or a number of ` +
    `${unit === 1 ? 'ms' : 'seconds'}, got ${show(given)}`)
}

/** @type {(given: unknown, line: number) => number} */
function tokensOf (given, line) {
  const tokens = toNumber(given)
  if (Number.isInteger(tokens) && tokens >= 0 && tokens <= MOST_TOKENS) return tokens
  throw new TypeError(`line ${line}: expected a number of tokens from 0 to ${formatInteger(MOST_TOKENS)}, got ` +
    `${show(given)}`)
}

/** Returns the number of blocks. @type {(places: number[], ids: unknown, line: number) => number} */
function addBlocks (places, ids, line) {
  if (!Array.isArray(ids) || !ids.every(id => Number.isInteger(id) && id >= 0)) {
    throw new TypeError(`line ${line}: expected a list of whole numbers as hash_ids, got ${show(ids)}`)
  }
  for (const id of ids) places.push(Math.imul(id % 2 ** 32, SPREAD) & (MOST_BLOCKS - 1))
  return ids.length
}

/** @type {(entries: Entries) => Trace} */
function traceOf (entries) {
  const { times, inputs } = entries
  // Traces of several servers may be concatenated.
  const order = Uint32Array.from(times.keys()).sort((one, other) => times[one] - times[other] || one - other)
  const start = times[order[0]]
  const arrivals = Float64Array.from(order, i => times[i] - start)
  if (arrivals[arrivals.length - 1] > MOST_SECONDS * 1000) {
    throw new TypeError(`expected at most ${formatInteger(MOST_SECONDS)} s from the first arrival to the last, got ` +
      `${formatInteger(Math.round(arrivals[arrivals.length - 1] / 1000))} s`)
  }
  return { times: arrivals, rows: inputs.length === 0 ? null : rowsOf(order, entries) }
}

/**
 * Prompts are parts of one text that begin at different words, so a server with a prefix cache finds only the prefixes
 * with ids in the trace. Blocks are parts of the beginning of the text, which is the same for all traces.
 * @param {Uint32Array} order
 * @param {Entries} entries
 */
function rowsOf (order, { inputs, outputs, places, blocks }) {
  const starts = 2 ** Math.ceil(Math.log2(order.length))
  const shared = places.length === 0 ? 0 : MOST_BLOCKS + BLOCK_TOKENS
  const text = textOf(shared + starts + inputs.reduce((most, input) => Math.max(most, input), 0))
  const size = text.length + 24 * order.length + 4 * places.length
  const writer = new RowsWriter(['input', 'output', 'prompt'], true, size)
  writer.lay(text)
  const ends = new Float64Array(blocks.length)
  for (let i = 0, end = 0; i < ends.length; i++) ends[i] = end += blocks[i]
  for (let n = 0; n < order.length; n++) {
    const i = order[n]
    const input = inputs[i]
    const length = Math.max(0, input * WORD_BYTES - 1)
    const own = (shared + (Math.imul(n, SPREAD) & (starts - 1))) * WORD_BYTES
    writer.entry()
    writer.json(String(input))
    writer.json(String(outputs[i]))
    if (blocks[i] === 0) {
      writer.part(own, length)
    } else {
      const froms = places.slice(ends[i] - blocks[i], ends[i]).map(place => place * WORD_BYTES)
      // The rest of a prompt after its blocks is unique.
      writer.parts([...froms, own], BLOCK_TOKENS * WORD_BYTES, length)
    }
  }
  return writer.end()
}

/** Returns the same words in each run. @type {(words: number) => Buffer} */
function textOf (words) {
  const random = randomFrom(1)
  const list = WORDS.map(word => Buffer.from(`${word} `))
  const text = Buffer.allocUnsafe(words * WORD_BYTES)
  for (let at = 0; at < text.length; at += WORD_BYTES) text.set(list[Math.floor(random() * list.length)], at)
  return text
}

module.exports = { readTrace }
