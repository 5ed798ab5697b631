'use strict'

// Owns the users of a generator: what they choose their rounds among is made once, and each of them has a way of its own through it.

const { randomFrom } = require('../random')
const { Rounds } = require('../record/rounds')
const { momentOf, phaseOf } = require('../scenario/choice')
const { Turns } = require('../scenario/turns')
const { User } = require('../scenario/user')

/** @typedef {import('../scenario/user').RoundKind} RoundKind */

class UserSources {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {(steps: ReadonlyArray<import('../options/plan').Step>) => import('../scenario/compiled-scenario').CompiledScenario} compile
   * @param {import('../record/recorder').Recorder} recorder
   * @param {import('../scenario/user').Arrivals | null} arrivals
   */
  constructor ({ scenarios, seed }, compile, recorder, arrivals) {
    this.seed = seed
    this.arrivals = arrivals
    this.onRetry = () => { recorder.retries++ }
    const tallies = recorder.rounds = new Rounds()
    /** What each connection that is given such a scenario for life chooses among. @type {RoundKind[][]} */
    this.kinds = scenarios.map(({ rounds }) => (rounds ?? []).map(({ scenario, steps, lead, pause, every }) =>
      ({ scenario: compile(steps), lead, pauses: pause === null ? null : [pause], every, counts: tallies.of(scenario) })))
    this.weights = scenarios.map(({ rounds }) => (rounds ?? []).map(({ weight }) => weight))
  }

  /**
   * @param {number} choice
   * @returns {boolean} whether somebody looks at the answers of such a user
   */
  looks (choice) {
    return this.kinds[choice].some(({ scenario: { batch, steps } }) => batch === null || steps.some(({ examiner, retries }) => examiner !== null || retries !== null))
  }

  /**
   * @param {number} choice index of what the user is given for life
   * @param {number} number of the connection in the whole run
   * @param {Pick<import('../scenario/user').Needs, 'own' | 'onReset' | 'onRefused'>} needs
   */
  source (choice, number, needs) {
    const turns = new Turns(this.weights[choice], phaseOf(number))
    return new User({ kinds: this.kinds[choice], turns, phase: momentOf(number), random: randomFrom(this.seed + number * 0x9e3779b1), arrivals: this.arrivals, onRetry: this.onRetry, ...needs })
  }
}

module.exports = { UserSources }
