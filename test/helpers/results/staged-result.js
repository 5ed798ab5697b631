'use strict'

// Results of a load that changes over time, which are the same each time: a real generator against a server of known capacity, on the
// clock of the test.

const { Followers } = require('../../../lib/follow/followers')
const { buildResult } = require('../../../lib/figures/result')
const { Generator } = require('../../../lib/engine/generator')
const { Measurement } = require('../../../lib/run/measurement')
const { judged } = require('../../../lib/judge/judge')
const { parseThreshold } = require('../../../lib/judge/threshold')
const { FakeTime, FakeSocket, ANSWER, nobody, planOf } = require('../../engine/helpers/fake-load')

const START = new Date('2026-11-21T10:00:00.000Z')

/** How the generator was: well, and no more of it is known. */
const usageOf = (wallMs, starved) => ({ cpuMs: 0.3 * wallMs, activeMs: 0.35 * wallMs, idleMs: 0, gcMs: 1, wallMs, stalledMs: 0, runDelayMs: starved ? wallMs / 2 : 5, blockedMs: 0, lateMs: 0, delay: { p50: 0.1, p99: 1.2, max: 4 } })

/**
 * @param {Record<string, any>} options with stages
 * @param {{ slots?: number, ms?: number, thresholds?: string[], starved?: boolean, until?: number }} [run] the server works on so many requests at
 *   once, each of which takes so long; `until` seconds it is interrupted
 * @returns {Record<string, any>} a result
 */
function stagedResult (options, { slots = 4, ms = 10, thresholds = [], starved = false, until } = {}) {
  const plan = planOf({ connections: 50, .../\/s/.test(options.stages) && { pace: 'batched' }, ...options })
  const time = new FakeTime()
  const measurement = new Measurement(plan.sampleInt, 1, new Followers(), plan.stages)
  const sinks = {
    snapshot: snapshot => { measurement.add(0, { ...snapshot, usage: usageOf(snapshot.to - snapshot.from, starved) }) },
    end: () => { measurement.end(0) }
  }
  const free = new Array(slots).fill(0)
  const serve = socket => {
    const slot = free.indexOf(Math.min(...free))
    free[slot] = Math.max(free[slot], time.ms) + ms
    time.at(free[slot], () => { if (!socket.destroyed) socket.read(ANSWER) })
  }
  const connect = (target, onread, onReady) => {
    const socket = new FakeSocket(onread, onReady, time)
    time.at(time.ms + 0.1, () => socket.ready(serve))
    return socket
  }
  const generator = new Generator(plan, sinks, nobody, { now: () => time.ms, loop: time.loop, connect, machine: { cores: 2, sharedNow: () => time.ms, runDelayMs: () => null, spin: ms => { time.ms += ms } } })
  generator.start()
  time.pass(until === undefined ? plan.duration + 100 : until * 1000)
  generator.stop()
  const identity = { title: 'stages', url: 'http://localhost:3000', connections: plan.connections, pipelining: 1, sampleInt: plan.sampleInt, options: { stages: options.stages }, environment: { autocannon: '1.0.0', node: 'v20.20.0', platform: 'linux 6.1.0 x64', cpu: 'Example CPU @ 3.0GHz', cores: 2 } }
  const targetRate = plan.pacing === null ? null : plan.pacing.rate
  const outcome = measurement.outcome({ start: +START, finish: +START + plan.duration, targetRate, interrupted: until !== undefined })
  return judged(buildResult(identity, outcome), thresholds.map(parseThreshold))
}

module.exports = { stagedResult }
