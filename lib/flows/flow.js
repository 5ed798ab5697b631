'use strict'

// Runs a scenario with conditions, loops and parallel requests as the function of a user: one call is one iteration. It
// decides what is sent next; the user's lanes send it and count it (functions/).

const { show } = require('../core/foreign-text')
const { lengthLeft, lengthOfAll } = require('../users/pause')
const { setUpLater } = require('../users/set-up')
const { IterationCut } = require('../functions/iteration-cut')
const { isTrue, valueOf } = require('./value')

/**
 * @typedef {import('../users/compiled-scenario').CompiledScenario} CompiledScenario
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../templates/provision').Provision} Provision
 * @typedef {import('../users/pause').Pause} Pause
 * @typedef {import('../functions/iteration').Iteration} Iteration
 * @typedef {import('./value').Value} Value
 *
 * @typedef {object} Part of a flow
 * @property {(frame: Frame) => Promise<unknown> | null} run null when there is nothing to wait for
 * @property {(frame: Frame) => number} rest ms of the pauses that it would have, when it is not run any more
 */

/**
 * Where a list, a loop or parallel branches are.
 * @typedef {object} Cursor
 * @property {{ restBehind: (frame: Frame, at: Cursor) => number }} part
 * @property {number} i
 * @property {number} count of turns of a loop
 * @property {Frame[] | null} frames of branches
 * @property {Cursor | null} outer
 */

/** So many turns of a loop go on without waiting for anything; then other users have theirs. */
const TURNS_AT_ONCE = 100

const MOST_TURNS = 1_000_000
const LONGEST_NAME = 100

/** Where an iteration is: each parallel branch has a frame of its own. */
class Frame {
  /**
   * @param {Iteration} iteration
   * @param {Frame | null} parent of which it is a branch
   */
  constructor (iteration, parent) {
    this.iteration = iteration
    this.user = iteration.of
    this.context = iteration.context
    this.own = iteration.of.user.own
    this.random = iteration.of.draw
    /** @type {number | null} */
    this.status = parent === null ? null : parent.status
    /** @type {number | null} */
    this.index = parent === null ? null : parent.index
    this.turns = 0
    this.parent = parent
    /** @type {Frame} */
    this.root = parent === null ? this : parent.root
    /** Lists and loops that go on here, the innermost first. @type {Cursor | null} */
    this.cursor = null
    /** A request without an outcome, which is followed by pauses. @type {RequestPart | null} */
    this.sending = null
    /** Until when its last pause goes on. */
    this.restsUntil = -Infinity
    this.isAborted = false
  }

  /** The iteration is aborted: its user waits for the pauses that the rest would have had, once. */
  abort () {
    const { root } = this
    if (root.isAborted) return
    root.isAborted = true
    root.user.pausesLeft = root.rest()
  }

  /** @returns {number} ms of the pauses that are left from where it is */
  rest () {
    let ms = Math.max(0, this.restsUntil - this.user.runtime.now())
    if (this.sending !== null) ms += this.sending.rest(this)
    for (let at = this.cursor; at !== null; at = at.outer) ms += at.part.restBehind(this, at)
    return ms
  }

  /** @param {Value} value */
  is (value) {
    return isTrue(value(this))
  }

  /** What sends nothing would hold the thread: gives others a turn now and then. @returns {Promise<void> | null} */
  breathe () {
    return ++this.turns % TURNS_AT_ONCE === 0 ? this.user.breathe() : null
  }

  /**
   * A check of the flow itself.
   * @param {string} name
   * @param {string | null} reason null when it passed
   * @throws {IterationCut} when it has failed
   */
  check (name, reason) {
    const { runtime } = this.user
    const tally = runtime.checks.of(name, null)
    if (reason === null) {
      tally.passed++
      return
    }
    tally.fail(reason, null)
    runtime.onFailedCheck()
    throw new IterationCut(name)
  }
}

/** @implements {Part} */
class RequestPart {
  /**
   * @param {CompiledStep} step
   * @param {number} index of the step
   * @param {number} once how many of the first steps are sent in the first iteration only
   */
  constructor (step, index, once) {
    this.step = step
    this.index = index
    this.isOnce = index < once
    this.isMade = step.setupRequest !== undefined || step.bodyOf !== null
    this.isPlain = !this.isOnce && step.pauses === null && !this.isMade
  }

