'use strict'

// Requests that a user sends only in its first iteration of a scenario, such as a login: which were sent, and where the
// user continues.

const { contextMaker } = require('../templates/context')

/**
 * @typedef {import('./user').RoundKind} RoundKind
 * @typedef {import('../templates/context').Context} Context
 *
 * @typedef {object} Start of the iterations that follow
 * @property {number} first index of the step that they begin with
 * @property {() => Context} makeContext for each of them
 * @property {ReadonlyArray<number>} sources of data that each of them has a row of
 */

class Once {
  constructor () {
    /** Of each kind of iteration that has responses to such requests. @type {Map<RoundKind, Start>} */
    this.starts = new Map()
  }

  /** Returns null where the iteration begins with all of its steps. @type {(kind: RoundKind) => Start | null} */
  of (kind) {
    return this.starts.get(kind) ?? null
  }

  /**
   * Values that the request has put into the context stay; those of later ones do not.
   * @param {RoundKind} kind
   * @param {number} step index of the one whose request has its response
   * @param {Context} context of the iteration
   */
  responseEnded (kind, step, context) {
    if (step >= kind.once) return
    const { steps, means: { sharedValues } } = kind.scenario
    const first = step + 1
    // A copy: the iteration goes on with this one, and may change its values.
    const makeContext = contextMaker(contextMaker(context)())
    this.starts.set(kind, {
      first, makeContext, sources: sharedValues === null ? [] : sharedValues.usedBy(steps.slice(first))
    })
  }
}

module.exports = { Once }
