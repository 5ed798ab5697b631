'use strict'

// The return value of autocannon(): an EventEmitter, which without a callback is also a promise of the result.

const { EventEmitter } = require('node:events')
const { Followers, throwOutside } = require('../follow/followers')
const { OptionsError } = require('../core/errors')
const { printable } = require('../core/foreign-text')
const { buildPlan, extentOf } = require('../options/plan')
const { hasAsides, hasFunctions } = require('../options/users/user-rules')
const { socketsOf, whyNode } = require('../net/sockets/binding')
const { readOptions } = require('../options/read')
const { buildResult, identityOf } = require('../figures/result')
const { idleUrlsOf } = require('../findings/idle-urls')
const { LocalChannel } = require('./channel-local')
const { Coordinator } = require('./coordinator')
const { environment } = require('./environment')
const { JudgedRun, linesOf, unjudged } = require('./judged-run')
const { noConnection } = require('./no-connection')
const { PartialResult } = require('./partial-result')
const { checkCallback, settleBy } = require('./promised')
const { withPassed } = require('../judge/passed')

/**
 * An observer without listeners, for the warm-up, which is not part of the run.
 * @type {import('../engine/generator').Observer}
 */
const NO_REQUEST = Object.freeze({ response: null, requestError: null, mismatch: null })

const WAIT_HINT = '--wait 60s waits for a server that is still starting; --wait 0 goes on without a connection.'

/** @type {import('./channel-local').MakeChannel} */
const here = (plan, sinks, observer) => new LocalChannel(plan, sinks, observer)

/** @type {(start: () => import('./messages').Transport) => import('./channel-local').MakeChannel} */
const elsewhere = start =>
  (plan, sinks, observer) => new (require('./channel-remote').RemoteChannel)(plan, sinks, observer, start)

const startThread = () => require('./transport-thread').startThread()

/**
 * Events: `notice`, `log`, `warmup`, `start`, `tick`, `sample`, `response`, `reqError`, `reqMismatch`, `done`, `error`.
 */
class Instance extends EventEmitter {
  /**
   * Starts a run once the current turn of the event loop is over, so that listeners can be added first.
   * @param {Record<string, unknown>} opts
   * @param {(error: Error | null, result?: Record<string, any>) => void} [callback]
   * @param {() => import('./messages').Transport} [startWorker] starts a worker and returns the transport to its host
   * @param {(opts: any) => import('../options/read').Reading} [read] reads the options; the command line passes its own
   *   reader
   */
  constructor (opts, callback, startWorker = startThread, read = opts => readOptions(opts, process.env)) {
    super()
    this.startWorker = startWorker
    this.read = read
    /** @type {Record<string, unknown>} public: the options as given; with defaults after validation */
    this.opts = {}
    this.running = true
    /**
     * @type {{ options?: Record<string, unknown>, environment?: Record<string, unknown> }} the data to repeat the run
     */
    this.origin = {}
    this.followers = new Followers()
    this.followers.add(eventsOf(this))
    /** @type {Coordinator | null} */
    this.coordinator = null
    /**
     * Aborts the steps before the load, such as the negotiation of HTTP and the wait for agents.
     * @type {AbortController | null}
     */
    this.preparation = null
    this.isTearingDown = false
    /** The agents that send the load; null if this process does. @type {import('./agents/fleet').Fleet | null} */
    this.fleet = null
    /**
     * The modules of user functions; null if none has setup or teardown.
     * @type {import('./user-modules').UserModules | null}
     */
    this.userModules = null
    /** The plan for teardown; null after its start. @type {import('../options/plan').Plan | null} */
    this.usersPlan = null
    /** The number of users that share the initial connections; null if none do. */
    this.users = null
    /** The reason for sockets of Node.js, although native ones would time responses more exactly. */
    this.whyNode = null
    /** Watches the server during the load; null without that option. @type {import('../server/watch').Watch | null} */
    this.watch = null
    /** Makes partial results. */
    this.partial = new PartialResult()
    /** The reason of an early end. @type {Promise<Error> | null} */
    this.endedBy = null
    /**
     * The target and the time limit of a run without any connection; null without a limit.
     * @type {{ urls: string[], ms: number } | null}
     */
    this.giveUp = null
    /** @type {import('../engine/generator').Observer} */
    this.observer = { response: null, requestError: null, mismatch: null }
    this.observe()

    settleBy(this, this.run(opts, callback), callback)
  }

