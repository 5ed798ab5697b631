'use strict'

// Functions do not reach other threads and machines: modules that export them do.

const { problemAt } = require('../core/problem')
const { HOOKS, entriesIn } = require('./requests/requests')

/** @type {import('./normalize').Rules} */
function aboutReach (values, call) {
  /** @type {import('../core/problem').Problem[]} */
  const problems = []
  const there = values.agents === undefined ? 'a worker thread' : 'an agent'
  const functions = hooks(values).filter(([, hook]) => typeof hook === 'function').map(([name]) => name)
  for (const [name, expectation] of expectations(values)) {
    if (!isCloneable(expectation)) {
      problems.push(problemAt(call, name, `a function in it does not reach ${there}; use check with the absolute ` +
        'path of a module'))
    }
  }
  for (const name of ['tlsOptions', 'initialContext']) {
    if (!isCloneable(values[name])) problems.push(problemAt(call, name, `a function in it does not reach ${there}`))
  }
  if (functions.length > 0) {
    problems.push({
      place: functions[0],
      text: `${functions.join(', ')}: a function does not reach ${there}; give the absolute path of a module that ` +
        'exports it'
    })
  }
  return problems
}

/** @param {unknown} value */
function isCloneable (value) {
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}

/** Returns every hook with its name. @type {(values: import('./normalize').Values) => Array<[string, unknown]>} */
function hooks (values) {
  const { setupClient, verifyBody, check, checkEvent, pause, user, scenarios = [] } = values
  // The exports of a module do not travel either.
  const functionOf = (/** @type {any} */ given, exec = 'default') => typeof given === 'object' ? given?.[exec] : given
  return [['user', functionOf(user)],
    ...scenarios.map((/** @type {any} */ { user, exec }, /** @type {number} */ i) =>
      [`scenarios[${i}].user`, functionOf(user, exec)]),
    ['setupClient', setupClient], ['match', values.match?.hook],
    ['verifyBody', verifyBody], ['check', check], ['checkEvent', checkEvent],
    ['pause', pause?.hook],
    ...scenarios.map((/** @type {any} */ { pause }, /** @type {number} */ i) => [`scenarios[${i}].pause`, pause?.hook]),
    ...entriesIn(values).flatMap(([place, entry]) => [
      ...HOOKS.map(name => /** @type {[string, unknown]} */ ([`${place}.${name}`, entry[name]])),
      /** @type {[string, unknown]} */ ([`${place}.pause`, entry.pause?.hook]),
      ...Object.entries(entry.capture ?? {}).map(
        ([name, { hook }]) => /** @type {[string, unknown]} */ ([`${place}.capture.${name}`, hook])
      )
    ])]
}

/** @param {import('./normalize').Values} values @returns {Array<[string, unknown]>} every expectation with its name */
function expectations (values) {
  return [
    ['expect', values.expect],
    ...entriesIn(values).map(([place, { expect }]) => /** @type {[string, unknown]} */ ([`${place}.expect`, expect]))
  ]
}

module.exports = { aboutReach }
