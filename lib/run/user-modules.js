'use strict'

// Calls `setup` of user modules once before the load, passes its return value to every generator, and calls `teardown`
// after the load. Scenarios as data have lists of requests in their place. Both send requests through a generator with
// one connection, so that connections, proxies and TLS are the same as in the load. Its counts are discarded.

const { types } = require('node:util')
const { HookError, codeOf } = require('../core/errors')
const { isRecord, show } = require('../core/foreign-text')
const { redactedText } = require('../core/secrets')
const { LocalChannel } = require('./channel-local')

/** The timeout of `setup` and of `teardown`, ms. */
const LONGEST = 10 * 60_000
/** The timeout of all calls of `teardown` together, ms. */
const TEARDOWN = 60_000
/** The time limit of retries after refused connections, ms. */
const UNREACHED = 3000
/** The wait before a notice about a pending call, ms. */
const SLOW = 5000
/** The wait after the last response for requests that the function does not await, ms. */
const LATE = 10
/** The timeout of loading the modules, ms. */
const LOAD_TIMEOUT = 30_000

/**
 * @typedef {import('../options/plan').Plan} Plan
 * @typedef {import('../options/plan').UserScenario} UserScenario
 * @typedef {import('../options/users/functions').UserModule} UserModule
 *
 * @typedef {object} Known
 * @property {any} code of the plan; null for a scenario as data
 * @property {string} name for messages
 * @property {Pick<UserModule, 'setup' | 'teardown'>} module
 * @property {any} setup return value of its `setup`
 * @property {UserScenario} userScenario one of its scenarios
 * @property {{ setup: UserScenario, teardown: UserScenario }} senders the names under which its requests are reported
 */

class UserModules {
  /** @param {Known[]} list */
  constructor (list) {
    this.list = list
    this.isSetUp = false
  }

  /**
   * @param {Plan} plan
   * @returns {Promise<UserModules | null>} null if no module has `setup` or `teardown`
   * @throws {HookError}
   */
  static async of (plan) {
    const all = plan.scenarios.flatMap(({ userScenarios }) => userScenarios ?? [])
    const userScenarios = all.filter(({ code }) => code !== null)
    /** @type {Known[]} */
    const list = asidesOf(all, plan.scenarioNames)
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const late = new Promise(resolve => { timer = setTimeout(resolve, LOAD_TIMEOUT) })
    try {
      for (const userScenario of userScenarios) {
        if (list.some(({ code }) => code === userScenario.code)) continue
        const module = await require('../options/users/functions').loadUser(userScenario.code, late, userScenario.exec)
        if ((module.setup ?? module.teardown) === null) continue
        const name = typeof userScenario.code === 'string' ? show(userScenario.code) : 'user'
        const senders = { setup: userScenario, teardown: userScenario }
        list.push({ code: userScenario.code, name, module, setup: null, userScenario, senders })
      }
    } finally {
      clearTimeout(timer)
    }
    return list.length === 0 ? null : new UserModules(list)
  }

  /**
   * @param {Plan} plan
   * @param {Calls} calls
   * @throws {HookError}
   */
  async setUp (plan, calls) {
    for (const known of this.list) {
      const { module: { setup } } = known
      if (setup === null) continue
      known.setup = plainData(await callOnce(plan, known, 'setup', setup, calls), known.name)
      if (calls.signal.aborted) return
    }
    this.isSetUp = true
  }

  /**
   * @param {Plan} plan
   * @param {AbortController} ending aborts the calls
   * @param {Omit<Calls, 'signal'>} calls
   * @throws {HookError} the first failure, after all have been called
   */
  async tearDown (plan, ending, calls) {
    if (!this.isSetUp) return
    this.isSetUp = false
    const { signal } = ending
    const late = setTimeout(() => ending.abort(), TEARDOWN)
    /** @type {Error | null} */
    let failure = null
    for (const known of this.list) {
      const { module: { teardown } } = known
      if (teardown !== null) {
        await callOnce(plan, known, 'teardown', teardown, { signal, ...calls }).catch(error => { failure ??= error })
      }
    }
    clearTimeout(late)
    if (failure !== null) throw failure
    if (!signal.aborted) return
    throw new HookError(`teardown was ended before it had finished: it has ${TEARDOWN / 1000} s, until Ctrl-C`)
  }

