'use strict'

// Creates the users of a generator. Their choice of scenarios is created once and shared.

const { randomFrom } = require('../core/random')
const { Pot } = require('../shapes/budget')
const { Iterations } = require('../instruments/iterations/record')
const { Findings } = require('../response/findings')
const { momentOf, phaseOf } = require('../users/choice')
const { WeightedRoundRobin } = require('../users/weighted-round-robin')
const { User } = require('../users/user')

/** @typedef {import('../users/user').IterationKind} IterationKind */

class UserSources {
  /**
   * @param {import('../options/plan').Plan} plan
   * @param {(steps: ReadonlyArray<import('../options/plan').Step>, scenario: string | null, mayWait: boolean, setup:
   *   any) => import('../users/compiled-scenario').CompiledScenario} compile compiles steps, with the name of their
   *   scenario, whether hooks may return promises, and captures from before the load
   * @param {{ recorder: import('../record/recorder').Recorder, now: import('../core/clock').Clock, protocol:
   *   import('../protocols/peer').Protocol, onLastIteration: () => void }} shared
   */
  constructor (plan, compile, { recorder, now, protocol: { decode }, onLastIteration }) {
    const { scenarios, scenarioNames, seed, session, targets, origins, iterations } = plan
    this.seed = seed
    /** The number of iterations that may still begin, of all users; null without a limit. */
    this.iterations = iterations === null ? null : new Pot(iterations, onLastIteration)
    /** Null without user functions. @type {import('./functions').Functions | null} */
    this.functions = null
    this.onRetry = () => { recorder.retries++ }
    this.findings = new Findings(recorder)
    this.reconnectMs = plan.stream?.reconnectMs ?? null
    this.decode = /** @type {NonNullable<typeof decode>} */ (decode)
    /** @param {import('../users/compiled-scenario').CompiledStep} step */
    this.onReconnect = ({ inspector, scenario }) => {
      const { streams } = recorder.instruments
      for (const tally of streams?.talliesOf(inspector?.tally?.name ?? null, scenario) ?? []) tally.reconnects++
    }
    const tallies = recorder.measure('iterations', new Iterations())
    /** The scenarios of users on each kind of connection. @type {IterationKind[][]} */
    this.kinds = scenarios.map(({ userScenarios }) =>
      (userScenarios ?? []).map(({ scenario, code, flow, setup = null, steps, lead, pause, every, once }) => {
        const pauses = pause === null ? null : [pause]
        const isData = flow !== null || code === null
        const name = scenarioNames[scenario] ?? null
        const compiled = compile(steps, name, flow !== null, isData ? setup : null)
        return {
          name, scenario: compiled, code: flow === null ? code : codeOf(flow, compiled, once, code), setup, lead,
          pauses, every, once, counts: tallies.of(scenario)
        }
      }))
    this.Once = this.kinds.flat().some(({ once }) => once > 0) ? require('../users/once').Once : null
    this.sessions = session === null
      ? null
      : new (require('../users/session').Sessions)(session, targets, {
        ...this.kinds.flat()[0].scenario.means, decode, epoch: Date.now() - now()
      }, origins)
    this.weights = scenarios.map(({ userScenarios }) => (userScenarios ?? []).map(({ weight }) => weight))
  }

  /** @returns {boolean} whether the next request of a user may go to another target */
  get moves () {
    return this.sessions !== null && this.sessions.redirects !== null
  }

  /** @returns {boolean} whether some users are functions */
  get hasFunctions () {
    return this.kinds.flat().some(({ code }) => code !== null)
  }

  /** Returns whether responses of users with this choice are inspected. @type {(choice: number) => boolean} */
  looks (choice) {
    return this.sessions !== null || this.kinds[choice].some(({ scenario: { batch, steps } }) =>
      batch === null || steps.some(({ inspector, retries }) => inspector !== null || retries !== null))
  }

  /**
   * @param {number} choice index of the scenario of the connection
   * @param {number} number of the connection in the whole run
   * @param {Pick<import('../users/user').Needs, 'own' | 'arrivals' | 'onReset' | 'onRefused'>} needs
   */
  source (choice, number, needs) {
    const weights = this.weights[choice]
    // A user without a row of login data does not run the scenario; users with a row do.
    const turns = new WeightedRoundRobin(this.Once === null ? weights : [...weights], phaseOf(number))
    const kinds = this.kinds[choice]
    const reconnect = this.reconnectMs === null
      ? null
      : new (require('../users/reconnect').Reconnect)(this.reconnectMs, this.decode, this.onReconnect)
    const session = this.sessions === null ? null : this.sessions.of(kinds[0].scenario.steps[0].target)
    return new User({
      kinds, turns, phase: momentOf(number), random: randomFrom(this.seed + number * 0x9e3779b1), onRetry: this.onRetry,
      once: this.Once === null ? null : new this.Once(), iterations: this.iterations, session, reconnect,
      findings: this.findings, ...needs
    })
  }
}

/**
 * @param {NonNullable<import('../options/plan').UserScenario['flow']>} flow
 * @param {import('../users/compiled-scenario').CompiledScenario} scenario
 * @param {number} once
 * @param {import('../users/user').Code | null} code of a user function that calls the flow; null if the flow is the
 *   whole iteration
 */
function codeOf (flow, scenario, once, code) {
  const run = require('../flows/flow').flowRunner(flow, scenario, once)
  if (code === null) return { run, user: null }
  return { run: (/** @type {any} */ iteration) => code.run(iteration, () => run(iteration)), user: null }
}

module.exports = { UserSources }
