'use strict'

// A list with a limit for long runs: when it is full, each two neighbours are merged, and later entries are merged to
// the same size.

/** @template T */
class Condensed {
  /** @param {number} limit an even number @param {(earlier: T, later: T) => T} join */
  constructor (limit, join) {
    this.limit = limit
    this.join = join
    /** @type {T[]} */
    this.list = []
    /** The number of added entries per entry of the list, and in its last entry. */
    this.per = 1
    this.inLast = 1
  }

  /** @param {T} entry */
  add (entry) {
    const { list } = this
    if (this.inLast < this.per) {
      list.push(this.join(/** @type {T} */ (list.pop()), entry))
      this.inLast++
      return
    }
    list.push(entry)
    this.inLast = 1
    if (list.length < this.limit) return
    this.list = list.flatMap((later, i) => i % 2 === 0 ? [] : [this.join(list[i - 1], later)])
    this.per *= 2
    this.inLast = this.per
  }

  /** @returns {T[]} the complete entries of the list */
  get complete () {
    return this.inLast < this.per ? this.list.slice(0, -1) : this.list
  }
}

module.exports = { Condensed }
