'use strict'

// A generator whose clock, timers and sockets the test holds in its hands: times are exact there.

const { EventEmitter } = require('node:events')
const { Generator } = require('../../../lib/engine/generator')
const { isPaced } = require('../../../lib/options/load/load')
const { buildPlan, extentOf } = require('../../../lib/options/plan')
const { split } = require('../../../lib/options/split')
const { validate } = require('../../../lib/options/validate')
const { buildResult } = require('../../../lib/figures/result')
const { Samples } = require('../../../lib/record/samples')
const { Totals } = require('../../../lib/record/totals')

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
const nobody = { response: null, requestError: null, mismatch: null }

/** What a turn of the event loop takes in which nothing happens, ms. */
const TURN = 0.001

/**
 * Time that passes when it is told to, and the timers and immediates that come by it. Timers are as exact as they are asked to
 * be; as long as something waits for the next turn, a turn takes 1 µs.
 */
class FakeTime {
  constructor () {
    this.ms = 0
    this.timers = new Set()
    /** How many timers have been made. */
    this.made = 0
    /** What a server does, at any time. */
    this.events = new Set()
    /** What the next turn calls. */
    this.immediates = new Set()
    /** How many turns there were in which something waited for the next. */
    this.turns = 0
    /** @type {import('../../../lib/core/timers').Loop} */
    this.loop = {
      setTimeout: (action, delay) => {
        const timer = {
          at: 0,
          action,
          refresh: () => {
            // As one that is set now: behind those that are due at the same time.
            this.timers.delete(timer)
            timer.at = this.ms + Math.max(1, delay)
            this.timers.add(timer)
          }
        }
        timer.refresh()
        this.made++
        return timer
      },
      clearTimeout: timer => { this.timers.delete(timer) },
      setImmediate: action => {
        const immediate = { action }
        this.immediates.add(immediate)
        return immediate
      },
      clearImmediate: immediate => { this.immediates.delete(immediate) }
    }
  }

  /**
   * @param {number} at
   * @param {() => void} action
   */
  at (at, action) {
    this.events.add({ at, action })
  }

  /** Every timer fires on time. */
  pass (ms) {
    const end = this.ms + ms
    for (;;) {
      const next = this.next()
      const turns = this.immediates.size > 0
      const at = Math.min(turns ? this.ms + TURN : Infinity, next?.at ?? Infinity)
      if (at > end) break
      this.ms = Math.max(this.ms, at)
      if (next !== undefined && next.at <= this.ms) this.fire(next)
      else this.turn()
    }
    this.ms = end
  }

  /** The next turn of the event loop. */
  turn () {
    this.turns++
    const { immediates } = this
    this.immediates = new Set()
    for (const immediate of immediates) immediate.action()
  }

  /** The thread is busy meanwhile: timers that are due fire at the end. */
  block (ms) {
    this.ms += ms
    for (const timer of [...this.timers].filter(({ at }) => at <= this.ms)) this.fire(timer)
  }

  /** The first that is due, of several the one that was set first. */
  next () {
    let first
    for (const one of this.timers) if (first === undefined || one.at < first.at) first = one
    for (const one of this.events) if (first === undefined || one.at < first.at) first = one
    return first
  }

  fire (one) {
    if (this.timers.delete(one) || this.events.delete(one)) one.action()
  }
}

/** A socket that keeps what is written, and takes `room` writes before it asks to wait. */
class FakeSocket extends EventEmitter {
  constructor (onread, onReady, time) {
    super()
    this.onread = onread
    this.onReady = onReady
    this.time = time
    this.room = Infinity
    /** Bytes that the kernel has not taken. */
    this.writableLength = 0
    this.destroyed = false
    this.writes = []
    /** When each request was written. */
    this.times = []
    /** Called at each request; null while the test answers by hand. */
    this.serve = null
  }

  write (bytes) {
    const n = bytes.toString().match(/ HTTP\/1\.1\r\n/g).length
    this.writes.push(n)
    for (let i = 0; i < n; i++) {
      this.times.push(this.time.ms)
      if (this.serve !== null) this.serve(this)
    }
    if (--this.room > 0) return true
    this.writableLength += bytes.length
    return false
  }

  destroy () {
    this.destroyed = true
  }

  /** @param {(socket: FakeSocket) => void} [serve] */
  ready (serve = null) {
    this.serve = serve
    this.onReady(this)
  }

  /** @param {number} [room] */
  drain (room = Infinity) {
    this.room = room
    this.writableLength = 0
    this.emit('drain')
  }

  read (bytes) {
    bytes.copy(this.onread.buffer)
    this.onread.callback(bytes.length, this.onread.buffer)
  }

  /** Requests that were written. */
  get requests () {
    return this.times.length
  }
}

