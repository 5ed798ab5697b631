'use strict'

// The metrics of iterations, of a scenario, a stage or the whole run.

const { findRounds } = require('../../figures/parts')

const noAbortOn = 'iterations: they are handed over when the run is over'

module.exports = {
  times: { active: { what: 'the time of an iteration without its pauses', row: { parts: ['scenario'], run: false } } },
  rows: {
    'iterations/s': {
      aliases: ['rounds/s'], unit: 'iterations/s', of: 'completed', per: 'seconds', highIsGood: true,
      parts: ['scenario'], sees: ['load'], noAbortOn
    },
    started: {
      unit: 'count', of: 'started', per: 'started', highIsGood: true, parts: ['scenario'], run: false, sees: ['load'],
      noAbortOn
    },
    completed: {
      unit: 'count', of: 'completed', per: 'rounds', share: true, highIsGood: true, parts: ['scenario'], run: false,
      sees: ['cuts'], noAbortOn
    },
    cut: {
      aliases: ['cut short'], unit: 'count', of: 'cut', per: 'rounds', share: true, parts: ['scenario'], run: false,
      sees: ['cuts'], noAbortOn
    },
    waited: {
      unit: 'count', of: 'waited', per: 'arrived', share: true, parts: ['stage', 'scenario'], run: false,
      arrivals: true, noAbortOn
    },
    'never started': {
      aliases: ['neverstarted'], unit: 'count', of: 'neverStarted', per: 'due', share: true,
      parts: ['stage', 'scenario'], run: false, arrivals: true, sees: ['load'], noAbortOn
    }
  },

  /** @type {import('../../figures/figures').Read} */
  read: ({ rounds }) => rounds === undefined
    ? {}
    : { counted: arrivalsOf(rounds), perSecond: rounds.started > 0 ? { completed: rounds.perSecond } : {} },

  /**
   * @param {Record<string, any>} result
   * @param {string} part its name
   * @returns {import('../../figures/figures').About & { figures: Record<string, any> } | null} null where it is no
   *   scenario
   */
  ofPart: (result, part) => {
    const rounds = findRounds(result, part)
    if (rounds === null) return null
    const { started, completed, cut, perSecond, duration, active } = rounds
    return {
      // The figures of other instruments for all iterations are those of the run.
      figures: rounds.scenario === null ? result : rounds,
      latency: duration,
      times: { active },
      counted: { started, completed, cut, rounds: completed + cut, ...arrivalsOf(rounds) },
      perSecond: started > 0 ? { completed: perSecond } : {}
    }
  }
}

/**
 * @param {Record<string, any>} rounds of a result, or of a stage
 * @returns {Record<string, number>} the outcome of due ones; nothing without a rate of iterations
 */
function arrivalsOf ({ target, achieved, waited, neverStarted, due = 0 }) {
  return target > 0 && due > 0
    ? { rateRatio: achieved / target, waited, neverStarted, due, arrived: due - neverStarted }
    : {}
}
