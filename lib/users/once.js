'use strict'

// Requests that a user sends only in its first iteration of a scenario, such as a login: it remembers which were sent,
// and where later iterations begin.

const { contextMaker } = require('../templates/context')

/**
 * @typedef {import('./user').IterationKind} IterationKind
 * @typedef {import('../templates/context').Context} Context
 *
 * @typedef {object} Start of later iterations
 * @property {number} first index of their first step
 * @property {() => Context} makeContext for each iteration
 * @property {ReadonlyArray<number>} sources indexes of the data sources with a row in each of them
 */

class Once {
  constructor () {
    /** By kind of iteration, once such a request has a response. @type {Map<IterationKind, Start>} */
    this.starts = new Map()
  }

  /** Returns null where the iteration has all of its steps. @type {(kind: IterationKind) => Start | null} */
  of (kind) {
    return this.starts.get(kind) ?? null
  }

  /**
   * Keeps the context of that moment for later iterations.
   * @param {IterationKind} kind
   * @param {number} step index of the step with the response
   * @param {Context} context of the iteration
   */
  responseEnded (kind, step, context) {
    if (step >= kind.once) return
    const { steps, means: { sharedValues } } = kind.scenario
    const first = step + 1
    // A copy, because the iteration may change its context later.
    const makeContext = contextMaker(contextMaker(context)())
    this.starts.set(kind, {
      first, makeContext, sources: sharedValues === null ? [] : sharedValues.usedBy(steps.slice(first))
    })
  }
}

module.exports = { Once }