  /** Returns the plan with the return values of setup. @type {(plan: Plan) => Plan} */
  with (plan) {
    const setupOf = (/** @type {UserScenario} */ { code, scenario }) => this.list.find(known => code === null
      ? known.code === null && known.userScenario.scenario === scenario
      : known.code === code)?.setup ?? null
    return Object.freeze({
      ...plan,
      scenarios: Object.freeze(plan.scenarios.map(scenario => Object.freeze({
        ...scenario,
        userScenarios: scenario.userScenarios === null
          ? null
          : Object.freeze(scenario.userScenarios.map(userScenario => Object.freeze({
            ...userScenario, setup: setupOf(userScenario), before: null, after: null
          })))
      })))
    })
  }
}

/**
 * @typedef {object} Calls
 * @property {AbortSignal} signal aborts the calls
 * @property {(line: string) => void} log
 * @property {(sentence: string) => void} notice
 *
 * @param {Plan} plan
 * @param {Known} known
 * @param {'setup' | 'teardown'} name
 * @param {Function} run
 * @param {Calls} calls
 * @returns {Promise<unknown>} its return value; undefined after an abort
 * @throws {HookError}
 */
async function callOnce (plan, { code, name: of, senders, setup }, name, run, { signal, log, notice }) {
  if (signal.aborted) return undefined
  const what = `${name} of ${of}`
  /** @type {{ value: unknown } | null} */
  let returned = null
  /** @type {{ error: unknown } | null} */
  let thrown = null
  let isCalled = false
  let isStopped = false
  const begun = performance.now()
  const call = async (/** @type {unknown} */ iteration, /** @type {unknown} */ send) => {
    // The start of the next iteration: all requests are complete, including those that are not awaited.
    if (isCalled) return new Promise(() => setTimeout(stop, LATE))
    isCalled = true
    try {
      returned = { value: await run(iteration, send) }
    } catch (error) {
      thrown = { error }
      stop()
    }
  }
  /** @type {(error: Error | null) => void} */
  let ended = () => {}
  const end = new Promise(resolve => { ended = resolve })
  /** The first check that failed. @type {string | null} */
  let unmet = null
  const sinks = {
    snapshot: (/** @type {import('../record/recorder').Snapshot} */ { checks }) => { unmet ??= failedCheck(checks) },
    // Omits the notice about functions that have not returned, because this one never returns.
    log: (/** @type {string} */ line) => { if (!isStopped) log(line) },
    end: (/** @type {Error | null} */ error) => ended(error)
  }
  // The function is called when there is a connection for its requests.
  const requestError = (/** @type {Error} */ error) => {
    if (isCalled || performance.now() - begun < UNREACHED) return
    thrown ??= { error }
    stop()
  }
  const observer = { response: null, requestError, mismatch: null }
  const channel = new LocalChannel(planOf(plan, senders[name], call, setup), sinks, observer)
  const stop = () => {
    isStopped = true
    channel.stop()
  }
  signal.addEventListener('abort', stop)
  const slow = setTimeout(() => notice(`${what} goes on: the run waits for it`), SLOW)
  try {
    await channel.open()
    if (!signal.aborted) {
      channel.start()
      const error = await end
      // The message names a user, but there is none before and after the load.
      if (error !== null) throw error instanceof HookError && error.cause ? failed(what, error.cause) : error
    }
  } finally {
    clearTimeout(slow)
    signal.removeEventListener('abort', stop)
    await channel.close()
  }
  if (signal.aborted) return undefined
  // For a list of requests, a missing value in a response is a better reason than the abort.
  if (thrown !== null && (code !== null || unmet === null)) {
    throw failed(what, /** @type {{ error: any }} */ (thrown).error)
  }
  if (returned === null && thrown === null) {
    throw new HookError(`${what} takes longer than ${LONGEST / 60_000} minutes: is there an await that never ends?`)
  }
  // No result counts the failed check, and the load would run against a wrong state.
  if (unmet !== null) throw new HookError(`${what} failed: ${unmet}`)
  return /** @type {{ value: unknown } | null} */ (returned)?.value
}

/** @param {import('../instruments/checks/record').CheckCounts[] | null} checks */
function failedCheck (checks) {
  const found = checks?.find(({ failed }) => failed > 0)
  if (found === undefined) return null
  const { name, request, reasons } = found
  return redactedText(`the check ${show(name)}${request === null ? '' : ` of ${show(request)}`} failed: ` +
    Object.keys(reasons)[0])
}