  /** @type {Part['run']} */
  run (frame) {
    return this.isPlain ? frame.user.sendStep(frame, this.step, null) : this.send(frame)
  }

  /** @param {Frame} frame */
  async send (frame) {
    const { step, index } = this
    const { user: functionUser } = frame
    const { user } = functionUser
    if (this.isOnce && index < (user.once?.of(user.kind)?.first ?? 0)) return
    frame.sending = this
    const made = this.isMade ? await this.make(frame) : null
    await functionUser.sendStep(frame, step, made)
    frame.sending = null
    if (this.isOnce) user.once?.answered(user.kind, index, frame.context)
    if (step.pauses !== null) await pauseFor(step.pauses, frame)
  }

  /**
   * Its hook makes the request, and may take time for that, or its body has values of each.
   * @param {Frame} frame
   * @returns {Promise<{ request: import('../requests/request').Request, literal: import('../requests/request').Request
   *   | null }>} and of what with its values it was made
   * @throws {IterationCut}
   */
  async make (frame) {
    const { step } = this
    const { own, context, index } = frame
    if (index !== null) context.index = index
    const known = step.given === null ? step.request : step.given(own)
    const given = step.bodyOf === null ? known : { ...known, body: step.bodyOf(own) }
    if (own.refused !== null) {
      const reason = own.refused
      own.refused = null
      throw frame.user.refused(step, reason)
    }
    const request = step.setupRequest === undefined
      ? given
      : await setUpLater(step, /** @type {any} */ (step.setupRequest), given, context)
    if (request !== null) return { request, literal: step.given === null ? null : given }
    throw frame.user.refused(step, null)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return this.step.pauses === null || this.isOnce ? 0 : restOf(this.step.pauses, frame)
  }
}

/** @implements {Part} */
class PausePart {
  /** @param {ReadonlyArray<Pause>} pauses */
  constructor (pauses) {
    this.pauses = pauses
  }

  /** @type {Part['run']} */
  run (frame) {
    return pauseFor(this.pauses, frame)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return restOf(this.pauses, frame)
  }
}

/** @type {(pauses: ReadonlyArray<Pause>, frame: Frame) => Promise<void> | null} */
function pauseFor (pauses, frame) {
  const ms = lengthOfAll(pauses, frame.random, frame.context)
  if (!(ms > 0)) return null
  frame.restsUntil = frame.user.runtime.now() + ms
  return frame.user.wait(frame.iteration, ms)
}

/** @type {(pauses: ReadonlyArray<Pause>, frame: Frame) => number} */
const restOf = (pauses, { random, context }) => lengthLeft(pauses, random, context)

/** @implements {Part} */
class ListPart {
  /** @param {ReadonlyArray<Part>} parts */
  constructor (parts) {
    this.parts = parts
  }

  /** @type {Part['run']} */
  run (frame) {
    return this.parts.length === 1 ? this.parts[0].run(frame) : this.each(frame)
  }

  /** @param {Frame} frame */
  async each (frame) {
    const { parts } = this
    // What throws leaves it there: what is behind it is looked at then.
    const at = frame.cursor = { part: this, i: 0, count: 0, frames: null, outer: frame.cursor }
    for (; at.i < parts.length; at.i++) {
      const wait = parts[at.i].run(frame)
      if (wait !== null) await wait
      // Another branch has failed.
      if (frame.iteration.over) return
    }
    frame.cursor = at.outer
  }

  /** @type {Cursor['part']['restBehind']} */
  restBehind (frame, { i }) {
    let ms = 0
    for (i++; i < this.parts.length; i++) ms += this.parts[i].rest(frame)
    return ms
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return this.parts.reduce((sum, part) => sum + part.rest(frame), 0)
  }
}

/** @implements {Part} */
class IfPart {
  /**
   * @param {Value} test
   * @param {Part} then
   * @param {Part} otherwise
   */
  constructor (test, then, otherwise) {
    this.test = test
    this.then = then
    this.otherwise = otherwise
  }

  /** @param {Frame} frame */
  branch (frame) {
    return frame.is(this.test) ? this.then : this.otherwise
  }

  /** @type {Part['run']} */
  run (frame) {
    return this.branch(frame).run(frame)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return this.branch(frame).rest(frame)
  }
}

/**
 * What loops have in common.
 * @abstract
 * @implements {Part}
 */
class LoopPart {
  /** @param {Part} body */
  constructor (body) {
    this.body = body
  }

