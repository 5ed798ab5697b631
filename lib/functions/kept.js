'use strict'

// A cache, bounded in number and in bytes. At the bound all values are dropped: keys that never repeat gain nothing
// from a cache, and dropping the oldest value would cost each call.

/** @template T */
class Kept {
  /** @param {number} most @param {number} bytes with their keys */
  constructor (most, bytes) {
    this.most = most
    this.bytes = bytes
    /** @type {Map<string, T>} */
    this.values = new Map()
    this.used = 0
  }

  get size () {
    return this.values.size
  }

  /** @param {string} key */
  get (key) {
    return this.values.get(key)
  }

  /** @param {string} key @param {T} value @param {number} size of it, bytes */
  set (key, value, size) {
    // V8 has up to two bytes for a character.
    const bytes = 2 * key.length + size
    if (bytes > this.bytes) return
    if (this.values.size >= this.most || this.used + bytes > this.bytes) {
      this.values.clear()
      this.used = 0
    }
    this.used += bytes
    this.values.set(key, value)
  }
}

/** Values by target and key: the bounds apply to each target. @template T */
class KeptByTarget {
  /** @param {number} most @param {number} bytes with their keys */
  constructor (most, bytes) {
    this.most = most
    this.bytes = bytes
    /** @type {Map<import('../requests/target').Target, Kept<T>>} */
    this.targets = new Map()
  }

  /** @param {import('../requests/target').Target} target @returns {Kept<T>} */
  of (target) {
    let kept = this.targets.get(target)
    if (kept === undefined) this.targets.set(target, kept = new Kept(this.most, this.bytes))
    return kept
  }
}

module.exports = { Kept, KeptByTarget }
