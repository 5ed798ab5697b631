'use strict'

// Finds the hooks of a plan, with their names for messages.

/** The name of a user function. */
const USER = 'user'

/** Keys of nodes with a list of nodes. */
const NODES = ['body', 'then', 'otherwise']

/**
 * @param {import('../plan').Plan} plan
 * @param {(name: string, hook: unknown, exec?: string | null) => unknown} change returns the replacement of a hook, or
 *   a promise of it; also called without a hook; `exec` is the name of the export with the user function
 * @returns {Promise<import('../plan').Plan>}
 */
async function changeHooks (plan, change) {
  /**
   * @template {Readonly<Record<string, unknown>>} H
   * @param {H} hooks
   * @param {string} [where] suffix of their names
   * @returns {Promise<H>}
   */
  const changeAll = async (hooks, where = '') => Object.fromEntries(
    await Promise.all(Object.entries(hooks).map(async ([name, hook]) => [name, await change(name + where, hook)]))
  )
  /** @param {import('../plan').Step} step @param {number} i */
  const changeStep = async (step, i) => Object.freeze({
    ...step,
    hooks: Object.freeze(await changeAll(step.hooks, ` of request ${step.called ?? i}`)),
    ...step.captures !== undefined && { captures: await changeCaptures(step.captures, step.called ?? i) },
    ...step.pauses !== undefined && { pauses: await changePauses(step.pauses) }
  })
  /** @param {NonNullable<import('../plan').Step['captures']>} captures @param {number | string} i */
  const changeCaptures = async (captures, i) =>
    Object.freeze(Object.fromEntries(await Promise.all(
      Object.entries(captures).map(async ([name, { hook, ...capture }]) =>
        [name, { ...capture, hook: await change(`capture ${name} of request ${i}`, hook) }])
    )))
  /** @param {ReadonlyArray<import('../plan').Step>} steps */
  const changeSteps = async steps =>
    steps.some(hasModule) ? Object.freeze(await Promise.all(steps.map(changeStep))) : steps
  /** @param {import('../../users/pause').Pause} pause */
  const changePause = async pause => 'hook' in pause
    ? Object.freeze({ ...pause, hook: /** @type {Function} */ (await change(pause.place, pause.hook)) })
    : pause
  /** @param {ReadonlyArray<import('../../users/pause').Pause>} pauses */
  const changePauses = async pauses => Object.freeze(await Promise.all(pauses.map(changePause)))
  /**
   * Changes the pauses in nodes of a flow.
   * @template {ReadonlyArray<any>} L
   * @param {L} nodes
   * @returns {Promise<L>}
   */
  const changeNodes = async nodes => /** @type {any} */ (Object.freeze(await Promise.all(nodes.map(changeNode))))
  /** @type {(node: any) => Promise<any>} */
  const changeNode = async node => {
    const changed = await Promise.all(Object.entries(node).map(async ([key, value]) => [key,
      NODES.includes(key)
        ? await changeNodes(value)
        : key === 'branches'
          ? await Promise.all(value.map(changeNodes))
          : key === 'pauses' ? await changePauses(value) : value]))
    return Object.freeze(Object.fromEntries(changed))
  }
  /** @param {import('../plan').UserScenario} userScenario */
  const changeUserScenario = async userScenario => Object.freeze({
    ...userScenario,
    flow: userScenario.flow === null ? null : await changeNodes(userScenario.flow),
    code: userScenario.code === null ? null : await change(USER, userScenario.code, userScenario.exec),
    steps: await changeSteps(userScenario.steps),
    lead: await changePauses(userScenario.lead),
    pause: userScenario.pause === null ? null : await changePause(userScenario.pause)
  })
  /** @param {import('../plan').Scenario} scenario */
  const changeScenario = async scenario => Object.freeze({
    ...scenario,
    steps: await changeSteps(scenario.steps),
    userScenarios: scenario.userScenarios === null
      ? null
      : Object.freeze(await Promise.all(scenario.userScenarios.map(changeUserScenario)))
  })
  return Object.freeze({
    ...plan,
    hooks: Object.freeze(await changeAll(plan.hooks)),
    dispatcher: plan.dispatcher == null ? null : await change('dispatcher', plan.dispatcher),
    scenarios: Object.freeze(await Promise.all(plan.scenarios.map(changeScenario)))
  })
}

/** @param {import('../plan').Step} step */
function hasModule ({ hooks, captures = {}, pauses = [] }) {
  const others = [...Object.values(captures), ...pauses].map(one => 'hook' in one ? one.hook : null)
  return [...Object.values(hooks), ...others].some(hook =>
    hook !== undefined && hook !== null && typeof hook !== 'function')
}

module.exports = { USER, changeHooks }
