'use strict'

// Chooses the next request of a list: in order, at random, or each once. All connections of a generator to one origin
// share one cursor. Generators alternate, so that together they send the list in its order. `next` is the index of the
// next request, −1 at the end; `advance` moves to the following one.

const { randomFrom } = require('../core/random')

/**
 * @typedef {object} Cursor
 * @property {number} next
 * @property {() => void} advance
 *
 * @typedef {object} Turn
 * @property {number} part index of the load generator among those with a connection to this origin, from 0
 * @property {number} parts the number of these load generators
 */

/** @implements {Cursor} */
class InOrder {
  /** @param {{ first: number, count: number }} origin @param {Turn} turn */
  constructor ({ first, count }, { part, parts }) {
    this.first = first
    this.end = first + count
    this.count = count
    this.step = parts % count
    this.next = first + part % count
  }

  advance () {
    this.next += this.step
    if (this.next >= this.end) this.next -= this.count
  }
}

/** @implements {Cursor} */
class Once {
  /** @param {{ first: number, count: number }} origin @param {Turn} turn */
  constructor ({ first, count }, { part, parts }) {
    this.end = first + count
    this.step = parts
    this.next = part < count ? first + part : -1
  }

  advance () {
    this.next += this.step
    if (this.next >= this.end) this.next = -1
  }
}

/** @implements {Cursor} */
class AtRandom {
  /**
   * @param {{ first: number, count: number }} origin
   * @param {Turn} turn
   * @param {() => number} random with the same seed in all load generators: each uses every n-th number
   */
  constructor ({ first, count }, { part, parts }, random) {
    this.first = first
    this.count = count
    this.others = parts - 1
    this.random = random
    this.next = 0
    for (let i = 0; i < part; i++) random()
    this.draw()
  }

  draw () {
    this.next = this.first + Math.floor(this.random() * this.count)
  }

  advance () {
    for (let i = 0; i < this.others; i++) this.random()
    this.draw()
  }
}

/**
 * @param {'order' | 'random' | 'once'} pick
 * @param {{ first: number, count: number }} origin
 * @param {Turn} turn
 * @param {number} seed
 * @returns {Cursor}
 */
function cursorOf (pick, origin, turn, seed) {
  if (pick === 'order') return new InOrder(origin, turn)
  // A different seed for each origin, so that their choices differ.
  return pick === 'once' ? new Once(origin, turn) : new AtRandom(origin, turn, randomFrom(seed + 7919 * origin.first))
}

/**
 * @param {number} count requests to an origin
 * @param {Turn} turn
 * @returns {number} how many of them this load generator sends, when each is sent once
 */
function shareOfOnce (count, { part, parts }) {
  return Math.max(0, Math.ceil((count - part) / parts))
}

module.exports = { cursorOf, shareOfOnce }
