'use strict'

// Counts that are reported as a plain object, and then restart from 0. A class lists the reported fields. The type of a
// field determines how it is added, encoded and reset: a number, a histogram, or counts by a key.

const { Histogram } = require('./histogram')

/** @typedef {{ FIELDS: ReadonlyArray<string>, hasParts?: boolean, new (...args: any[]): any }} ClassOf counts */

/**
 * The counts of a class as a plain object, for other threads and machines.
 * @template {ClassOf} Class
 * @typedef {{ [F in Class['FIELDS'][number]]: InstanceType<Class>[F] extends Histogram
 *   ? import('./histogram').Encoded
 *   : InstanceType<Class>[F] extends CountsByKey ? Record<string, number> : InstanceType<Class>[F] }} ReportOf
 */

/** Counts by a key, such as a reason. @extends {Map<string, number>} */
class CountsByKey extends Map {
  /**
   * @param {number} [most] limit of keys, because a server may send any number of them
   * @param {string} [others] the key for all further ones
   */
  constructor (most = Infinity, others = 'others') {
    super()
    this.most = most
    this.others = others
  }

  /** @param {string} key @param {number} [n] */
  count (key, n = 1) {
    const counted = this.has(key) || this.size < this.most ? key : this.others
    this.set(counted, (this.get(counted) ?? 0) + n)
  }
}

/** @template [Report=any] */
class Counts {
  /** @type {ReadonlyArray<string>} */
  static FIELDS = []

  /** @returns {Array<[field: string, value: any]>} */
  get entries () {
    return /** @type {typeof Counts} */ (this.constructor).FIELDS.map(field =>
      [field, /** @type {Record<string, any>} */ (this)[field]])
  }

  /** @param {Report} report */
  add (report) {
    for (const [field, value] of this.entries) {
      const more = /** @type {any} */ (report)[field]
      if (value instanceof Histogram) value.addEncoded(more)
      else if (value instanceof CountsByKey) for (const [key, n] of Object.entries(more)) value.count(key, n)
      else if (typeof value === 'object') for (const key in more) value[key] = (value[key] ?? 0) + more[key]
      else /** @type {any} */ (this)[field] += more
    }
  }

  reset () {
    for (const [field, value] of this.entries) {
      if (value instanceof Histogram) value.reset()
      else if (value instanceof CountsByKey) value.clear()
      else /** @type {any} */ (this)[field] = typeof value === 'object' ? {} : 0
    }
  }

  /** @returns {Report} */
  encode () {
    return /** @type {any} */ (Object.fromEntries(this.entries.map(([field, value]) => [
      field,
      value instanceof Histogram
        ? value.encode()
        : value instanceof CountsByKey ? Object.fromEntries(value) : typeof value === 'object' ? { ...value } : value
    ])))
  }

  /** @returns {Report} the counts since the last call */
  take () {
    const report = this.encode()
    this.reset()
    return report
  }

  skip () {
    this.reset()
  }
}

module.exports = { Counts, CountsByKey }
