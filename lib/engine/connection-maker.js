'use strict'

// Creates the connections of a load generator: the scenario of each, and its response inspectors. Shared objects are
// created once.

const { makeInspectors } = require('../response/inspector')
const { Readers } = require('../response/readers')
const { chooseScenarios, phaseOf, stepsTo } = require('../users/choice')
const { compileScenario } = require('../users/compiled-scenario')
const { contextMaker } = require('../templates/context')
const { Listening, Sequence } = require('../users/sequence')
const { Clients } = require('./clients')
const { Connection } = require('./connection')

/**
 * @typedef {import('../users/compiled-scenario').CompiledScenario} CompiledScenario
 * @typedef {import('../response/inspector').Check} Check
 * @typedef {{ verifyBody?: (body: string, context: Record<string, any>) => unknown, check?: Check }} BodyHooks
 *
 * @typedef {import('../users/sequence').Source & { current: import('../requests/request').Request, edit: (request:
 *   import('../requests/request').Request) => import('../users/sequence').Source }} Editable
 *
 * @typedef {object} Step
 * @property {import('../requests/target').Target} target
 * @property {import('../requests/request').Request} request
 * @property {import('../checks/rule').Rule} rule
 * @property {number} [pause] ms; none by default
 * @property {ReadonlyArray<import('../users/pause').Pause>} [pauses] of a user; none by default
 * @property {import('../users/retries').RetryPlan} [retries] of a user; none by default
 * @property {import('../response/inspector').Captures} [captures] of a user; none by default
 * @property {import('../users/compiled-scenario').Templates | null} [templates] none by default
 * @property {boolean} [keepsBody] whether the whole body of each response is kept
 * @property {boolean} [isStream] whether its responses may be streams, in a run that measures streams; default: true
 * @property {true} [isSocket] a WebSocket handshake or message; undefined for an HTTP request
 * @property {string | null} [scenario] the name of its user scenario; default: none
 * @property {string} [called] its name in messages; default: its index
 * @property {ReadonlyArray<string | Uint8Array>} [parts] of a partly known body; otherwise undefined
 * @property {import('../functions/awaited').Awaited | null} [awaited] where the promise of an async check is tracked;
 *   default: none
 * @property {import('../users/compiled-scenario').RequestHooks & { check?: Check, checkEvent?:
 *   import('../response/inspector').CheckEvent }} hooks
 */
/**
 * @typedef {Sequence | import('../users/script').Script | import('../users/pausing').Pausing |
 *   import('../users/user').User} ConnectionSource
 */

class ConnectionMaker {
  /**
   * @param {import('../options/plan').Plan} plan with loaded hooks
   * @param {import('./shared').Shared} shared
   * @param {import('./pacing/pacer').Pacer | null} [pacer]
   * @param {import('./groups').Groups | null} [groups] for scenarios that run in parallel
   */
  constructor (plan, shared, pacer = null, groups = null) {
    const { protocol: { encode, finish = null, keep = null, joins }, onFailure } = shared
    this.plan = plan
    this.shared = shared
    this.hooks = /** @type {BodyHooks} */ (plan.hooks)
    /** @type {import('../users/compiled-scenario').Means} */
    this.means = {
      encode, finish, keep, tags: plan.idReplacement ? [require('../templates/ids').ID] : [], trace: tracerOf(plan),
      pipelining: joins ? plan.pipelining : 1, makeContext: contextMaker(plan.initialContext),
      sharedValues: sharedValuesOf(plan, shared.onUsedUp), asTexts: plan.users?.redirects
    }
    /** @type {import('../response/reader').ResponseHooks} */
    this.readerHooks = {
      verifyBody: this.hooks.verifyBody,
      expectBody: plan.expectBody === null ? undefined : Buffer.from(plan.expectBody),
      decoder: decoderOf(plan, shared.recorder), streams: streamingOf(plan, shared.recorder), fail: onFailure,
      free: []
    }
    this.onIdleClosed = () => { shared.waitingRoom.holders-- }
    this.lists = plan.list === null
      ? null
      : new (require('./list-sources').ListSources)(plan, plan.list, this.means, this.hooks, shared.recorder)
    this.scenarios = plan.scenarios.map(({ steps }) => steps.length === 0 ? null : this.compile(this.stepsOf(steps)))
    const { means } = this
    this.awaited = plan.scenarios.some(({ userScenarios }) => userScenarios?.some(({ flow }) => flow !== null))
      ? new (require('../functions/awaited').Awaited)(
        plan.timeout, shared.now, (sleeper, until) => shared.pause(sleeper, until)
      )
      : null
    this.users = plan.scenarios.some(({ userScenarios }) => userScenarios !== null)
      ? new (require('./user-sources').UserSources)(
        plan, (steps, scenario, mayWait, setup) =>
          this.compile(this.stepsOf(steps).map(
            step => ({ ...step, scenario, awaited: mayWait ? this.awaited : null })
          ), setup === null
            ? means
            : { ...means, makeContext: contextMaker({ ...plan.initialContext, ...setup }) }), shared
      )
      : null
    if (this.users?.hasFunctions) {
      const { FunctionConnections } = require('./function-connections')
      this.users.functions = new FunctionConnections(this).functionsFor(this.users)
    }
    /**
     * The starts of iterations for each group of connections. Lazy: only for users that arrive.
     * @type {Array<import('../users/user').Arrivals | null>}
     */
    this.arrivals = pacer === null || this.users === null
      ? []
      : require('./pacing/arrivals').arrivalsOf(plan, pacer, shared)
    this.groups = groups
    this.clients = new Clients(this)
    /**
     * Fails a check of a request that cannot be sent with its values.
     * @type {import('../users/user').Needs['onRefused']}
     */
    this.refuser = ({ inspector, templates }, reason) => {
      shared.recorder.instruments.checks.of('template', inspector?.name ?? templates?.title ?? null).fail(reason, null)
      shared.recorder.countTowardsBailout(1)
    }
    /** The scenario of each connection, by its number in the run, starting at the first number of this generator. */
    this.chosen = groups !== null
      ? []
      : chooseScenarios(
        plan.scenarios,
        plan.firstConnection,
        stepsTo(plan.connections, plan.connectionStep, plan.streams),
        plan.list !== null
      )
  }

