'use strict'

// Formats the place of a mistake inside an option: `scenarios[1].requests[2].pause`.

const { cut, printable } = require('../core/foreign-text')

class PlacedError extends TypeError {
  /**
   * @param {string} place such as `[1].requests[2]`, from the object or list that is read
   * @param {string} reason what was expected there, and what was given
   * @param {unknown} [cause]
   */
  constructor (place, reason, cause) {
    super(`${place.replace(/^\./, '')}: ${reason}`, { cause })
    this.place = place
    this.reason = reason
  }
}

/**
 * @template T
 * @template [G=undefined]
 * @param {string} place of what is read, in what is around it: `.pause`, `[2]`
 * @param {(given: G) => T} read
 * @param {G} [given] what `read` is called with
 * @returns {T}
 * @throws {PlacedError} for what is wrong in there
 */
function within (place, read, given) {
  try {
    return read(/** @type {G} */ (given))
  } catch (error) {
    if (error instanceof PlacedError) throw new PlacedError(place + error.place, error.reason, error)
    if (error instanceof TypeError) throw new PlacedError(place, error.message, error)
    throw error
  }
}

/**
 * @template T
 * @param {unknown[]} list
 * @param {(entry: any, i: number) => T} read
 * @returns {T[]}
 * @throws {PlacedError}
 */
function eachWithin (list, read) {
  // Array.from makes holes undefined.
  return Array.from(list, (entry, i) => within(`[${i}]`, () => {
    try {
      return read(entry, i)
    } catch (error) {
      // The getters and proxies of what was given throw anything.
      throw error instanceof TypeError ? error : new TypeError(`reading it failed: ${error}`)
    }
  }))
}

/**
 * @param {string | number} key of an object, or index into an array
 * @returns {string} its part of a place
 */
function placeOf (key) {
  return typeof key === 'number' ? `[${key}]` : `.${cut(printable(key), 60)}`
}

module.exports = { PlacedError, eachWithin, placeOf, within }
