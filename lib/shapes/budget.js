'use strict'

// The number of requests that a connection may still send, and how connections that join and leave share a total. A
// request is taken before it is written, and never returned.

class Budget {
  /** @param {number} [limit] requests; unlimited when left out */
  constructor (limit = Infinity) {
    this.left = limit
  }

  /**
   * @param {number} n number of wanted requests
   * @returns {number} number of granted requests
   */
  take (n) {
    // `| 0` keeps it an integer for V8: `left` may be Infinity in general, but not here.
    if (n > this.left) n = this.left | 0
    this.left -= n
    return n
  }
}

/** A budget that several connections share. */
class Pot extends Budget {
  /** @param {number} limit @param {() => void} onEmpty called once, in the middle of a write */
  constructor (limit, onEmpty) {
    super(limit)
    this.onEmpty = onEmpty
  }

  /** @param {number} n */
  take (n) {
    const granted = super.take(n)
    if (granted > 0 && this.left === 0) this.onEmpty()
    return granted
  }
}

/**
 * @typedef {object} Holder
 * @property {Budget} budget
 * @property {(limit: number) => void} allow adds this number of requests
 */

/** The numbers of requests for the connections of a load generator: a limit for each connection, or one total. */
class Allowance {
  /**
   * @param {{ amount: number | null, maxConnectionRequests: number | null, maxOverallRequests: number | null }} limits
   * @param {boolean} [expectsMore] whether more holders will join
   */
  constructor ({ amount, maxConnectionRequests, maxOverallRequests }, expectsMore = false) {
    this.each = maxConnectionRequests ?? Infinity
    /** The total of all connections; null when each has its own limit, or none. */
    this.total = amount ?? (maxConnectionRequests === null ? maxOverallRequests : null)
    /**
     * Requests without a holder. With limits per connection it is Infinity once a holder has left, because another one
     * may join.
     */
    this.spare = expectsMore && this.total === null ? Infinity : 0
  }

  /** Returns the budget of one connection. @type {(limit: number) => Budget} */
  budget (limit) {
    return new Budget(limit)
  }

  /**
   * @param {number} connections that begin together
   * @returns {number[]} the limits of the connections with at least one request
   */
  share (connections) {
    if (connections === 0 && this.total !== null) this.spare = this.total
    return this.total === null
      ? new Array(connections).fill(this.each)
      : shareOut(this.total, connections).filter(limit => limit > 0)
  }

  /**
   * A holder joins: the remaining requests are divided again.
   * @param {() => Holder[]} staying called only when needed: thousands may join one by one
   * @returns {number} the limit of the new holder; 0 when none is left
   */
  join (staying) {
    if (this.total === null) return this.each
    const others = staying()
    const left = others.reduce((sum, { budget }) => sum + budget.left, this.spare)
    if (left <= others.length) return 0
    const limits = shareOut(left, others.length + 1)
    this.spare = 0
    others.forEach((other, i) => other.allow(limits[i]))
    return limits[others.length]
  }

  /**
   * A holder leaves.
   * @param {number} rest its unused requests
   * @param {boolean} isLast whether no other holder is left
   * @param {() => Holder[]} staying
   */
  leave (rest, isLast, staying) {
    if (this.total === null) {
      this.spare = Infinity
    } else if (isLast) {
      this.spare += rest
    } else {
      const others = staying()
      const limits = shareOut(rest, others.length)
      others.forEach((other, i) => { if (limits[i] > 0) other.allow(other.budget.left + limits[i]) })
    }
  }
}

/** Connections that share pots of requests, instead of own limits: any of them may send the rest of a pot. */
class Pots {
  /**
   * @param {number[]} limits of the pots
   * @param {(i: number) => number} potOf returns the pot of the i-th connection
   * @param {(pot: Pot) => void} onEmpty called once for each, in the middle of a write
   */
  constructor (limits, potOf, onEmpty) {
    /** @type {Pot[]} */
    this.pots = limits.map((limit, i) => new Pot(limit, () => onEmpty(this.pots[i])))
    this.potOf = potOf
    this.total = limits.reduce((sum, limit) => sum + limit, 0)
    this.spare = 0
  }

  /** @param {number} limit @param {number} i which connection @returns {Budget} */
  budget (limit, i) {
    return this.pots[this.potOf(i)]
  }

  /** @param {number} connections */
  share (connections) {
    return new Array(connections).fill(this.total)
  }

  join () {
    this.spare = 0
    return this.pots.reduce((sum, { left }) => sum + left, 0)
  }

  /** @type {(rest: number, isLast: boolean) => void} */
  leave (rest, isLast) {
    // The next connection that joins can use it.
    if (isLast) this.spare = rest
  }
}

/**
 * Divides a whole number as evenly as possible; the first parts receive the remainder.
 * @type {(total: number, parts: number) => number[]}
 */
function shareOut (total, parts) {
  const least = Math.floor(total / parts)
  const remainder = total - least * parts
  return Array.from({ length: parts }, (_, i) => i < remainder ? least + 1 : least)
}

module.exports = { Allowance, Budget, Pot, Pots, shareOut }
