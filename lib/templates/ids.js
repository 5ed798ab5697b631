'use strict'

// `[<id>]`, and the ids that replace it. All have the same length.

const { randomBytes } = require('node:crypto')

const DIGITS = 10

/** Makes unique ids: a random prefix, then a count. */
class Ids {
  constructor () {
    /** @type {string | null} */
    this.own = null
    this.count = 0
  }

  /** Lazy: most of 10,000 users may never need one. */
  get prefix () {
    return (this.own ??= randomBytes(8).toString('hex').slice(0, 15) + '-')
  }

  next () {
    return this.prefix + String(++this.count).padStart(DIGITS, '0')
  }
}

/** @type {import('./template').Tag} */
const ID = {
  text: '[<id>]',
  inUrl: /(?:\[|%5B)(?:<|%3C)id(?:>|%3E)(?:\]|%5D)/gi,
  filler: {
    size: 16 + DIGITS,
    write ({ ids }, bytes, at) {
      bytes.write(ids.prefix, at, 'latin1')
      let rest = ++ids.count
      for (let i = at + ids.prefix.length + DIGITS - 1; i >= at + ids.prefix.length; i--) {
        bytes[i] = 48 + rest % 10
        rest = Math.floor(rest / 10)
      }
    }
  }
}

module.exports = { ID, Ids }
