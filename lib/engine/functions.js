'use strict'

// The user functions of a generator. It opens a connection for each of their concurrent requests, wakes connections,
// and informs all functions when the run ends.

const { setMaxListeners } = require('node:events')
const { readFileSync } = require('node:fs')
const { format } = require('node:util')
const { loadHtml } = require('../checks/html')
const { cut, printable } = require('../core/foreign-text')
const { parseSeconds } = require('../core/numbers')
const { formatDuration } = require('../core/units')
const { INSTRUMENTS } = require('../instruments')
const { PROTOCOLS } = require('../parts')
const { Faults } = require('../functions/faults')
const { FunctionUser } = require('../functions/function-user')
const groupCalls = require('../functions/group-calls')
const { Lane } = require('../functions/lane')
const { MOST_WATCHED } = require('../functions/pause')
const { Requests } = require('../functions/requests/requests')
const { guard } = require('../functions/signal')
const unawaited = require('../functions/unawaited')
const { watchUnhandled } = require('../functions/unhandled')
const { Unsettled, unsettledAtEnd } = require('../functions/unsettled')

/** The limit of logged lines in a thread: a line per request would distort the measurement. */
const MOST_LINES = 1000
const LONGEST_LINE = 1000

/**
 * @typedef {import('./connection').Connection} Connection
 * @typedef {import('../functions/function-user').UserConnection} UserConnection
 * @typedef {import('../options/plan').StreamPlan} StreamPlan
 * @typedef {import('../functions/function-user').Runtime} Runtime
 *
 * @typedef {object} Needs
 * @property {import('../options/plan').Plan} plan
 * @property {import('./shared').Shared} shared
 * @property {import('../users/session').Sessions} sessions
 * @property {(number: number) => import('../templates/own').Own} ownOf
 * @property {(beside: Connection, laneOf: (connection: Connection) => Lane) => Connection} connect makes an additional
 *   connection for the user of a connection
 * @property {import('./function-connections').ConnectSocket} connectSocket
 * @property {import('../functions/awaited').Awaited | null} awaited null without async hooks
 * @property {() => void} onRetry
 * @property {import('../users/sender').Findings} findings
 * @property {import('../functions/requests/requests').Needs['stepOf']} stepOf
 * @property {import('../functions/requests/requests').Needs['compile']} compile
 */

/** The groups of users without functions. @type {Runtime['groups']} */
const NO_GROUPS = { record () {} }

/** @implements {Runtime} */
class Functions {
  /** @param {Needs} needs */
  constructor (needs) {
    const { plan, shared, stepOf, compile } = needs
    const { recorder } = shared
    this.needs = needs
    this.now = shared.now
    /** How many lines functions have logged. */
    this.logged = 0
    this.requests = new Requests({
      targets: plan.targets, origins: plan.origins, defaults: plan.defaults, retries: retriesIn(plan),
      byRequest: plan.ruleBase.byRequest, stepOf, compile, onSuspect: sentence => this.log([sentence])
    })
    this.checks = recorder.instruments.checks
    this.onFailedCheck = () => recorder.countTowardsBailout(1)
    this.setAside = () => recorder.instruments.exemplars.failures.setAside()
    /** @type {Runtime['onLateFault']} */
    this.onLateFault = ({ inspector }, of, single, isUnexpected) => {
      const { exemplars, stages } = recorder.instruments
      const stage = /** @type {import('../instruments/stages/stage-tally').StageTally | null} */ (of)
      if (!isUnexpected) {
        // The counts of the stage may have been reported already, and its tally dropped.
        const isKept = stages === null || stage === null || stage.stage < 0
        recorder.fault(inspector.tally, isKept ? stage : stages.of(stage.stage))
        exemplars.failures.keepLate(single, 'check')
      }
      recorder.countTowardsBailout(1)
    }
    this.groups = INSTRUMENTS.groups.isIn(plan)
      ? recorder.measure('groups', new (require('../instruments/groups/record').Groups)())
      : NO_GROUPS
    this.awaited = needs.awaited
    this.mostLanes = plan.lanes
    this.faults = new Faults(plan.keepGoing, this.checks, this.onFailedCheck, error => this.fail(error))
    this.aborter = new AbortController()
    this.signal = this.aborter.signal
    // Each user may add a listener.
    setMaxListeners(0, this.signal)
    guard(this.signal, error => this.faults.threw(error))
    this.pausesToWatch = MOST_WATCHED
    this.groupsToWatch = groupCalls.MOST_WATCHED
    this.responsesToWatch = unawaited.MOST_WATCHED
    /** The planned end; unknown for a run with an amount. */
    this.longPause = plan.amount === null && plan.iterations === null ? plan.duration : Infinity
    /** Null until there is one. @type {import('../functions/stream-call').StreamNeeds | null} */
    this.streamNeeds = null
    // Loaded before connections use all file descriptors.
    const texts = codesIn(plan).map(textOf)
    if (texts.length > 0) parseSeconds('1s') // Loads its package.
    for (const [option, load] of ON_USE) if (texts.some(text => mayCall(option, text))) load()
    if (texts.some(text => mayCall('stream', text))) loadForStreams(texts.some(text => mayCall('openai', text)))
    if (texts.some(text => mayCall('ws', text)) || hasSockets(plan)) loadForSockets()
    /** Null until there is one. @type {import('../functions/sockets/socket-lane').SocketNeeds | null} */
    this.socketNeeds = null
    /** Connections with streams to close. @type {Connection[]} */
    this.settling = []
    /** @type {FunctionUser[]} */
    this.users = []
    /** Connections with requests to send, which wake up together. @type {Connection[]} */
    this.waking = []
    if (texts.some(text => mayCall('html', text))) loadHtml(codesIn(plan).flatMap(({ file }) => file ?? []))
    this.unwatch = watchUnhandled()
    if (plan.amount !== null || plan.iterations !== null) this.lookForEnd(new Unsettled(plan.timeout))
  }

