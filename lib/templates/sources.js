'use strict'

// The data sources of a generator: the row of each for an iteration, and its values. All connections share them.

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
 * @property {'order' | 'random' | 'once' | 'connection'} pick which row is next
 * @property {'run' | 'scenario'} end ends when each row has been used once
 * @property {boolean} always whether every iteration has a row of it: no template names it, so a hook may use it
 * @property {boolean} lasts whether iterations go on without another row of it: only requests that a user sends once
 *   need one
 * @property {boolean} isOfRequests whether each row belongs to one request: that of an arrival in a trace
 * @property {boolean} used whether this generator has a connection that may need it
 * @property {import('../requests/picks').Turn} turn which of its rows are this generator's
 * @property {number} seed of random values
 *
 * @typedef {import('./rows').RowsData & SourceOptions} PlannedSource
 */

class Sources {
  /**
   * @param {ReadonlyArray<PlannedSource>} list
   * @param {() => void} onOver called once, in the middle of a draw: a source is used up that the run ends with
   */
  constructor (list, onOver) {
    this.list = list
    this.onOver = onOver
    /** That source: no iteration begins any more. @type {PlannedSource | null} */
    this.over = null
    this.rows = list.map(source => new Rows(source))
    this.cursors = list.map(({ pick, turn, seed, starts: { length: count } }) =>
      pick === 'connection' ? null : cursorOf(pick, { first: 0, count }, turn, seed))
  }

  /**
   * @param {string} text such as users.email
   * @returns {{ source: number, column: number, steps: Step[] } | null} null for a text that names no source
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
   * @returns {Int32Array} the rows that it begins with
   */
  begin (number) {
    return Int32Array.from(this.list, ({ pick, starts: { length } }) => pick === 'connection' ? number % length : 0)
  }

  /**
   * An iteration begins.
   * @param {Own} own gets the next row of each source
   * @param {ReadonlyArray<number>} used which sources the iteration needs
   * @returns {PlannedSource | null} the source that has none left; no row of any is taken then
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

  /** Returns whether its row goes to the next request, as it went to none. @type {(own: Own, i: number) => boolean} */
  isHeld (own, i) {
    return own.isUnsent && this.list[i].isOfRequests
  }

  /** @param {number} source that has no row left */
  useUp (source) {
    const used = this.list[source]
    // With a row, a user goes on; without one, it ends.
    if (used.end === 'run' && !used.lasts && this.over === null) {
      this.over = used
      this.onOver()
    }
    return used
  }

  /** Hooks see the rows of the iteration. @type {(own: Own, used: ReadonlyArray<number>) => void} */
  show (own, used) {
    for (const source of used) own.context[this.list[source].name] = this.rows[source].valueOf(own.rows[source])
  }
}

/**
 * @param {number} seed of the run
 * @param {number} number of a connection in the whole run
 * @returns {() => number} chance of its own
 */
function chanceOf (seed, number) {
  return randomFrom(seed + number * 0x9e3779b1 + 1)
}

/**
 * @param {ReadonlyArray<string> | null} columns null where a row is one value
 * @param {string} text such as address.city, which is a column, or a value in the column address
 * @returns {{ column: number, steps: Step[] }} -1 for no column; `steps` lead to the value in it
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
