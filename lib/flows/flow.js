'use strict'

// Runs a scenario with conditions, loops and parallel requests as a user function: one call is one iteration. It
// selects the next request; the lanes of the user send and count it (functions/).

const { setUpLater } = require('../users/set-up')
const { Frame } = require('./frame')
const { EachPart, RepeatPart, WhilePart } = require('./loops')
const { PausePart, pauseFor, restOf } = require('./pauses')
const { valueOf } = require('./value')

/**
 * @typedef {import('../users/compiled-scenario').CompiledScenario} CompiledScenario
 * @typedef {import('../users/compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../functions/iteration').Iteration} Iteration
 * @typedef {import('./frame').Cursor} Cursor
 * @typedef {import('./frame').Part} Part
 * @typedef {import('./value').Value} Value
 */

/** @implements {Part} */
class RequestPart {
  /**
   * @param {CompiledStep} step
   * @param {number} index of the step
   * @param {number} once the number of leading steps that are sent in the first iteration only
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
    if (this.isOnce) user.once?.responseEnded(user.kind, index, frame.context)
    if (step.pauses !== null) await pauseFor(step.pauses, frame)
  }

  /**
   * Builds a request with a hook, which may be asynchronous, or with a multipart body of templates.
   * @param {Frame} frame
   * @returns {Promise<{ request: import('../requests/request').Request, literal: import('../requests/request').Request
   *   | null }>} with the filled request before the hook
   * @throws {IterationCut}
   */
  async make (frame) {
    const { step } = this
    const { own, context } = frame
    const known = frame.requestOf(step)
    const given = step.bodyOf === null ? known : { ...known, body: step.bodyOf(own) }
    frame.refuseValues(step)
    const request = step.setupRequest === undefined
      ? given
      : await setUpLater(
        /** @type {any} */ (frame.user.runtime.awaited), step, /** @type {any} */ (step.setupRequest), given, context
      )
    if (request !== null) return { request, literal: step.given === null ? null : given }
    throw frame.user.refused(step, null)
  }

  /** @type {Part['rest']} */
  rest (frame) {
    return this.step.pauses === null || this.isOnce ? 0 : restOf(this.step.pauses, frame)
  }
}

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
    // When a part throws, the cursor keeps its position for the pauses of the remaining parts.
    const at = frame.cursor = { part: this, i: 0, count: 0, frames: null, outer: frame.cursor }
    for (; at.i < parts.length; at.i++) {
      const wait = parts[at.i].run(frame)
      if (wait !== null) await wait
      // Another branch has failed.
      if (frame.iteration.over) return
    }
    frame.cursor = at.outer
  }

  /** @type {Cursor['part']['restAfter']} */
  restAfter (frame, { i }) {
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
  /** @param {Value} test @param {Part} then @param {Part} otherwise */
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

/** @implements {Part} */
class ParallelPart {
  /** @param {ReadonlyArray<Part>} branches */
  constructor (branches) {
    this.branches = branches
  }

  /** @param {Frame} frame */
  async run (frame) {
    const frames = this.branches.map(() => new Frame(frame.iteration, frame))
    const at = frame.cursor = { part: this, i: 0, count: 0, frames, outer: frame.cursor }
    await Promise.all(this.branches.map((branch, i) => start(branch, frames[i])))
    frame.cursor = at.outer
  }

  /** Running branches count from their current positions. @type {Cursor['part']['restAfter']} */
  restAfter (frame, { frames }) {
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

/**
 * @param {ReadonlyArray<any>} nodes of a plan
 * @param {CompiledScenario} scenario with their steps
 * @param {number} once the number of leading steps that are sent in the first iteration only
 * @returns {(iteration: Iteration) => Promise<unknown>} runs an iteration
 */
function flowRunner (nodes, { steps, means: { sharedValues } }, once) {
  /** @type {(formula: any) => Value} */
  const value = formula => valueOf(formula, sharedValues)
  /** @type {(list: ReadonlyArray<any>) => Part} */
  const listOf = list => new ListPart(list.map(partOf))
  /** @type {(node: any) => Part} */
  const partOf = node => {
    switch (node.kind) {
      case 'request': return new RequestPart(steps[node.step], node.step, once)
      case 'pause': return new PausePart(node.pauses)
      case 'ws': case 'send': case 'receive': case 'close':
        return require('./sockets').socketPart(node, steps, sharedValues)
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
