'use strict'

// The part of a plan for users: the scenarios from which each connection selects its iterations.

const { show } = require('../../core/foreign-text')
const { allIn, isFlow, onceIn } = require('../requests/requests')
const { fromRequests, pausesIn, placedPause, stepsOf } = require('./steps')

/**
 * @typedef {import('../../requests/request').Request} Request
 *
 * @param {import('../normalize').Values} values
 * @param {ReadonlyArray<import('../../requests/target').Target>} targets
 * @param {Request} defaults
 * @param {Request} base the default request with the body of a form
 * @param {import('../../checks/rule').RuleBase} ruleBase
 * @param {ReadonlyArray<{ scenarios: number[] }> | null} sides scenarios that run side by side
 * @param {ReadonlyArray<import('../../requests/target').Target>} origins further origins of users
 * @returns {Array<import('../plan').Scenario>} one for each target; with `sticky`, also for each scenario; for each
 *   group of scenarios that run side by side
 */
function usersOf (values, targets, defaults, base, ruleBase, sides, origins) {
  const kinds = kindsOf(values, targets, defaults, base, ruleBase, origins)
  return sides === null
    ? sideOf(values, targets, kinds)
    : sides.flatMap(({ scenarios }) => sideOf(values, targets, scenarios.map(i => kinds[i])))
}

/**
 * @param {import('../normalize').Values} values
 * @param {ReadonlyArray<import('../../requests/target').Target>} targets
 * @param {ReturnType<typeof kindsOf>} kinds
 * @returns {Array<import('../plan').Scenario>}
 */
function sideOf (values, targets, kinds) {
  return targets.flatMap((_, target) => {
    const userScenarios = kinds.map(kind => userScenarioOf(kind, target))
    return values.sticky ? userScenarios.map(one => scenarioOf([one], one.weight)) : scenarioOf(userScenarios, 1)
  })
}

/**
 * @typedef {Omit<import('../plan').UserScenario, 'steps' | 'before' | 'after'> & { steps: import('../plan').Step[][],
 *   before: Kind | null, after: Kind | null }} Kind with steps for each target
 */

/** @type {(kind: Kind, target: number) => import('../plan').UserScenario} */
function userScenarioOf ({ steps, before, after, ...kind }, target) {
  return Object.freeze({
    ...kind, steps: Object.freeze(steps[target]), ...before !== null && { before: userScenarioOf(before, target) },
    ...after !== null && { after: userScenarioOf(after, target) }
  })
}

/** @param {ReadonlyArray<import('../plan').UserScenario>} userScenarios @param {number} weight */
function scenarioOf (userScenarios, weight) {
  return Object.freeze({ weight, steps: Object.freeze([]), userScenarios: Object.freeze(userScenarios) })
}

/**
 * @param {import('../normalize').Values} values
 * @param {ReadonlyArray<import('../../requests/target').Target>} targets
 * @param {Request} defaults
 * @param {Request} base
 * @param {import('../../checks/rule').RuleBase} ruleBase
 * @param {ReadonlyArray<import('../../requests/target').Target>} origins
 * @returns {Kind[]}
 */
function kindsOf (values, targets, defaults, base, ruleBase, origins) {
  const { user: only = null, scenarios = [{ user: only }] } = values
  const means = { targets, base, ruleBase, retries: values.retries ?? 0, origins }
  const flowOf = (/** @type {Array<Record<string, any>>} */ list, /** @type {string} */ place) =>
    require('./flows').flowOf(list, place, means, values.env ?? {})
  return scenarios.map((
    /** @type {Record<string, any>} */ {
      name, weight = 1, user = null, exec = null, requests, setup, teardown, pause, every = values.every
    },
    /** @type {number} */ scenario
  ) => {
    const place = requests === undefined ? '' : `scenarios[${scenario}].`
    const list = requests ?? values.requests ?? []
    const made = user === null && isFlow(list) ? flowOf(list, `${place}requests`) : null
    return {
      before: setup === undefined ? null : aside(flowOf(setup, `${place}setup`), 'setup', name),
      after: teardown === undefined ? null : aside(flowOf(teardown, `${place}teardown`), 'teardown', name),
      scenario,
      weight,
      code: user,
      exec,
      flow: made === null ? null : made.flow,
      // A user function has one step, for the default target of its requests.
      steps: user !== null
        ? fromRequests([{}], place, targets, defaults, ruleBase, values.retries)
        : made !== null
          ? called(made.steps, name)
          : requests === undefined
            ? stepsOf(values, targets, defaults, base, ruleBase)
            : called(fromRequests(requests, place, targets, base, ruleBase, values.retries), name),
      lead: Object.freeze(made === null ? pausesIn(list, place).lead : []),
      once: onceIn(requests ?? values.requests).length,
      pause: pause ? placedPause(pause, `${place}pause`) : values.pause ? placedPause(values.pause, 'pause') : null,
      every: every ? every * 1000 : null
    }
  })
}

/**
 * @type {(made: { steps: import('../plan').Step[][], flow: Kind['flow'] }, what: string, name: string | undefined) =>
 *   Kind}
 */
function aside ({ steps, flow }, what, name) {
  const own = steps.map(list => list.map(step => Object.freeze({ ...step, called: `${step.called} of ${what}` })))
  return {
    scenario: 0, weight: 1, code: null, flow, steps: called(own, name), lead: [], once: 0, pause: null, every: null,
    before: null, after: null
  }
}

/**
 * @param {import('../plan').Step[][]} steps
 * @param {string | undefined} name of their scenario
 * @returns {import('../plan').Step[][]} steps with a name for messages, unique among scenarios
 */
function called (steps, name) {
  return name === undefined
    ? steps
    : steps.map(list => list.map((step, i) => Object.freeze({
      ...step, called: `${step.called ?? i} of scenario ${show(name)}`
    })))
}

/**
 * @param {import('../normalize').Values} values
 * @returns {NonNullable<import('../plan').Plan['users']>} whether there may be redirects and retries
 */
function sessionsOf ({ redirects = 0, retries, requests = [], scenarios = [] }) {
  const lists = [requests, ...scenarios.map((/** @type {{ requests: unknown[] }} */ one) => one.requests)]
  const all = lists.flatMap(list => allIn(list, '').map(([, entry]) => entry))
  return Object.freeze({
    redirects: redirects > 0, retries: [{ retries }, ...all].some(one => (one.retries ?? 0) !== 0)
  })
}

module.exports = { usersOf, sessionsOf }
