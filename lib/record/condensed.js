'use strict'

// A list that grows with a run up to a limit: when it is full, each two neighbours are merged, and so are entries that
// are added later.

/** @template T */
class Condensed {
  /** @param {number} limit an even number @param {(earlier: T, later: T) => T} join */
  constructor (limit, join) {
    this.limit = limit
    this.join = join
    /** @type {T[]} */
    this.list = []
    /** How many entries that were added make one of the list, and how many the last one has. */
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

  /** @returns {T[]} those that were made of as many entries as all others */
  get complete () {
    return this.inLast < this.per ? this.list.slice(0, -1) : this.list
  }
}

module.exports = { Condensed }
