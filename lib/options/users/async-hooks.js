'use strict'

// Converts scenarios with async hooks, for example one that signs requests, to flows: a fixed sequence does not wait
// for hooks. Async functions are detected after modules are loaded.

const { types } = require('node:util')
const { HookError } = require('../../core/errors')

/**
 * @typedef {import('../plan').Plan} Plan
 * @typedef {import('../plan').UserScenario} UserScenario
 *
 * @param {Plan} plan with loaded hooks
 * @returns {Plan} the plan, with such scenarios as flows
 * @throws {HookError}
 */
function withAsyncHooks (plan) {
  const userScenarios = plan.scenarios.flatMap(({ userScenarios }) => userScenarios ?? [])
  const isAsync = (/** @type {UserScenario} */ userScenario) => asyncHook(userScenario, plan) !== undefined
  const found = userScenarios.find(isAsync)
  if (found === undefined) return plan
  if (plan.pacing?.unit === 'requests' || plan.groups?.some(({ pacing }) => pacing?.unit === 'requests')) {
    throw new HookError(`${asyncHook(found, plan)} is an async function, and there is a rate of requests: the rate ` +
      "has to be one of iterations, such as '50 iterations/s'")
  }
  return Object.freeze({
    ...plan,
    session: plan.session ?? Object.freeze({
      cookies: null, redirects: Object.freeze({ most: 0, byRequest: true, anywhere: false })
    }),
    scenarios: Object.freeze(plan.scenarios.map(scenario => Object.freeze({
      ...scenario,
      userScenarios: scenario.userScenarios === null
        ? null
        : Object.freeze(scenario.userScenarios.map(one => isAsync(one) ? asFlow(one) : one))
    })))
  })
}

/** @type {(userScenario: UserScenario, plan: Plan) => string | undefined} */
function asyncHook ({ flow, code, steps }, { hooks }) {
  if (flow !== null || code !== null) return undefined
  if (types.isAsyncFunction(hooks.check)) return 'check'
  for (const [i, { hooks: { setupRequest, check }, called = i }] of steps.entries()) {
    if (types.isAsyncFunction(setupRequest)) return `setupRequest of request ${called}`
    if (types.isAsyncFunction(check)) return `check of request ${called}`
  }
  return undefined
}

/** @param {UserScenario} userScenario @returns {UserScenario} a flow with its requests in order */
function asFlow (userScenario) {
  const { lead: pauses } = userScenario
  const lead = pauses.length === 0 ? [] : [Object.freeze({ kind: /** @type {const} */ ('pause'), pauses })]
  const requests = userScenario.steps.map((_, step) => Object.freeze({ kind: /** @type {const} */ ('request'), step }))
  return Object.freeze({ ...userScenario, lead: Object.freeze([]), flow: Object.freeze([...lead, ...requests]) })
}

module.exports = { withAsyncHooks }