  /**
   * @param {import('../users/user').User} user
   * @param {Connection} connection
   * @param {number} number of the user in the whole run
   */
  add (user, connection, number) {
    const made = user.functions = new FunctionUser(this, user, connection, number)
    this.users.push(made)
  }

  /** @param {Unsettled} unsettled */
  lookForEnd (unsettled) {
    const { after, recorder } = this.needs.shared
    after(unsettled.every, () => {
      const error = unsettled.look(recorder.sent, this.users)
      if (error === null) this.lookForEnd(unsettled)
      else this.fail(error)
    })
  }

  /** Logs the number of functions that wait for ever, before the end of the run. */
  lookAtEnd () {
    for (const line of unsettledAtEnd(this.users, this.now(), this.needs.plan.timeout)) this.needs.shared.log(line)
  }

  /** @type {(user: FunctionUser, connection: UserConnection) => Lane} */
  laneOf (user, connection) {
    const { sessions, ownOf, onRetry, findings } = this.needs
    const { session, own: { rows, random } } = user.user
    // Templates of a flow share the rows of the iteration and the source of random values. The user itself sends
    // nothing during an iteration, so the first lane reuses its values, which saves 1 MiB with 10,000 users.
    const own = connection === user.connection
      ? user.user.own
      : Object.assign(ownOf(user.number), { rows, random })
    return new Lane(user, connection, {
      random: user.draw, own, onRetry, findings,
      session: sessions.beside(/** @type {import('../users/session').Session} */ (session))
    })
  }

  /** @param {FunctionUser} user */
  openLane (user) {
    const beside = /** @type {Connection} */ (user.connection)
    const { source } = this.needs.connect(beside, connection => this.laneOf(user, connection))
    return /** @type {Lane} */ (source)
  }

  /**
   * Functions continue in microtasks after their responses. Their requests are collected here and written together.
   * @param {UserConnection} connection
   */
  wake (connection) {
    if (this.waking.push(/** @type {Connection} */ (connection)) === 1) queueMicrotask(() => this.wakeAll())
  }

  wakeAll () {
    const { waking } = this
    this.waking = []
    this.together(() => { for (const connection of waking) connection.unpark() })
  }

  /** @param {UserConnection} connection */
  settle (connection) {
    if (this.settling.push(/** @type {Connection} */ (connection)) === 1) queueMicrotask(() => this.settleAll())
  }

  settleAll () {
    const { settling } = this
    this.settling = []
    this.together(() => { for (const connection of settling) connection.lookAtStreams(this.now()) })
  }

  /** @param {() => void} write called before all bytes are flushed */
  together (write) {
    const { shared: { sockets } } = this.needs
    if (sockets === null) write()
    else sockets.together(write)
  }

  /** @returns {import('../functions/stream-call').StreamNeeds} */
  streams () {
    return (this.streamNeeds ??= this.makeStreams())
  }

  /** @returns {import('../functions/stream-call').StreamNeeds} */
  makeStreams () {
    const { plan, shared: { recorder, onFailure } } = this.needs
    if (plan.protocol === 'undici') {
      throw new TypeError('undici reports no times of events: omit --client undici, or client: \'undici\'')
    }
    const { ReadStream, Streams } = loadForStreams()
    const counts = recorder.instruments.streams ?? recorder.measure('streams', new Streams())
    const tokens = () => recorder.instruments.tokens ??
      recorder.measure('tokens', new (INSTRUMENTS.tokens.record().Tokens)())
    const stream = /** @type {StreamPlan} */ (plan.stream)
    return {
      backlog: { bytes: 0 },
      open: (kind, idleMs, scenario, sink) => new ReadStream(
        idleMs === null ? stream : { ...stream, idleMs }, kind, scenario, counts, this.checks,
        kind === 'openai' ? tokens() : null, onFailure, sink
      )
    }
  }

  /** @returns {import('../functions/sockets/socket-lane').SocketNeeds} */
  sockets () {
    return (this.socketNeeds ??= this.makeSockets())
  }

