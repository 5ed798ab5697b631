'use strict'

// The data sources of a load generator, which its connections share: they select the rows of each iteration, and read
// values.

const { randomFrom } = require('../core/random')
const { nameIn } = require('../requests/expression')
const { parseJsonPath } = require('../requests/json-path')
const { cursorOf } = require('../requests/picks')
const { Rows } = require('./rows')

/**
 * @typedef {import('./own').Own} Own
 * @typedef {import('../requests/json-path').Step} Step
 *
 * @typedef {object} SourceOptions
 * @property {string} name
 * @property {'order' | 'random' | 'once' | 'connection'} pick how the next row is selected
 * @property {'run' | 'scenario'} end what ends when each row has been used once
 * @property {boolean} always whether every iteration has a row of it: no template uses it, so a hook may
 * @property {boolean} lasts whether iterations continue without another row: only requests that a user sends once use
 *   it
 * @property {boolean} isOfRequests whether each row is for one request: an arrival of a trace
 * @property {boolean} used whether a connection of this load generator may need it
 * @property {import('../requests/picks').Turn} turn which of its rows this load generator uses
 * @property {number} seed of random values
 *
 * @typedef {import('./rows').RowsData & SourceOptions} PlannedSource
 */

class Sources {
  /**
   * @param {ReadonlyArray<PlannedSource>} list
   * @param {() => void} onOver called once, during `draw`: a source is used up that ends the run
   */
  constructor (list, onOver) {
    this.list = list
    this.onOver = onOver
    /** The source that has ended the run: no iteration begins any more. @type {PlannedSource | null} */
    this.over = null
    this.rows = list.map(source => new Rows(source))
    this.cursors = list.map(({ pick, turn, seed, starts: { length: count } }) =>
      pick === 'connection' ? null : cursorOf(pick, { first: 0, count }, turn, seed))
  }

  /**
   * @param {string} text such as users.email
   * @returns {{ source: number, column: number, steps: Step[] } | null} null when the text begins with no name of a
   *   source
   */
  find (text) {
    const name = nameIn(text)
    const source = this.list.findIndex(one => one.name === name)
    return source === -1 ? null : { source, ...findColumn(this.list[source].columns, text.slice(name.length + 1)) }
  }

  /** @type {(text: string) => import('./template').TextFiller | null} */
  readerOf (text) {
    const found = this.find(text)
    if (found === null || found.steps.length > 0) return null
    const { source, column } = found
    const rows = this.rows[source]
    return own => rows.text(own.rows[source], column)
  }

  /**
   * @param {number} number of a connection in the whole run
   * @returns {Int32Array} its initial row in each source
   */
  begin (number) {
    return Int32Array.from(this.list, ({ pick, starts: { length } }) => pick === 'connection' ? number % length : 0)
  }

  /**
   * Takes rows for an iteration.
   * @param {Own} own receives the next row of each source
   * @param {ReadonlyArray<number>} used indexes of the sources that it needs
   * @returns {PlannedSource | null} the source without a row left, in which case no row is taken; null otherwise
   */
  draw (own, used) {
    const { cursors } = this
    if (this.over !== null) return this.over
    for (let i = 0; i < used.length; i++) if (cursors[used[i]]?.next === -1) return this.useUp(used[i])
    for (let i = 0; i < used.length; i++) {
      const cursor = cursors[used[i]]
      if (cursor === null || this.isHeld(own, used[i])) continue
      own.rows[used[i]] = cursor.next
      cursor.advance()
      if (cursor.next === -1) this.useUp(used[i])
    }
    return null
  }

  /**
   * Returns whether its last row was not sent, and is used for the next request.
   * @type {(own: Own, i: number) => boolean}
   */
  isHeld (own, i) {
    return own.isUnsent && this.list[i].isOfRequests
  }

  /** @param {number} source index of a source without a row left */
  useUp (source) {
    const used = this.list[source]
    // A source that only requests with `once` use ends no run: users who have a row continue.
    if (used.end === 'run' && !used.lasts && this.over === null) {
      this.over = used
      this.onOver()
    }
    return used
  }

  /**
   * Adds the rows of the iteration to the context, for hooks.
   * @type {(own: Own, used: ReadonlyArray<number>) => void}
   */
  show (own, used) {
    for (const source of used) own.context[this.list[source].name] = this.rows[source].valueOf(own.rows[source])
  }
}

/**
 * @param {number} seed of the run
 * @param {number} number of a connection in the whole run
 * @returns {() => number} random numbers of that connection
 */
function chanceOf (seed, number) {
  return randomFrom(seed + number * 0x9e3779b1 + 1)
}

/**
 * @param {ReadonlyArray<string> | null} columns null when a row is one value
 * @param {string} text such as address.city: a column, or a value inside of the column address
 * @returns {{ column: number, steps: Step[] }} column: −1 for none; steps: the path inside of its value
 */
function findColumn (columns, text) {
  if (columns === null) return { column: 0, steps: [] }
  const exact = columns.indexOf(text)
  if (exact !== -1) return { column: exact, steps: [] }
  const within = columns.filter(name => text.startsWith(name) && /^[.[]/.test(text.slice(name.length))).sort((a, b) =>
    b.length - a.length)[0]
  return within === undefined
    ? { column: -1, steps: [] }
    : {
        column: columns.indexOf(within),
        steps: parseJsonPath(text.slice(within.length).replace(/^\./, ''))
      }
}

module.exports = { Sources, chanceOf, findColumn }