  /** @param {import('../follow/followers').Follower} follower called after the listeners to events */
  follow (follower) {
    this.followers.add(follower)
  }

  /** @param {string} sentence emitted as `notice`, or as a process warning if nothing listens to notices */
  warn (sentence) {
    if (this.listenerCount('notice') === 0) process.emitWarning(`autocannon: ${printable(sentence)}`)
    else this.followers.notify('notice', sentence)
  }

  /**
   * For followers. The result is shared by all of them, so they must not change it.
   * @returns {Record<string, any> | null} the result of the run until its last sample, without requests in flight; null
   *   before the end of the first sample
   */
  soFar () {
    return this.partial.result(this.coordinator)
  }

  /** Ends the run early because of an error for its result. @param {Promise<Error>} error */
  endBy (error) {
    this.endedBy = error
    this.stop()
  }

  stop () {
    this.running = false
    this.preparation?.abort()
    this.coordinator?.stop()
  }

  /** @returns {AbortSignal} for a step before the load: aborted if the run is stopped, or has already been */
  prepare () {
    this.preparation = new AbortController()
    if (!this.running) this.preparation.abort()
    return this.preparation.signal
  }

  /** @param {import('../options/read').Reading['values']} given with `http: 'auto'` */
  async negotiate (given) {
    const { values, isKnown } = await require('./negotiation').negotiate(
      given, sentence => this.followers.notify('notice', sentence), this.prepare()
    )
    this.preparation = null
    if (!isKnown && this.running) {
      this.warn(
        'the HTTP version that the server prefers is unknown, because a connection to it failed: HTTP/1.1 is used'
      )
    }
    return values
  }

  /**
   * @param {import('../options/read').Reading['values']} values
   * @returns {Promise<import('./agents/fleet').Fleet | null>} the connected agents; null if the run ended before
   */
  async gather (values) {
    const { gatherFor } = require('./agents/gather')
    const fleet = await gatherFor(
      values, buildPlan(values), sentence => this.followers.notify('notice', sentence), this.prepare()
    )
    this.preparation = null
    return fleet
  }

  /**
   * @param {import('../options/read').Reading['values']} values
   * @returns {Promise<import('../options/plan').Plan>} the plan for the generators
   */
  async planFor (values) {
    const bare = buildPlan(values)
    const plan = this.userModules === null ? bare : this.userModules.with(bare)
    return this.fleet === null ? plan : this.fleet.pack(plan)
  }

  /** @param {import('../options/read').Reading['values']} values */
  async setUpUsers (values) {
    if (!hasFunctions(values) && !hasAsides(values)) return
    const plan = this.usersPlan = buildPlan(values)
    this.userModules = await require('./user-modules').UserModules.of(plan)
    if (this.userModules !== null) await this.fleet?.check(plan, this.prepare())
    await this.userModules?.setUp(plan, { signal: this.prepare(), ...this.callsOfUsers() })
    this.preparation = null
  }

  /**
   * Runs teardown once after the load, even after an interrupt or a failure. An interrupt also ends teardown.
   * @throws {Error} the failure of teardown
   */
  async tearDownUsers () {
    const { endedBy, userModules, usersPlan } = this
    if (userModules === null || usersPlan === null) return
    this.usersPlan = null
    this.preparation = new AbortController()
    this.isTearingDown = true
    try {
      await userModules.tearDown(usersPlan, this.preparation, this.callsOfUsers())
    } catch (error) {
      throw this.endedBy === endedBy ? error : await this.endedBy
    } finally {
      this.isTearingDown = false
      this.preparation = null
    }
  }

  callsOfUsers () {
    return {
      log: (/** @type {string} */ line) => this.followers.notify('log', line),
      notice: (/** @type {string} */ sentence) => this.warn(sentence)
    }
  }

