'use strict'

// One step of a search on a running load: a time to settle, the judged time in parts, and the wait until all requests
// that were due in it have ended. Connections stay open from step to step. trial.js judges a step.

const { endsByArrival } = require('../../instruments/clock/arrivals')
const { lossIn, verdictIn } = require('../../instruments/generator/cause')
const { paceCircumstances } = require('../../instruments/rate/kept-pace')
const { serverResult } = require('../../instruments/server/result')
const { TIMES } = require('../../instruments/stages/stage-times')
const { pointsIn } = require('../../figures/parts')
const { countNon2xx } = require('../../record/statuses')
const { merged } = require('./criterion')
const { SETTLING, SLOWER, isLatency } = require('./trial')
const { PARTS } = require('./trial-certainty')

/** How far ahead a stage is announced, ms: longer than a message to a worker takes. */
const LEAD = 50
/** How long due requests may still be sent after a step, ms. Later ones are too late for any threshold. */
const LEAST_WAIT = 1000
/** The last requests have ended at most this time after their timeout, ms. */
const MORE = 2000
/**
 * The additional wait for streams that the load generator does not close, ms. Other ones than completions may be
 * endless.
 */
const LONGEST_STREAM = { ending: 60_000, other: 10_000 }

/** The assumed response time for the number of connections, ms: without a threshold on the latency, and at most. */
const USUAL_LATENCY = 250
const LONGEST_LATENCY = 1000
const [LEAST_CONNECTIONS, MOST_CONNECTIONS] = [10, 5000]

/** @typedef {import('./trial').Part} Part */

class Stepper {
  /**
   * @param {import('../../run/coordinator').Coordinator} coordinator of a steered plan
   * @param {import('./search').Goal} goal
   * @param {{ connections: number, streams: number, pipelining: number, timeout: number,
   *   stream?: { kind: string | null, openMs: number | null, messages: number | null } | null }} plan
   * @param {(ms: number) => Promise<void>} [sleep]
   */
  constructor (coordinator, goal, { connections, streams, pipelining, timeout, stream = null }, sleep = later) {
    this.coordinator = coordinator
    this.goal = goal
    this.pipelining = pipelining * streams
    /** The time after which every request has ended, ms. */
    this.timeout = timeout + (stream === null || stream.kind === null ? 0 : longestStream(stream))
    this.sleep = sleep
    this.connections = connections / streams
    this.longest = longestOf(goal.thresholds)
    /** The response time for which connections are opened, ms. */
    this.latency = poolLatency(this.longest)
    this.ended = false
    /** Whether requests of a step did not end. */
    this.isStuck = false
    /** How far ahead a stage is announced, ms: longer with agents. */
    this.lead = Math.max(LEAD, coordinator.fleet?.lead ?? 0)
    /** The number of stages so far, measured or not. */
    this.stages = coordinator.measurement.stages?.list.length ?? 0
  }

  end () {
    this.ended = true
  }

  /**
   * @param {{ value: number }} trial
   * @returns {Promise<import('./trial').Measured | null>} null if the run has ended, or is stuck
   */
  async measure ({ value }) {
    const { coordinator, goal: { stepMs } } = this
    if (!await this.until(() => coordinator.elapsed() >= 0, Infinity)) return null
    this.grow(value)
    const begin = Math.ceil(coordinator.elapsed()) + this.lead
    const from = begin + stepMs * SETTLING
    const length = stepMs * (1 - SETTLING) / PARTS
    this.extend(begin, from, value)
    const first = this.stages
    for (let i = 0; i < PARTS; i++) this.extend(from + i * length, from + (i + 1) * length, value)
    const to = begin + stepMs
    await this.pass(to - coordinator.elapsed())
    return await this.settle(first, to) ? this.figures(first, { from, to }) : null
  }

  /**
   * Waits until all due requests of a step have ended. Those that are not sent within some time are dropped.
   * @param {number} first index of the first judged stage
   * @param {number} to
   * @returns {Promise<boolean>} false if the run has ended, or is stuck
   */
  async settle (first, to) {
    const { coordinator, coordinator: { measurement } } = this
    const isComplete = () => {
      for (let i = first; i < first + PARTS; i++) if (!measurement.stage(i).complete) return false
      return true
    }
    const wait = Math.max(LEAST_WAIT, this.longest ?? 0)
    if (await this.until(isComplete, wait)) return true
    if (this.ended) return false
    const now = Math.ceil(coordinator.elapsed()) + this.lead
    this.extend(now, now + 1, this.goal.over === 'rate' ? 0 : this.connections, true)
    // Requests in flight complete, or time out.
    const isSettled = await this.until(isComplete, this.timeout + MORE)
    this.isStuck = !isSettled && !this.ended
    return isSettled
  }