  /** @returns {import('../functions/sockets/socket-lane').SocketNeeds} */
  makeSockets () {
    const { plan, shared: { recorder }, connectSocket } = this.needs
    if (plan.protocol === 'undici') {
      throw new TypeError('undici sends requests of HTTP only here: omit --client undici, or client: \'undici\'')
    }
    const { makeSockets, Streams } = loadForSockets()
    const { readMatch, ruleFor, messageOf, checkHeaders, checkClose, peer } = makeSockets(plan)
    const backlog = { bytes: 0 }
    return {
      readMatch, ruleFor, messageOf, checkHeaders, checkClose, backlog,
      events: () => recorder.instruments.streams ?? recorder.measure('streams', new Streams()),
      connect: lane => connectSocket(lane, wanted => peer(wanted, lane.compressed, lane))
    }
  }

  /** @type {(until: number, sleeper: { wake: () => void }) => void} */
  sleep (until, sleeper) {
    this.needs.shared.pause(sleeper, until)
  }

  /** @param {() => void} action */
  later (action) {
    this.needs.shared.after(0, action)
  }

  /** @param {Error} error */
  fail (error) {
    this.needs.shared.onFailure(error)
  }

  /** Logs a long pause once. @type {Runtime['onLongPause']} */
  onLongPause (seconds) {
    const length = formatDuration(this.longPause / 1000)
    this.longPause = Infinity
    this.log([`pause(${seconds}) is ${formatDuration(seconds)}, and the run lasts ${length}: a number is in seconds. ` +
      `For milliseconds, write pause('${seconds}ms')`])
  }

  /** @param {unknown[]} details arguments of console.log() */
  log (details) {
    if (++this.logged > MOST_LINES) return
    const line = printable(format(...details))
    this.needs.shared.log(cut(line, LONGEST_LINE))
    if (this.logged < MOST_LINES) return
    this.needs.shared.log(`log: further lines are left out, after ${MOST_LINES} of a thread`)
  }

  /** Ends all waits at the end of the run. */
  stop () {
    for (const user of this.users) user.close()
    this.awaited?.close()
    this.aborter.abort()
    this.unwatch()
  }
}

/** @param {import('../options/plan').Plan} plan */
function retriesIn ({ scenarios }) {
  const userScenarios = scenarios.flatMap(({ userScenarios }) => userScenarios ?? [])
  return userScenarios.find(({ code }) => code !== null)?.steps[0].retries ?? 0
}

/** Returns whether flows open WebSockets. @param {import('../options/plan').Plan} plan */
const hasSockets = ({ scenarios }) => scenarios.flatMap(({ userScenarios }) => userScenarios ?? []).some(({ steps }) =>
  steps.some(({ isSocket }) => isSocket))

/** @param {import('../options/plan').Plan} plan @returns {any[]} with the code of users */
const codesIn = ({ scenarios }) =>
  scenarios.flatMap(({ userScenarios }) => userScenarios ?? []).flatMap(({ code }) => code ?? [])

/**
 * @type {(code: any) => { text: string, isWhole: boolean }} text: the source; isWhole: whether it imports no other
 *   modules
 */
function textOf ({ run, user, file }) {
  if (file === undefined) return { text: `${run}\n${user}`, isWhole: true }
  const text = readFileSync(file, 'utf8')
  return { text, isWhole: !/\b(?:import|require)\b/.test(text) }
}

/** @type {(method: string, code: { text: string, isWhole: boolean }) => boolean} */
const mayCall = (method, { text, isWhole }) => !isWhole || new RegExp(`\\b${method}\\b`).test(text)

/** Loaders of the modules for options of requests, by name. @type {[string, () => void][]} */
const ON_USE = [
  ['retries', () => require('../users/retries')],
  ['capture', () => {
    require('../checks/capture')
    require('../checks/capturing')
  }],
  ['expect', () => {
    require('../checks/expectation')
    require('../checks/compile')
  }],
  ['multipart', () => require('../requests/multipart').buildForm({ a: { type: 'text', value: '' } })]
]

/** @param {boolean} [hasCompletions] */
function loadForStreams (hasCompletions = false) {
  require('../functions/stream-call')
  require('../functions/stream-options')
  const { ReadStream, loadKinds } = require('../response/read-stream')
  loadKinds(hasCompletions ? ['openai'] : [])
  if (hasCompletions) INSTRUMENTS.tokens.record()
  return { ReadStream, Streams: INSTRUMENTS.streams.record().Streams }
}

function loadForSockets () {
  require('../functions/sockets/user-sockets')
  require('./function-socket')
  const { socketsOf } = PROTOCOLS.websocket.load()
  const makeSockets = /** @type {NonNullable<typeof socketsOf>} */ (socketsOf)()
  INSTRUMENTS.websocket.record()
  return { makeSockets, Streams: INSTRUMENTS.streams.record().Streams }
}

module.exports = { Functions }