/** @type {(what: string, error: any) => HookError} */
function failed (what, error) {
  const { request } = error ?? {}
  if (request !== undefined) {
    const words = `${what} failed: ${request.method} ${request.url}: ${error.message} (${codeOf(error)})`
    return new HookError(redactedText(words), error)
  }
  return require('../functions/habits').failureOf(what, error)
}

/**
 * @param {Plan} plan
 * @param {UserScenario} userScenario
 * @param {Function} code
 * @param {any} setup
 * @returns {Plan} a plan with one user for this call
 */
function planOf (plan, userScenario, code, setup) {
  return Object.freeze({
    ...plan,
    scenarios: [{
      weight: 1,
      steps: [],
      userScenarios: [
        { ...userScenario, scenario: 0, weight: 1, code, setup, lead: [], once: 0, pause: null, every: null }
      ]
    }],
    scenarioNames: [],
    session: plan.session ?? NO_SESSION,
    // Expectations for all requests apply to the load only.
    ruleBase: { ...plan.ruleBase, expect: null },
    hooks: { setupClient: undefined, verifyBody: undefined, check: undefined, checkEvent: undefined },
    sharedValues: userScenario.flow === null ? null : plan.sharedValues,
    list: null,
    connections: 1,
    streams: 1,
    firstConnection: 0,
    connectionStep: 1,
    pacing: null,
    groups: null,
    stages: null,
    steered: false,
    together: false,
    apart: false,
    threads: 1,
    amount: null,
    iterations: null,
    maxConnectionRequests: null,
    maxOverallRequests: null,
    reconnectRate: Infinity,
    bailout: Infinity,
    skipFirst: 0,
    duration: LONGEST
  })
}

/** The session, for requests to any server. */
const NO_SESSION = Object.freeze({
  cookies: null, redirects: Object.freeze({ most: 0, byRequest: true, anywhere: false })
})

/**
 * Returns `before` and `after` of scenarios as data. Each pair has a separate entry, because its requests may go to any
 * target.
 * @param {ReadonlyArray<UserScenario>} userScenarios
 * @param {ReadonlyArray<string>} names of scenarios
 * @returns {Known[]}
 */
function asidesOf (userScenarios, names) {
  const senderOf = (/** @type {UserScenario} */ userScenario) => require('../flows/aside').senderOf(userScenario)
  const seen = new Set()
  return userScenarios.flatMap(userScenario => {
    const { before = null, after = null, scenario } = userScenario
    if ((before ?? after) === null || seen.has(scenario)) return []
    seen.add(scenario)
    const name = names.length === 0 ? 'the scenario' : `scenario ${show(names[scenario])}`
    const setup = before === null ? null : senderOf(before)
    const teardown = after === null ? null : senderOf(after)
    const senders = { setup: before ?? userScenario, teardown: after ?? userScenario }
    return [{ code: null, name, module: { setup, teardown }, setup: null, userScenario, senders }]
  })
}

/**
 * @param {unknown} value
 * @param {string} name
 * @throws {HookError} if the value cannot be sent to another thread
 */
function plainData (value, name) {
  const wanted = `setup of ${name} has to return plain data, which every worker and agent gets`
  const stray = strayIn(value)
  if (stray !== null) throw new HookError(`${wanted}, got ${stray}`)
  try {
    return structuredClone(value) ?? null
  } catch (error) {
    throw new HookError(`${wanted}: ${HookError.wordsOf(error)}`, error)
  }
}

/**
 * @param {unknown} value
 * @returns {string | null} a description of the first response or promise in the value; null without any
 */
function strayIn (value) {
  const { FunctionResponse } = require('../functions/function-response')
  const values = isRecord(value) && !(value instanceof FunctionResponse) ? Object.entries(value) : [['', value]]
  for (const [key, one] of values) {
    const place = key === '' ? '' : ` as ${show(key)}`
    if (types.isPromise(one)) return `a promise${place}: is an await missing?`
    if (!(one instanceof FunctionResponse)) continue
    return `a response${place}: return its data, as in (await http.get(path)).json()`
  }
  return null
}

module.exports = { UserModules }
