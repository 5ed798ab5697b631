'use strict'

// The loops of flows: repeat, while and forEach.

const { show } = require('../core/foreign-text')

/**
 * @typedef {import('./frame').Cursor} Cursor
 * @typedef {import('./frame').Frame} Frame
 * @typedef {import('./frame').Part} Part
 * @typedef {import('./value').Value} Value
 */

const MOST_TURNS = 1_000_000
const LONGEST_NAME = 100

/**
 * The base of loops.
 * @abstract
 * @implements {Part}
 */
class LoopPart {
  /** @param {Part} body */
  constructor (body) {
    this.body = body
  }

  /** @param {Frame} frame */
  async run (frame) {
    const outer = frame.index
    const at = frame.cursor = { part: this, i: 0, count: 0, frames: null, outer: frame.cursor }
    try {
      await this.turns(frame, at)
      frame.cursor = at.outer
    } finally {
      frame.index = outer
    }
  }

  /** @type {Cursor['part']['restAfter']} */
  restAfter (frame, { i, count }) {
    return i + 1 < count ? (count - i - 1) * this.body.rest(frame) : 0
  }

  /** @abstract @param {Frame} frame @param {Cursor} at */
  async turns (frame, at) {}

  /** @abstract @type {Part['rest']} */
  rest (frame) {
    return 0
  }

  /**
   * @param {Frame} frame
   * @param {Cursor} at
   * @param {number} index index of the turn
   * @param {number} count number of turns: if one fails, the pauses of the remaining ones are kept
   */
  async turn (frame, at, index, count) {
    frame.index = index
    at.i = index
    at.count = count
    try {
      const wait = this.body.run(frame)
      if (wait !== null) await wait
    } catch (error) {
      // Before the index and the item of the turn are removed.
      frame.abort()
      throw error
    }
    const breath = frame.breathe()
    if (breath !== null) await breath
  }
}

class RepeatPart extends LoopPart {
  /**
   * @param {string} text
   * @param {Value} times
   * @param {boolean} isKnown whether the number is constant
   * @param {Part} body
   */
  constructor (text, times, isKnown, body) {
    super(body)
    this.isKnown = isKnown
    this.name = nameOf('repeat', text)
    this.times = times
  }

  /** @param {Frame} frame */
  count (frame) {
    const given = this.times(frame)
    const times = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
    return Number.isInteger(times) && times >= 0 && times <= MOST_TURNS ? times : null
  }

  /** @param {Frame} frame @param {Cursor} at */
  async turns (frame, at) {
    const times = this.count(frame)
    // A variable of the environment is a constant as well, but may be any text.
    if (!this.isKnown || times === null) {
      frame.check(this.name, times === null
        ? `expected a whole number from 0 to ${MOST_TURNS}, got ${kindOf(this.times(frame))}`
        : null)
    }
    for (let i = 0; i < times && !frame.iteration.over; i++) await this.turn(frame, at, i, times)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return (this.count(frame) ?? 0) * this.body.rest(frame)
  }
}

class WhilePart extends LoopPart {
  /** @param {string} text @param {Value} test @param {number} most @param {Part} body */
  constructor (text, test, most, body) {
    super(body)
    this.name = nameOf('while', text)
    this.test = test
    this.most = most
    this.failure = `it is still true after ${most} ${most === 1 ? 'turn' : 'turns'}`
  }

  /** @param {Frame} frame @param {Cursor} at */
  async turns (frame, at) {
    const { most } = this
    let i = 0
    frame.index = 0
    for (; frame.is(this.test) && !frame.iteration.over; i++, frame.index = i) {
      if (i === most) frame.check(this.name, this.failure)
      await this.turn(frame, at, i, 0)
    }
    if (!frame.iteration.over) frame.check(this.name, null)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return frame.is(this.test) ? this.body.rest(frame) : 0
  }
}

class EachPart extends LoopPart {
  /** @param {string} text @param {Value} list @param {string} item @param {Part} body */
  constructor (text, list, item, body) {
    super(body)
    this.name = nameOf('forEach', text)
    this.list = list
    this.item = item
  }

  /** @param {Frame} frame @param {Cursor} at */
  async turns (frame, at) {
    const { item } = this
    const list = this.list(frame)
    const isList = Array.isArray(list)
    frame.check(this.name, isList ? null : `expected a list, got ${kindOf(list)}`)
    const { context } = frame
    const had = Object.hasOwn(context, item)
    const before = context[item]
    try {
      for (let i = 0; i < list.length && !frame.iteration.over; i++) {
        setItem(context, item, list, i)
        await this.turn(frame, at, i, list.length)
      }
    } finally {
      if (had) context[item] = before
      else delete context[item]
    }
  }

  /** @type {Part['rest']} */
  rest (frame) {
    const list = this.list(frame)
    return Array.isArray(list) ? list.length * this.body.rest(frame) : 0
  }
}

/** @type {(context: Record<string, any>, name: string, list: any[], index: number) => void} */
function setItem (context, name, list, index) {
  const value = list[index]
  // A number is sent with the same digits as in the response.
  if (typeof value === 'number') {
    const { keepText, textOf } = require('../requests/json-numbers')
    keepText(context, name, textOf(list, String(index), value))
  }
  context[name] = value
}

/** @type {(kind: string, text: string) => string} */
function nameOf (kind, text) {
  const name = `${kind} ${text.replace(/\s+/g, ' ').trim()}`
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name
}

/** Describes a value without texts of the server. @param {any} value */
function kindOf (value) {
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'string' ? 'a text' : show(value)
}

module.exports = { EachPart, RepeatPart, WhilePart }