  /**
   * @param {import('../options/plan').Plan} plan of the first run of `forever`
   * @param {import('../options/read').Reading['values']} values
   * @param {number} run from 2 on
   * @returns {Promise<import('../options/plan').Plan>} the plan with different random arrivals
   */
  async planAgain (plan, values, run) {
    const seeded = require('../options/load/seed').seededFor(values, run)
    if (seeded === values) return plan
    this.origin = { ...this.origin, options: { ...this.origin.options, seed: seeded.seed } }
    return this.planFor(seeded)
  }

  /**
   * @param {any} given options, unchecked
   * @param {unknown} callback
   * @returns {Promise<import('../options/read').Reading['values']>} the values; listeners can be added before they are
   *   read
   * @throws {import('../core/errors').OptionsError}
   */
  async begin (given, callback) {
    if (typeof given !== 'string') given = this.opts = OptionsError.reading('the options', () => ({ ...given }))
    checkCallback(callback)
    const { values, opts, described, warnings, notices } = this.read(given)
    this.origin = { options: described, environment: environment() }
    Object.assign(this.opts, opts)
    await new Promise(resolve => setImmediate(resolve))
    // By now the caller has added its listeners to notices.
    const idle = idleUrlsOf(described)
    const idleNotice = idle === null ? [] : [String(require('../words/findings').noteOf(idle).lead)]
    for (const sentence of [...warnings, ...notices, ...idleNotice]) this.warn(sentence)
    return values
  }

  /**
   * @param {import('../options/read').Reading['values']} given
   * @returns {Promise<import('../options/read').Reading['values']>} the values with the version of HTTP; resolves when
   *   the server and all agents are available
   */
  async reach (given) {
    if (given.wait > 0) {
      await require('./wait').waitForServer(given, this.prepare())
      this.preparation = null
    }
    if (given.giveUp !== undefined) this.giveUp = { urls: given.url, ms: given.giveUp * 1000 }
    const values = given.http === 'auto' ? await this.negotiate(given) : given
    if (values.watch !== undefined || values.started !== undefined) {
      this.watch = require('../server/watch').openWatch(
        values.watch ?? [], values.started ?? null, sentence => this.warn(sentence)
      )
    }
    if (values.agents !== undefined) this.fleet = await this.gather(values)
    return values
  }

  /** @param {any} given @param {unknown} [callback] */
  async run (given, callback) {
    try {
      const values = await this.reach(await this.begin(given, callback))
      if (values.amount !== undefined) {
        const warn = (/** @type {string} */ sentence) => this.warn(sentence)
        for (const follower of require('./endless-amount').endlessBy(values, warn)) this.followers.add(follower)
      }
      await this.setUpUsers(values)
      const plan = await this.planFor(values)
      if (plan.streams > 1) this.users = plan.connections
      if (this.fleet === null) {
        this.whyNode = whyNode(plan)
        this.origin = {
          ...this.origin, environment: { ...this.origin.environment, sockets: socketsOf(plan, this.whyNode) }
        }
      }
      const warmup = values.warmup === undefined ? undefined : await this.warmUp(plan, values)
      let result
      let run = 1
      do {
        result = await this.measure(run === 1 ? plan : await this.planAgain(plan, values, run), values)
        run++
        if (warmup !== undefined) result.warmup = warmup
        if (this.endedBy !== null && result.interrupted) {
          result.endedBy = linesOf(await this.endedBy)
          if (result.passed === true) result.passed = false
        }
        this.followers.notify('done', result)
      } while (values.forever && this.running)
      this.running = false
      // The error has the partial result.
      await this.tearDownUsers().catch(error => { throw Object.assign(error, { result, isReported: true }) })
      return result
    } catch (error) {
      this.running = false
      // Waits a turn, so that listeners can be added after the call.
      await null
      this.followers.notify('failed', /** @type {Error} */ (error))
      throw error
    } finally {
      await this.tearDownUsers().catch((/** @type {Error} */ { message }) => this.warn(message))
      this.watch?.close()
      await this.fleet?.release()
    }
  }

  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../options/read').Reading['values']} values
   * @returns {Promise<Record<string, any>>} the result of the warm-up
   */
  async warmUp (plan, values) {
    const { duration = values.duration } = values.warmup
    const { connections } = extentOf({
      connections: values.warmup.connections ?? values.connections, workers: values.workers, agents: values.agents
    })
    this.followers.notify('warmUp', { connections, duration })
    // If each request is sent once, a warm-up would use them up.
    const pick = values.pick === 'once' ? 'order' : values.pick
    const warm = {
      ...values, pick, connections, duration, amount: undefined, until: undefined, skipFirst: undefined,
      maxConnectionRequests: undefined, maxOverallRequests: undefined
    }
    const { watch } = this
    this.watch = null
    const { outcome, failure } = await this.coordinate(
      await this.planFor(warm), values.workers, new Followers(), NO_REQUEST
    )
    this.watch = watch
    const result = withPassed(unjudged(buildResult(identityOf(warm), outcome)))
    if (failure !== null) throw Object.assign(failure, { result })
    return result
  }

