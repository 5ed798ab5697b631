'use strict'

// The steps of a plan: the requests of a connection in order, with their properties from all options.

const { makeRule, ofMessages } = require('../../checks/rule')
const { mergeHeaders, withoutCredentials } = require('../../requests/headers')
const { MESSAGE, RECEIVE, toRequest } = require('../../requests/request')
const { originOf } = require('../../requests/target')
const { isPause, isSocketStep } = require('../requests/requests')

/**
 * @typedef {import('../../requests/request').Request} Request
 * @typedef {import('../plan').Step} Step
 *
 * @param {import('../normalize').Values} values
 * @param {ReadonlyArray<import('../../requests/target').Target>} targets
 * @param {Request} defaults
 * @param {Request} base the default request with the body of a form
 * @param {import('../../checks/rule').RuleBase} ruleBase
 * @returns {Step[][]} for each target
 */
function stepsOf (values, targets, defaults, base, ruleBase) {
  return values.har === undefined
    ? fromRequests(values.requests ?? [{}], '', targets, base, ruleBase, values.retries)
    : fromHar(values, targets, defaults, ruleBase)
}

/**
 * Creates the same requests for each target.
 * @param {ReadonlyArray<Record<string, any>>} given
 * @param {string} place place of the scenario, such as `scenarios[1].`; empty for the option `requests`
 * @param {ReadonlyArray<import('../../requests/target').Target>} targets
 * @param {Request} base
 * @param {import('../../checks/rule').RuleBase} ruleBase
 * @param {import('../../users/retries').RetryPlan | 0} [retries] the default
 * @returns {Step[][]} a scenario for each target
 */
function fromRequests (given, place, targets, base, ruleBase, retries = 0) {
  const { entries, pauses } = pausesIn(given, place)
  return stepsFor(entries.map((entry, i) => ({ entry, pauses: pauses[i] })), { targets, base, ruleBase, retries })
}

/**
 * @typedef {object} Means
 * @property {ReadonlyArray<import('../../requests/target').Target>} targets
 * @property {Request} base
 * @property {import('../../checks/rule').RuleBase} ruleBase
 * @property {import('../../users/retries').RetryPlan | 0} retries the default
 * @property {ReadonlyArray<import('../../requests/target').Target>} [origins] further origins for requests with a URL
 *
 * @param {ReadonlyArray<{ entry: Record<string, any>, pauses: import('../../users/pause').Pause[], called?: string }>}
 *   list requests, with the pauses after each, and its name in messages
 * @param {Means} means
 * @returns {Step[][]} a scenario for each target
 */
function stepsFor (list, { targets, base, ruleBase, retries, origins = [] }) {
  const all = [...targets, ...origins]
  const abroad = origins.length === 0 ? base : { ...base, headers: withoutCredentials(base.headers) }
  const requests = list.map(({ entry }) =>
    Object.freeze(toRequest(entry, ownBase(entry, (targetOf(entry, all) ?? 0) < targets.length ? base : abroad))))
  const hooks = list.map(({ entry: { setupRequest, onResponse, check, checkEvent } }) =>
    Object.freeze({ setupRequest, onResponse, check, checkEvent }))
  return targets.map((to, home) => requests.map((request, i) => {
    const { entry, pauses, called } = list[i]
    const target = targetOf(entry, all) ?? home
    return Object.freeze({
      target, request, rule: ruleOf(entry, ruleBase, request, all[target], requests.length === 1), hooks: hooks[i],
      ...isSocketStep(entry) && { isSocket: /** @type {const} */ (true), isStream: false },
      ...called !== undefined && { called }, ...forUsers(entry, pauses, retries)
    })
  }))
}

/**
 * Returns the default request; for handshakes and messages without the parts that they do not have.
 * @type {(entry: Record<string, any>, base: Request) => Request}
 */
function ownBase ({ ws, send, receive, over = null }, base) {
  if (send !== undefined || receive !== undefined) {
    return { method: send === undefined ? RECEIVE : MESSAGE, path: over, headers: [], body: null }
  }
  return ws === undefined ? base : { ...base, method: 'GET', body: null }
}