/**
 * A generator of the options with all that a test needs to play with it. With a rate, it sends in batches unless another pace is
 * asked for.
 * @param {Partial<import('../../../lib/engine/pacing/waker').Machine>} [machine] that has two cores when left out
 * @param {Record<string, unknown>} [edge] what else of the generator's is the test's
 */
function generatorOf (given, observer = nobody, machine = {}, edge = {}) {
  const opts = isPaced(validate({ url: 'http://localhost/', ...given }).values) ? { pace: 'batched', ...given } : given
  return play(planOf(opts), new FakeTime(), observer, machine, edge)
}

/** The generators of as many threads, of one run. */
function threadsOf (opts, threads) {
  const time = new FakeTime()
  // A thread that waits holds up no other.
  return split(planOf(opts), threads).map(plan => play(plan, time, nobody, { spin () {} }))
}

function planOf (opts) {
  const { values } = validate({ url: 'http://localhost/', ...overConnections(opts) ? {} : { connections: 1 }, ...opts })
  return buildPlan({ ...values, ...extentOf(values) })
}

/** Stages of connections begin at none unless said. */
const overConnections = ({ stages = [] }) => [stages].flat().some(stage => typeof stage === 'string' ? !/(\/s|rps)$/.test(stage) : stage.connections !== undefined)

function play (plan, time, observer, machine, edge = {}) {
  const sockets = []
  const totals = new Totals()
  const log = { snapshots: [], latencies: [], ends: 0, attempts: [], sockets, time, totals, total: {} }
  const sinks = {
    snapshot (snapshot) {
      if (log.ends > 0) throw new Error('a snapshot after the end')
      log.snapshots.push(snapshot)
      log.latencies.push(snapshot.distributions === null ? {} : snapshot.distributions.latency.summary())
      totals.add(snapshot)
      for (const fate of ['sent', 'completed', 'timedOut', 'failed', 'abandoned', 'resent', 'neverSent']) log.total[fate] = (log.total[fate] ?? 0) + snapshot[fate]
      for (const [code, n] of Object.entries(snapshot.errorCodes)) log.total[code] = (log.total[code] ?? 0) + n
    },
    end () { log.ends++ }
  }
  const connect = (target, onread, onReady) => {
    const socket = new FakeSocket(onread, onReady, time)
    sockets.push(socket)
    log.attempts.push(time.ms)
    return socket
  }
  return Object.assign(log, {
    generator: new Generator(plan, sinks, observer, { now: () => time.ms, loop: time.loop, connect, machine: { cores: 2, sharedNow: () => time.ms, runDelayMs: () => null, spin: ms => { time.ms += ms }, ...machine }, ...edge }),
    /** What the run says of itself once it has ended. */
    result () {
      const { to: elapsed, usage } = log.snapshots.at(-1)
      const paces = (plan.groups === null ? [plan.pacing] : plan.groups.filter(({ connections }) => connections > 0).map(({ pacing }) => pacing)).filter(pacing => pacing !== null)
      const rateOf = (unit, isOf = () => true) => {
        const own = paces.filter(pacing => pacing.unit === unit && isOf(pacing))
        return own.length > 0 ? own.reduce((sum, { rate }) => sum + rate, 0) : null
      }
      const users = plan.users === null ? null : { ...plan.users, scenarios: plan.scenarioNames, rate: rateOf('iterations'), rates: plan.scenarioNames.map((_, i) => rateOf('iterations', ({ scenario }) => scenario === i)) }
      return buildResult({}, { totals, samples: new Samples(plan.sampleInt, 1), series: [], elapsed, start: new Date(0), finish: new Date(elapsed), targetRate: rateOf('requests'), users, stages: plan.stages && [...log.generator.recorder.instruments.stages.timetable.list], usages: [usage] })
    }
  })
}

/**
 * Starts the run; each connection is there at once.
 * @param {ReturnType<typeof generatorOf>} log
 * @param {(socket: FakeSocket) => void} [serve]
 */
function begin ({ generator, sockets }, serve) {
  generator.start()
  for (const socket of sockets) socket.ready(serve)
}

/** A server that answers each request after so many ms. */
const after = ms => socket => socket.time.loop.setTimeout(() => { if (!socket.destroyed) socket.read(ANSWER) }, ms)

/**
 * One that works on one request at a time, in the order in which they come.
 * @param {FakeTime} time
 * @param {() => number} next how long the next one takes, ms
 */
function inOrder (time, next) {
  let free = 0
  return socket => {
    free = Math.max(free, time.ms) + next()
    time.at(free, () => { if (!socket.destroyed) socket.read(ANSWER) })
  }
}

const responses = n => Buffer.concat(Array(n).fill(ANSWER))

module.exports = { FakeTime, FakeSocket, TURN, planOf, play, generatorOf, threadsOf, begin, after, inOrder, responses, ANSWER, nobody }