  /** @type {Part['run']} */
  run (frame) {
    return this.loop(frame)
  }

  /** @param {Frame} frame */
  async loop (frame) {
    const outer = frame.index
    const at = frame.cursor = { part: this, i: 0, count: 0, frames: null, outer: frame.cursor }
    try {
      await this.turns(frame, at)
      frame.cursor = at.outer
    } finally {
      frame.index = outer
    }
  }

  /** @type {Cursor['part']['restBehind']} */
  restBehind (frame, { i, count }) {
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
   * @param {number} index of the turn
   * @param {number} count of turns; of those that are left when one fails, the pauses are kept
   */
  async turn (frame, at, index, count) {
    frame.index = index
    at.i = index
    at.count = count
    try {
      const wait = this.body.run(frame)
      if (wait !== null) await wait
    } catch (error) {
      // Its index and its item are still there.
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
   * @param {boolean} isKnown whether that is a number
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
    // A variable of the environment is known as well, and may be any text.
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
  /**
   * @param {string} text
   * @param {Value} test
   * @param {number} most
   * @param {Part} body
   */
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
  /**
   * @param {string} text
   * @param {Value} list
   * @param {string} item
   * @param {Part} body
   */
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
  // A number is sent with the digits that it has in the response.
  if (typeof value === 'number') {
    const { keepText, textOf } = require('../requests/json-numbers')
    keepText(context, name, textOf(list, String(index), value))
  }
  context[name] = value
}

/** @implements {Part} */
class ParallelPart {
  /** @param {ReadonlyArray<Part>} branches */
  constructor (branches) {
    this.branches = branches
  }

  /** @type {Part['run']} */
  run (frame) {
    return this.all(frame)
  }

  /** @param {Frame} frame */
  async all (frame) {
    const frames = this.branches.map(() => new Frame(frame.iteration, frame))
    const at = frame.cursor = { part: this, i: 0, count: 0, frames, outer: frame.cursor }
    await Promise.all(this.branches.map((branch, i) => start(branch, frames[i])))
    frame.cursor = at.outer
  }

  /** Branches that go on are left where they are. @type {Cursor['part']['restBehind']} */
  restBehind (frame, { frames }) {
    return Math.max(...(frames ?? []).map(frame => frame.rest()))
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return Math.max(...this.branches.map(branch => branch.rest(frame)))
  }
}

/** @param {Part} branch @param {Frame} frame */
async function start (branch, frame) {
  await branch.run(frame)
}

/** @type {(kind: string, text: string) => string} */
function nameOf (kind, text) {
  const name = `${kind} ${text.replace(/\s+/g, ' ').trim()}`
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name
}

/** Returns what it is, and nothing of a text of the server. @param {any} value */
function kindOf (value) {
  if (value === null || value === undefined) return 'nothing'
  return typeof value === 'string' ? 'a text' : show(value)
}

/**
 * @param {ReadonlyArray<any>} nodes of a plan
 * @param {CompiledScenario} scenario whose steps they name
 * @param {number} once how many of its first steps are sent in the first iteration of a user only
 * @returns {(iteration: Iteration) => Promise<unknown>} runs an iteration
 */
function flowRunner (nodes, { steps, means: { provision } }, once) {
  /** @type {(formula: any) => Value} */
  const value = formula => valueOf(formula, provision)
  /** @type {(list: ReadonlyArray<any>) => Part} */
  const listOf = list => new ListPart(list.map(partOf))
  /** @type {(node: any) => Part} */
  const partOf = node => {
    switch (node.kind) {
      case 'request': return new RequestPart(steps[node.step], node.step, once)
      case 'pause': return new PausePart(node.pauses)
      case 'if': return new IfPart(value(node.test), listOf(node.then), listOf(node.otherwise))
      case 'repeat': return new RepeatPart(
        node.text, value(node.times), 'value' in node.times, listOf(node.body)
      )
      case 'while': return new WhilePart(node.text, value(node.test), node.most, listOf(node.body))
      case 'forEach': return new EachPart(node.text, value(node.list), node.name, listOf(node.body))
      default: return new ParallelPart(node.branches.map(listOf))
    }
  }
  const all = listOf(nodes)
  return async iteration => {
    const frame = new Frame(iteration, null)
    try {
      await all.run(frame)
    } catch (error) {
      frame.abort()
      throw error
    }
  }
}

module.exports = { flowRunner }