  /** @param {number} first @param {{ from: number, to: number }} span @returns {import('./trial').Measured} */
  figures (first, { from, to }) {
    const { coordinator: { measurement }, connections, pipelining } = this
    const parts = []
    let written = 0
    const rate = { sent: 0, late: 0, unsent: 0 }
    for (let i = first; i < first + PARTS; i++) {
      const { tally } = measurement.stage(i)
      const { sent, late, unsent, completed, errors, failures, timedOut, statuses, neverSent } = tally
      written += tally.written
      rate.sent += sent
      rate.late += late
      rate.unsent += unsent
      const latency = merged([tally.latency])
      const times = tally.times === null ? undefined : copied(tally.times)
      const counted = {
        responses: completed, ended: completed + errors, sent: sent + neverSent, failures, errors, timeouts: timedOut,
        non2xx: countNon2xx(statuses), ...goodputIn(tally)
      }
      parts.push({ ms: (to - from) / PARTS, due: sent + unsent, counted, latency, ...times !== undefined && { times } })
    }
    const { latency } = measurement.stage(first - 1).tally
    // The first requests found all connections free.
    const free = Math.min(latency.count, connections * pipelining)
    const rested = free === 0 ? null : latency.percentile(50 * free / latency.count)
    const points = pointsIn(measurement.series.points, from, to)
    const byArrival = endsByArrival(measurement.totals)
    const kept = this.goal.over === 'rate' ? { ...rate, ratio: written / (rate.sent + rate.unsent) } : undefined
    const { verdict, cause } = verdictIn(points, { byArrival, ...paceCircumstances({ rate: kept }) })
    return {
      parts, achieved: written / (to - from) * 1000, slots: connections * pipelining, rested, generator: verdict, cause,
      byArrival, ...lossIn(points), ...serverResult(points), connections, from, to
    }
  }

  /** Opens the connections that a rate needs. None is closed. @param {number} value */
  grow (value) {
    const { goal } = this
    if (goal.over === 'connections') this.connections = value
    else if (goal.connections === null) {
      this.connections = Math.max(this.connections, poolFor(value, this.latency))
      this.coordinator.grow(this.connections)
    }
  }

  /**
   * From the next step on, there are enough connections for this response time, with a reserve.
   * @param {number} value
   * @param {number} responseMs
   * @returns {number | null} their number for this load; null if there are as many, or if the user set it
   */
  widen (value, responseMs) {
    const { goal } = this
    if (goal.over === 'connections' || goal.connections !== null) return null
    this.latency = Math.max(this.latency, SLOWER * responseMs)
    const connections = poolFor(value, this.latency)
    return connections > this.connections ? connections : null
  }

  /** @param {number} from @param {number} until @param {number} value @param {boolean} [drop] */
  extend (from, until, value, drop = false) {
    this.coordinator.extend({ name: null, over: this.goal.over, from, until, start: value, end: value }, { drop })
    this.stages++
  }

  /** @param {number} ms */
  async pass (ms) {
    const { coordinator } = this
    const end = coordinator.elapsed() + ms
    await this.until(() => coordinator.elapsed() >= end, Infinity)
  }

  /**
   * @param {() => boolean} isSo
   * @param {number} longest ms
   * @returns {Promise<boolean>} whether it became so; false if the run has ended
   */
  async until (isSo, longest) {
    const { coordinator } = this
    const end = coordinator.elapsed() + longest
    while (!this.ended && !isSo()) {
      if (coordinator.elapsed() >= end) return false
      await this.sleep(LEAD)
    }
    return !this.ended
  }
}

/**
 * @param {{ kind: string | null, openMs: number | null, messages: number | null }} stream
 * @returns {number} the longest duration of a stream, ms
 */
function longestStream ({ kind, openMs, messages }) {
  return openMs ?? (kind === 'openai' || messages !== null ? LONGEST_STREAM.ending : LONGEST_STREAM.other)
}

/**
 * @param {number | null} longest ms that a response may take
 * @returns {number} the expected response time, ms
 */
function poolLatency (longest) {
  return Math.min(LONGEST_LATENCY, longest ?? USUAL_LATENCY)
}

/**
 * @param {number} rate
 * @param {number} latency ms
 * @returns {number} the connections for that rate with this response time
 */
function poolFor (rate, latency) {
  return Math.min(MOST_CONNECTIONS, Math.max(LEAST_CONNECTIONS, Math.ceil(rate * latency / 1000)))
}

/**
 * @param {import('../../judge/threshold').Threshold[]} thresholds
 * @returns {number | null} the longest response time that they allow, ms
 */
function longestOf (thresholds) {
  const limits = thresholds.filter(({ metric }) => isLatency(metric)).map(({ limit }) => limit)
  return limits.length === 0 ? null : Math.max(...limits)
}

/**
 * @param {Pick<import('./search').Goal, 'from' | 'thresholds'>} goal
 * @returns {number} the connections with which a search begins
 */
function firstPool ({ from, thresholds }) {
  return poolFor(from, poolLatency(longestOf(thresholds)))
}

/**
 * @param {import('../../instruments/stages/stage-times').StageTimes} times of a tally that will be reused
 * @returns {Part['times']}
 */
function copied (times) {
  return Object.fromEntries(TIMES.flatMap(time => {
    const histogram = times[time]
    return histogram === null ? [] : [[time, merged([histogram])]]
  }))
}

/** @param {import('../../instruments/goodput/record').Stage} tally @returns {Record<string, number>} */
function goodputIn ({ goodput }) {
  return Object.fromEntries(Array.from(goodput?.counts ?? []).flatMap(([expression, { good, requests }]) =>
    [[`good: ${expression}`, good], [`ended: ${expression}`, requests]]))
}

/** @param {number} ms */
function later (ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

module.exports = { Stepper, firstPool, poolFor }
