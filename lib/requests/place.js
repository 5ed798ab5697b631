'use strict'

// Formats the place of a mistake inside an option: `scenarios[1].requests[2].pause`.

const { cut, printable } = require('../core/foreign-text')

class PlacedError extends TypeError {
  /**
   * @param {string} place such as `[1].requests[2]`, relative to the object or list that is read
   * @param {string} reason the expected value, and the given one
   * @param {unknown} [cause]
   */
  constructor (place, reason, cause) {
    super(`${place.replace(/^\./, '')}: ${reason}`, { cause })
    this.place = place
    this.reason = reason
    /** Further problems. @type {PlacedError[]} */
    this.others = []
  }
}

/**
 * @template T
 * @template [G=undefined]
 * @param {string} place within the surrounding value: `.pause`, `[2]`
 * @param {(given: G) => T} read
 * @param {G} [given] the argument of `read`
 * @returns {T}
 * @throws {PlacedError} for a problem in the value
 */
function within (place, read, given) {
  try {
    return read(/** @type {G} */ (given))
  } catch (error) {
    if (error instanceof PlacedError) throw inside(place, error)
    if (error instanceof TypeError) throw new PlacedError(place, error.message, error)
    throw error
  }
}

/** @param {string} place @param {PlacedError} error with a place inside of that @returns {PlacedError} */
function inside (place, error) {
  const whole = new PlacedError(place + error.place, error.reason, error)
  whole.others = error.others.map(other => inside(place, other))
  return whole
}

/**
 * @template T
 * @param {unknown[]} list
 * @param {(entry: any, i: number) => T} read
 * @returns {T[]}
 * @throws {PlacedError} for the first invalid entry, with some of the others
 */
function eachWithin (list, read) {
  // Array.from turns holes into undefined.
  return together(Array.from(list, (entry, i) => () => within(`[${i}]`, () => entryOf(entry, i, read))))
}

/**
 * @template T
 * @param {ReadonlyArray<() => T>} reads of parts that do not depend on each other
 * @returns {T[]}
 * @throws {PlacedError} for the first invalid part, with some of the others
 */
function together (reads) {
  /** @type {PlacedError[]} */
  const errors = []
  const all = reads.map(read => {
    if (errors.length >= MOST_REPORTED) return undefined
    try {
      return read()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      errors.push(error instanceof PlacedError ? error : new PlacedError('', error.message, error))
      return undefined
    }
  })
  if (errors.length === 0) return /** @type {T[]} */ (all)
  const [first, ...rest] = errors.flatMap(error => [error, ...error.others])
  first.others = rest
  throw first
}

/** The limit of reported problems in a list, and in an entry. */
const MOST_REPORTED = 10

/** @type {(entry: any, i: number, read: (entry: any, i: number) => any) => any} */
function entryOf (entry, i, read) {
  try {
    return read(entry, i)
  } catch (error) {
    // Getters and proxies of given values throw anything.
    throw error instanceof TypeError ? error : new TypeError(`reading it failed: ${error}`)
  }
}

/**
 * @param {string | number} key of an object, or index into an array
 * @returns {string} its text in a place
 */
function placeOf (key) {
  return typeof key === 'number' ? `[${key}]` : `.${cut(printable(key), 60)}`
}

module.exports = { PlacedError, eachWithin, placeOf, together, within }
