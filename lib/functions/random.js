'use strict'

// Random values of a user function: seeded, so that a run can be repeated.

const { show } = require('../core/foreign-text')

/**
 * @typedef {(() => number) & { int: (from: number, to: number) => number, pick: <T>(list: ArrayLike<T>) => T,
 *   sample: <T>(list: ArrayLike<T>, n: number) => T[], shuffle: <T>(list: ArrayLike<T>) => T[] }} Random
 *
 * @param {() => number} draw 0 to 1, without 1
 * @returns {Random}
 */
function randomWith (draw) {
  /** @type {(from: number, to: number) => number} */
  const int = (from, to) => {
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || to < from) {
      throw new TypeError(
        `random.int: expected two whole numbers, the lower one first, got ${show(from)} and ${show(to)}`
      )
    }
    return from + Math.floor(draw() * (to - from + 1))
  }
  /** @type {(list: ArrayLike<any>, name: string) => ArrayLike<any>} */
  const listOf = (list, name) => {
    if (list === null || typeof list !== 'object' || typeof list.length !== 'number') {
      throw new TypeError(`random.${name}: expected a list, got ${show(list)}`)
    }
    return list
  }
  /** Fisher and Yates, of which the first n are done. @type {(list: any[], n: number) => any[]} */
  const shuffled = (list, n) => {
    for (let i = 0; i < n; i++) {
      const j = int(i, list.length - 1)
      const kept = list[i]
      list[i] = list[j]
      list[j] = kept
    }
    return list.slice(0, n)
  }
  return Object.assign(() => draw(), {
    int,
    pick (/** @type {ArrayLike<any>} */ list) {
      const { length } = listOf(list, 'pick')
      if (length === 0) throw new TypeError('random.pick: the list is empty')
      return list[int(0, length - 1)]
    },
    sample (/** @type {ArrayLike<any>} */ list, /** @type {number} */ n) {
      const all = Array.from(listOf(list, 'sample'))
      if (!Number.isInteger(n) || n < 0) throw new TypeError(`random.sample: expected how many, got ${show(n)}`)
      return shuffled(all, Math.min(n, all.length))
    },
    shuffle (/** @type {ArrayLike<any>} */ list) {
      const all = Array.from(listOf(list, 'shuffle'))
      return shuffled(all, all.length)
    }
  })
}

module.exports = { randomWith }