  /** @param {number} i index of the connection in this generator @returns {number} the index of its scenario */
  choice (i) {
    if (this.groups !== null) return this.groups.of(i).choice
    const { scenarios, firstConnection, connectionStep, streams, list } = this.plan
    const place = stepsTo(i, connectionStep, streams)
    // Connections that join have numbers after the initial ones. The list doubles, because each extension takes time in
    // proportion to its length.
    if (place >= this.chosen.length) {
      this.chosen = chooseScenarios(scenarios, firstConnection, 2 * place + 1, list !== null)
    }
    return this.chosen[place]
  }

  /**
   * @param {number} i which of the connections of this generator
   * @param {import('../shapes/budget').Budget} budget
   * @param {import('./pacing/queue').Queue | null} queue
   */
  make (i, budget, queue) {
    const { group, number } = this.groups?.of(i) ??
      { group: 0, number: this.plan.firstConnection + stepsTo(i, this.plan.connectionStep, this.plan.streams) }
    const connection = new Connection({ shared: this.shared, budget, queue, group, number })
    const choice = this.choice(i)
    const scenario = this.scenarios[choice]
    if (this.readerHooks.streams !== null) this.readersOf(connection)
    if (this.plan.websocket?.listens) {
      connection.source = new Listening(this.plan.targets[choice])
      return connection
    }
    connection.source = this.users !== null
      ? this.become(connection, this.users, choice, number)
      : scenario === null
        ? this.walkList(connection, choice)
        : this.walk(connection, scenario, number)
    return connection
  }

  /** @returns {boolean} whether some connections pause */
  get pauses () {
    return this.users !== null || this.scenarios.some(scenario => scenario !== null && scenario.pauses)
  }

  /** @type {(steps: ReadonlyArray<import('../options/plan').Step>) => Step[]} */
  stepsOf (steps) {
    const { targets, origins } = this.plan
    const targetOf = (/** @type {number} */ i) => i < targets.length ? targets[i] : origins[i - targets.length]
    return steps.map(step => /** @type {Step} */ ({ ...step, target: targetOf(step.target) }))
  }

  /** @type {(steps: Step[], means?: import('../users/compiled-scenario').Means) => CompiledScenario} */
  compile (steps, means = this.means) {
    const { hooks, shared: { recorder } } = this
    const inspectors = makeInspectors(steps, hooks, recorder, means.sharedValues)
    return compileScenario(steps.map(({ target, request, called, hooks, ...step }, i) => {
      const {
        pause = 0, pauses = null, retries = null, templates = null, keepsBody, isStream, isSocket, scenario, parts
      } = step
      return {
        target, request, pause, setupRequest: hooks.setupRequest, onResponse: hooks.onResponse,
        inspector: inspectors === null ? null : inspectors[i], pauses,
        retries: retries === null ? null : retriesOf(retries), templates, keepsBody, isStream, isSocket, called,
        scenario, parts
      }
    }), means)
  }