  /**
   * @param {import('../options/plan').Plan} plan
   * @param {import('../options/read').Reading['values']} values
   * @returns {Promise<Record<string, any>>} the result of one run
   */
  async measure (plan, values) {
    const judged = new JudgedRun(values, this.origin, () => /** @type {Coordinator} */ (this.coordinator).outcome())
    this.partial = new PartialResult(outcome => withPassed(judged.soFar(outcome)))
    const { outcome, lost, failure } = await this.coordinate(
      plan, values.workers, this.followers, this.observer, judged.thresholds, judged.course
    )
    const result = judged.result(outcome, lost, failure)
    if (failure !== null) throw Object.assign(failure, { result })
    return result
  }

  /**
   * @param {import('../options/plan').Plan} plan
   * @param {number | undefined} workers
   * @param {Followers} followers
   * @param {import('../engine/generator').Observer} observer
   * @param {import('../judge/threshold').Threshold[]} [thresholds]
   * @param {import('../judge/batches').Batches | null} [course]
   */
  coordinate (plan, workers, followers, observer, thresholds, course) {
    const { fleet } = this
    const makeChannel = fleet?.makeChannel ?? (workers === undefined ? here : elsewhere(this.startWorker))
    const coordinator = this.coordinator = new Coordinator(
      plan, fleet?.size ?? workers ?? 1, makeChannel, followers, observer, thresholds, course, fleet, this.watch
    )
    const { giveUp } = this
    if (giveUp !== null) {
      coordinator.giveUpAfter(giveUp.ms, code =>
        this.endBy(Promise.resolve(noConnection(giveUp.urls, giveUp.ms, code, WAIT_HINT))))
    }
    if (!this.running) coordinator.stop()
    return coordinator.run()
  }

  /** Emits an event about one request. @type {(event: string, ...details: unknown[]) => void} */
  emitSafely (event, ...details) {
    try {
      this.emit(event, ...details)
    } catch (error) {
      throwOutside(error)
    }
  }

  /** Updates the observer: single requests are reported only while there is a listener. */
  observe () {
    const update = () => {
      const { observer } = this
      observer.response = this.listenerCount('response') === 0
        ? null
        : (connection, status, size, ms) => { this.emitSafely('response', connection?.client, status, size, ms) }
      observer.requestError = this.listenerCount('reqError') === 0
        ? null
        : error => { this.emitSafely('reqError', error) }
      observer.mismatch = this.listenerCount('reqMismatch') === 0
        ? null
        : body => { this.emitSafely('reqMismatch', body) }
      this.coordinator?.observe()
    }
    this.on('newListener', () => queueMicrotask(update))
    this.on('removeListener', () => queueMicrotask(update))
  }
}

/** @param {EventEmitter} emitter @returns {import('../follow/followers').Follower} emits the public events of a run */
function eventsOf (emitter) {
  return {
    notice: sentence => { emitter.emit('notice', sentence) },
    log: line => { emitter.emit('log', line) },
    warmUp: warmUp => { emitter.emit('warmup', warmUp) },
    start: () => { emitter.emit('start') },
    tick: tick => { emitter.emit('tick', tick) },
    sample: ({ point }) => { emitter.emit('sample', point) },
    step: step => { emitter.emit('step', step) },
    done: result => { emitter.emit('done', result) },
    // Without a listener, emit() would throw; the promise rejects with the error instead.
    failed: error => { if (emitter.listenerCount('error') > 0) emitter.emit('error', error) }
  }
}

module.exports = { Instance }