/** @type {typeof makeRule} */
function ruleOf (entry, base, request, target, isOnly) {
  if (entry.send !== undefined || entry.receive !== undefined) {
    return makeRule(entry, ofMessages(base), { ...request, path: entry.over ?? null }, target, isOnly)
  }
  // A handshake has no response that is counted.
  return entry.ws === undefined
    ? makeRule(entry, base, request, target, isOnly)
    : makeRule({}, { ...base, expect: null, byRequest: false }, request, target, isOnly)
}

/**
 * @param {Record<string, any>} entry
 * @param {ReadonlyArray<import('../../requests/target').Target>} all
 * @returns {number | null} index of the target of its URL; null without a URL
 */
function targetOf ({ url }, all) {
  return (url ?? null) === null ? null : all.findIndex(target => originOf(target) === new URL(url).origin)
}

/**
 * @param {Record<string, any>} entry
 * @param {import('../../users/pause').Pause[]} pauses after it
 * @param {import('../../users/retries').RetryPlan | 0} retries the default
 * @returns {Partial<Step>} optional properties
 */
function forUsers (entry, pauses, retries) {
  const own = entry.retries ?? retries
  return {
    ...pauses.length > 0 && { pauses: Object.freeze(pauses) }, ...own !== 0 && { retries: own },
    ...(entry.capture ?? null) !== null && { captures: Object.freeze(entry.capture) },
    ...(entry.multipart ?? null) !== null && { parts: Object.freeze(entry.multipart.parts) },
    ...entry.stream === false && { isStream: false }
  }
}

/** The hooks of a recorded request. */
const NO_HOOKS = Object.freeze({
  setupRequest: undefined, onResponse: undefined, check: undefined, checkEvent: undefined
})

/**
 * Creates the recorded requests of each target.
 * @param {import('../normalize').Values} values with a HAR
 * @param {ReadonlyArray<import('../../requests/target').Target>} targets
 * @param {Request} defaults with headers that are added
 * @param {import('../../checks/rule').RuleBase} ruleBase
 * @returns {Step[][]} a scenario for each target
 */
function fromHar ({ har, harPauses, speed, retries = 0 }, targets, { headers }, ruleBase) {
  return targets.map((to, target) => {
    const recorded = har.get(new URL(to.url).origin) ?? []
    const { withPauses } = require('../../requests/har')
    const entries = harPauses ? withPauses(recorded, speed) : recorded
    return entries.map((/** @type {any} */ { request: one, page, pause }) => {
      const request = Object.freeze({ ...one, headers: mergeHeaders(one.headers, headers) })
      const rule = makeRule({ name: page }, ruleBase, request, to, recorded.length === 1)
      return Object.freeze({
        target, request, rule, hooks: NO_HOOKS, ...pause > 0 && { pause }, ...retries !== 0 && { retries }
      })
    })
  })
}

/**
 * Separates requests from pauses: an entry with only a pause is a pause between requests.
 * @param {ReadonlyArray<Record<string, any>>} given
 * @param {string} place place of their scenario
 * @returns {{ entries: Array<Record<string, any>>, pauses: import('../../users/pause').Pause[][], lead:
 *   import('../../users/pause').Pause[] }} the requests, the pauses after each of them, and those before the first
 */
function pausesIn (given, place) {
  const entries = []
  /** @type {import('../../users/pause').Pause[][]} */
  const pauses = []
  /** @type {import('../../users/pause').Pause[]} */
  const lead = []
  for (const [i, entry] of given.entries()) {
    const { pause } = entry
    if (!isPause(entry)) {
      entries.push(entry)
      pauses.push([])
    }
    if (pause !== undefined && pause !== null) {
      (pauses.at(-1) ?? lead).push(placedPause(pause, `${place}requests[${i}].pause`))
    }
  }
  return { entries, pauses, lead }
}

/**
 * Adds the place of a pause with a function, for its errors.
 * @type {(pause: import('./pauses').Pause, place: string) => import('../../users/pause').Pause}
 */
function placedPause (pause, place) {
  return Object.freeze('hook' in pause ? { ...pause, place } : pause)
}

module.exports = { fromRequests, pausesIn, placedPause, stepsFor, stepsOf }