  /**
   * @param {Connection} connection
   * @param {CompiledScenario} scenario
   * @param {number} number of the connection in the whole run
   * @returns {ConnectionSource} the source of its requests
   */
  walk (connection, scenario, number) {
    const { batch, steps: [{ inspector }] } = scenario
    if (inspector !== null || this.readerHooks.expectBody !== undefined) this.readersOf(connection)
    const source = batch === null ? this.script(connection, scenario, number) : new Sequence(scenario)
    return scenario.pauses ? new (require('../users/pausing').Pausing)(source, phaseOf(number)) : source
  }

  /**
   * @param {Connection} connection
   * @param {CompiledScenario} scenario
   * @param {number} number of the connection in the whole run
   */
  script (connection, scenario, number) {
    const { Script } = require('../users/script')
    return new Script(scenario, this.ownOf(number), this.resetter(connection), this.refuser)
  }

  /** @param {number} number of a connection in the whole run */
  ownOf (number) {
    const { makeContext, sharedValues } = this.means
    return sharedValues === null
      ? new (require('../templates/own').Own)(makeContext())
      : sharedValues.own(number, makeContext())
  }

  /** @param {Connection} connection */
  resetter (connection) {
    return () => {
      this.shared.recorder.resets++
      connection.ownClient?.report('reset')
    }
  }

  /**
   * @param {Connection} connection that becomes a user
   * @param {import('./user-sources').UserSources} users
   * @param {number} choice index of its scenario
   * @param {number} number of the connection in the whole run
   */
  become (connection, users, choice, number) {
    if (users.looks(choice) || this.readerHooks.expectBody !== undefined) this.readersOf(connection)
    if (users.moves) {
      connection.idlePeers = new (require('./idle-peers').IdlePeers)(this.onIdleClosed)
    }
    const user = users.source(choice, number, {
      own: this.ownOf(number), arrivals: this.arrivals[connection.group] ?? null, onReset: this.resetter(connection),
      onRefused: this.refuser
    })
    connection.responses.user = user
    if (user.reconnect !== null) this.readersOf(connection).reconnect = user.reconnect
    users.functions?.add(user, connection, number)
    return user
  }

  /**
   * @param {Connection} connection
   * @param {number} origin index; the connection sends the requests of the list to this origin
   */
  walkList (connection, origin) {
    const lists = /** @type {import('./list-sources').ListSources} */ (this.lists)
    if (lists.inspects || this.readerHooks.expectBody !== undefined) this.readersOf(connection)
    return lists.source(origin)
  }

  /**
   * @param {Connection} connection with responses to inspect
   * @returns {Readers} the new readers of the connection
   */
  readersOf (connection) {
    connection.responses.readers ??= new Readers(this.readerHooks)
    return connection.responses.readers
  }
}

/** @param {import('../options/plan').Plan} plan @param {import('../record/recorder').Recorder} recorder */
const decoderOf = ({ compressed }, recorder) =>
  compressed ? new (require('../response/decoder').Decoder)(recorder) : null

/** @param {import('../options/plan').Plan} plan @param {import('../record/recorder').Recorder} recorder */
function streamingOf ({ stream }, { instruments: { checks, streams, tokens, goodput } }) {
  if (stream === null || stream.kind === null || streams === null) return null
  const { Streaming } = require('../response/streaming')
  const streaming = new Streaming(stream, streams, checks, tokens, goodput)
  // Loaded before connections use all file descriptors.
  streaming.kind.scanner(undefined, streaming.isContinued)
  require('../response/event-inspector')
  return streaming
}

/**
 * The source of random ids, shared by all connections of a thread to draw random bytes in batches.
 * @param {import('../options/plan').Plan} plan
 */
const tracerOf = ({ trace }) => trace === null ? null : new (require('../templates/trace-parent').TraceParent)(trace)

/** @param {import('../users/retries').RetryPlan} plan */
const retriesOf = plan => new (require('../users/retries').Retries)(plan)

/** @param {import('../options/plan').Plan} plan @param {() => void} onUsedUp */
function sharedValuesOf ({ sharedValues, hooks, scenarios }, onUsedUp) {
  if (sharedValues === null) return null
  const userScenarios = scenarios.flatMap(({ userScenarios }) => userScenarios ?? [])
  const steps = [...scenarios, ...userScenarios].flatMap(({ steps }) => steps)
  const isHooked = Object.values(hooks).concat(steps.flatMap(({ hooks }) => Object.values(hooks))).some(hook =>
    hook !== undefined && hook !== null)
  const hasCode = userScenarios.some(({ code }) => code !== null)
  return new (require('../templates/shared-values').SharedValues)(sharedValues, isHooked || hasCode, onUsedUp)
}

module.exports = { ConnectionMaker }
