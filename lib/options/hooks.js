'use strict'

// Owns the functions that users plug into a run: given as they are, or as the path of a module that exports one, which is
// the only form that reaches a worker thread.

const { HookError } = require('../errors')
const { loadDefault, moduleFile } = require('./module-file')

/**
 * @param {import('./plan').Plan} plan
 * @param {Promise<unknown>} late resolves when a module that is not loaded by then never will be
 * @returns {Promise<import('./plan').Plan>} with functions in place of paths
 * @throws {HookError}
 */
async function loadHooks (plan, late) {
  /** @type {Map<string, Promise<Function>>} by path: the same hook may be that of many requests, and of each URL */
  const loading = new Map()
  /**
   * @param {string} name
   * @param {unknown} hook
   */
  const loadOne = async (name, hook) => {
    if (typeof hook !== 'string') return hook
    if (!loading.has(hook)) loading.set(hook, Promise.race([loadModule(name, hook), tooLate(name, hook, late)]))
    return loading.get(hook)
  }
  /**
   * @template {Readonly<Record<string, unknown>>} H
   * @param {H} hooks
   * @param {string} [where] the hooks belong
   * @returns {Promise<H>}
   */
  const load = async (hooks, where = '') => Object.fromEntries(await Promise.all(Object.entries(hooks).map(async ([name, hook]) => [name, await loadOne(name + where, hook)])))
  /**
   * @param {import('./plan').Step} step
   * @param {number} i
   */
  const loadStep = async (step, i) => Object.freeze({
    ...step,
    hooks: Object.freeze(await load(step.hooks, ` of request ${step.called ?? i}`)),
    ...step.captures !== undefined && { captures: await loadCaptures(step.captures, step.called ?? i) },
    ...step.pauses !== undefined && { pauses: await loadPauses(step.pauses) }
  })
  /**
   * @param {NonNullable<import('./plan').Step['captures']>} captures
   * @param {number | string} i
   */
  const loadCaptures = async (captures, i) => Object.freeze(Object.fromEntries(await Promise.all(Object.entries(captures).map(async ([name, { hook, ...capture }]) =>
    [name, { ...capture, hook: await loadOne(`capture ${name} of request ${i}`, hook) }]))))
  /** @param {ReadonlyArray<import('./plan').Step>} steps */
  const loadSteps = async steps => steps.some(hasPath) ? Object.freeze(await Promise.all(steps.map(loadStep))) : steps
  /** @param {import('../scenario/pause').Pause} pause */
  const loadPause = async pause => 'hook' in pause ? Object.freeze({ ...pause, hook: /** @type {Function} */ (await loadOne(pause.place, pause.hook)) }) : pause
  /** @param {ReadonlyArray<import('../scenario/pause').Pause>} pauses */
  const loadPauses = async pauses => Object.freeze(await Promise.all(pauses.map(loadPause)))
  /** @param {import('./plan').Round} round */
  const loadRound = async round => Object.freeze({
    ...round,
    steps: await loadSteps(round.steps),
    lead: await loadPauses(round.lead),
    pause: round.pause === null ? null : await loadPause(round.pause)
  })
  /** @param {import('./plan').Scenario} scenario */
  const loadScenario = async scenario => Object.freeze({
    ...scenario,
    steps: await loadSteps(scenario.steps),
    rounds: scenario.rounds === null ? null : Object.freeze(await Promise.all(scenario.rounds.map(loadRound)))
  })
  return Object.freeze({
    ...plan,
    hooks: Object.freeze(await load(plan.hooks)),
    dispatcher: plan.dispatcher == null ? null : await loadDispatcher(plan.dispatcher, late),
    scenarios: Object.freeze(await Promise.all(plan.scenarios.map(loadScenario)))
  })
}

/** @param {import('./plan').Step} step */
function hasPath ({ hooks: { setupRequest, onResponse, check }, captures = {}, pauses = [] }) {
  const others = [...Object.values(captures), ...pauses].map(one => 'hook' in one ? one.hook : undefined)
  return [setupRequest, onResponse, check, ...others].some(hook => typeof hook === 'string')
}

/**
 * @param {string} name
 * @param {string} path
 * @returns {Promise<Function>}
 * @throws {HookError}
 */
async function loadModule (name, path) {
  const file = moduleFile(path)
  if (file.endsWith('.json')) throw new HookError(`${name}: the module '${path}' is JSON: a module that exports a function is needed`)
  let hookFunction
  try {
    hookFunction = await loadDefault(file)
  } catch (error) {
    throw new HookError(`${name}: could not load the module '${path}': ${HookError.wordsOf(error)}`, error)
  }
  if (typeof hookFunction !== 'function') throw new HookError(`${name}: the module '${path}' has to export a function, by module.exports or as the default`)
  return hookFunction
}

/**
 * @param {unknown} given
 * @param {Promise<unknown>} late
 * @returns {Promise<import('undici').Dispatcher>}
 * @throws {HookError}
 */
async function loadDispatcher (given, late) {
  const name = typeof given === 'string' ? `the module '${given}'` : 'it'
  try {
    // Loaded by those who have one.
    const made = require('./client').dispatcherOf(given, path => loadDefault(moduleFile(path)))
    return await Promise.race([made, late.then(() => { throw new Error('it takes too long') })])
  } catch (error) {
    throw new HookError(`dispatcher: ${name} gives none: ${HookError.wordsOf(error)}`, error)
  }
}

/**
 * @param {string} name
 * @param {string} path
 * @param {Promise<unknown>} late
 * @returns {Promise<never>}
 */
async function tooLate (name, path, late) {
  await late
  throw new HookError(`${name}: the module '${path}' does not finish loading: is there an await in it that never ends?`)
}

module.exports = { loadHooks }
