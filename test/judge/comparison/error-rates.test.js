'use strict'

// How often the verdicts of comparisons are wrong, in simulated runs of which it is known whether the servers differ.
// `npm run bench:accuracy -- --only verdicts` has 1,000 pairs of every machine.

const t = require('tap')
const { compare } = require('../../../lib/judge/comparison/comparison')
const { parseRegression } = require('../../../lib/judge/comparison/regression')
const { MACHINES, LIMITS, NEAR, shares, stopEarly, saysDifferent, finds, passes } = require('../../../bench/accuracy/verdicts')
const { simulateRuns, inTurn } = require('../../helpers/simulated/simulated-runs')
const { simulate } = require('../../helpers/simulated/simulated-server')

/** Each simulated run has a seed of its own, from here on. */
const SEED = Number(process.env.SEED ?? 1)

/**
 * @param {Array<ReturnType<typeof shares>>} measured of each machine
 * @param {number} [question]
 */
const mean = (measured, question = 0) => measured.reduce((sum, responses) => sum + responses[question], 0) / measured.length

/** Nine of 108: each wandering with each variance from run to run, and all of the rest in turn. */
const SOME = MACHINES.filter((machine, i) => i % 12 === 5 * Math.floor(i / 12) % 12)

t.test('a second that is drawn as a whole is like one of single requests', async t => {
  const machine = { stalls: 0.05 }
  const slow = Array.from({ length: 80 }, (_, i) => simulate(SEED + i, { drift: 0.01, start: 0.02, ...machine }))
  const fast = Array.from({ length: 80 }, (_, i) => simulateRuns(SEED + i, { order: 'A', wander: 0.01, between: 0.02, memory: 0.8, ...machine }).base[0])
  for (const [name, figure] of /** @type {Array<[string, (result: any) => number]>} */ ([
    ['rps', ({ requests }) => requests.average], ['avg', ({ latency }) => latency.average], ['p50', ({ latency }) => latency.p50], ['p95', ({ latency }) => latency.p95],
    ['p99', ({ latency }) => latency.p99], ['requests of a sample', ({ series }) => series[4].requests], ['p50 of a sample', ({ series }) => series[4].p50]
  ])) {
    const [one, other] = [slow, fast].map(results => {
      const logs = results.map(result => Math.log(figure(result)))
      const middle = logs.reduce((sum, log) => sum + log, 0) / logs.length
      return { middle, deviation: Math.sqrt(logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / logs.length) }
    })
    t.ok(Math.abs(one.middle - other.middle) < 0.015, `${name}: ${Math.exp(one.middle)} and ${Math.exp(other.middle)}`)
    t.ok(Math.abs(Math.log(one.deviation / other.deviation)) < Math.log(1.5), `deviation of ${name}: ${one.deviation} and ${other.deviation}`)
  }
})

t.test('five runs of two equal servers, in turn, are called different in at most 5 % of the comparisons, however unquiet the machine', async t => {
  const different = mean(SOME.map((machine, i) => shares(SEED + 100_000 * i, 40, { order: inTurn(5), ...machine }, [saysDifferent])))
  t.ok(different <= 5, `${different} %, seed ${SEED}`)
})

t.test('a server that is just beyond a limit passes it in at most 5 % of the comparisons', async t => {
  const measured = SOME.map((machine, i) => shares(SEED + 100_000 * i, 30, { order: inTurn(5), next: { slower: 1.101 }, ...machine }, LIMITS.map(({ expression }) => passes(expression)), LIMITS))
  for (const [i, { expression }] of LIMITS.entries()) t.ok(mean(measured, i) <= 5, `${expression}: ${mean(measured, i)} %, seed ${SEED}`)
})

t.test('a server that is 50 % slower never passes a limit of 10 %, whatever the noise', async t => {
  for (const order of ['AB', 'ABBAAB', inTurn(5), 'AAAAABBBBB', 'AAAAAB']) {
    const passed = shares(SEED, 12, { order, next: { slower: 1.5 }, between: 0.1, wander: 0.3, memory: 0.8, stalls: 0.3, tail: 0.005 }, LIMITS.map(({ expression }) => passes(expression)), LIMITS)
    t.strictSame(passed, LIMITS.map(() => 0), order)
  }
})

t.test('a server that is 10 % slower is found by five runs in turn in at least 90 % of the comparisons when runs differ by 2 %', async t => {
  const measured = MACHINES.filter(({ between, tail, stalls, memory }) => between === 0.01 && tail === 0 && stalls > 0 && memory !== 0.8).map((machine, i) =>
    shares(SEED + 100_000 * i, 30, { order: inTurn(5), ...machine, between: 0.02, next: { slower: 1.1 } }, [finds('p50'), finds('rps')]))
  for (const [i, name] of ['p50', 'rps'].entries()) t.ok(mean(measured, i) >= 90, `${name}: ${mean(measured, i)} %, seed ${SEED}`)
})

t.test('one run of each of two equal servers: called different in at most 5 % when runs differ by 2 %, and 12 % is found', async t => {
  const machine = { order: 'AB', wander: 0.01, between: 0.02, stalls: 0.05 }
  const [different] = shares(SEED, 40, machine, [saysDifferent])
  t.ok(different <= 5, `${different} %, seed ${SEED}`)
  const [found] = shares(SEED, 20, { ...machine, next: { slower: 1.12 } }, [finds('p50')])
  t.ok(found >= 85, `${found} %, seed ${SEED}`)
})

t.test('one run of each of two equal servers whose speed wanders by 10 %: called different in few, as blocks are as long as their correlation asks for', async t => {
  // It was 46 % of runs in which each second is like the one before (0.95), with blocks of two seconds.
  for (const [memory, seconds, most] of [[0.8, 10, 15], [0.95, 10, 30], [0.95, 60, 15]]) {
    const [different] = shares(SEED, 40, { order: 'AB', wander: 0.1, memory, seconds }, [saysDifferent])
    t.ok(different <= most, `${memory}, ${seconds} s: ${different} %, seed ${SEED}`)
  }
})

t.test('five runs of one and one of the other are judged by the variance of the five', async t => {
  const machine = { order: 'AAAAAB', wander: 0.01, between: 0.01, stalls: 0.05 }
  const [different, byRuns] = shares(SEED, 200, machine, [saysDifferent, ({ basis }) => basis === 'runs'])
  t.ok(different <= 5, `${different} %, seed ${SEED}`)
  t.equal(byRuns, 100)
  const [found] = shares(SEED, 40, { ...machine, next: { slower: 1.2 } }, [finds('p50')])
  t.ok(found >= 95, `${found} %, seed ${SEED}`)
})

t.test('looking after each pair of runs is wrong in at most 5 %, and saves runs where it is clear', async t => {
  const machine = { order: inTurn(6), wander: 0.01, between: 0.02, stalls: 0.05 }
  const counts = [0, 0]
  for (let i = 0; i < 60; i++) {
    if (stopEarly(simulateRuns(SEED + i, machine), NEAR).comparison.limits[0].passed === false) counts[0]++
    if (stopEarly(simulateRuns(SEED + i, { ...machine, next: { slower: 1.101 } }), LIMITS.slice(0, 1)).comparison.limits[0].passed === true) counts[1]++
  }
  t.ok(counts[0] <= 3, `equal servers failed ${counts[0]} times of 60, seed ${SEED}`)
  t.ok(counts[1] <= 3, `a server just beyond the limit passed ${counts[1]} times of 60, seed ${SEED}`)
  let runs = 0
  for (let i = 0; i < 20; i++) {
    const stopped = stopEarly(simulateRuns(SEED + i, { ...machine, next: { slower: 1.5 } }), LIMITS.slice(0, 1))
    t.equal(stopped.comparison.limits[0].passed, false)
    runs += stopped.rounds
  }
  t.ok(runs < 20 * 4.5, `${runs / 20} runs in the mean`)
})

t.test('runs are compared in pairs when that is clearly sharper', async t => {
  // Both of a pair are equally slow, and each pair is slower than the one before.
  const session = { order: inTurn(6), wander: 0.002, drift: 0.04 }
  const [pairs, worse] = shares(SEED, 40, { ...session, next: { slower: 1.15 } }, [({ basis }) => basis === 'pairs', finds('p50')])
  t.ok(pairs >= 90, `${pairs} %`)
  t.ok(worse >= 90, `${worse} %`)
  const [unneeded, different] = shares(SEED, 200, { order: inTurn(6), wander: 0.01, between: 0.02 }, [({ basis }) => basis === 'pairs', saysDifferent])
  t.ok(unneeded <= 10, `${unneeded} % of those that had nothing in common`)
  t.ok(different <= 5, `${different} %`)
  const [drifting] = shares(SEED, 200, session, [saysDifferent])
  t.ok(drifting <= 5, `${drifting} % of equal servers on a machine that drifts`)
})

t.test('a limit that can not be told yet is told by as many more runs as it says', async t => {
  const limits = [parseRegression('p50 +10%')]
  const session = { wander: 0.01, between: 0.03, next: { slower: 1.05 } }
  let told = 0
  let asked = 0
  for (let i = 0; i < 60; i++) {
    const seed = SEED + i * 1000
    const { base, next } = simulateRuns(seed, { order: inTurn(60), ...session })
    const [{ passed, needs }] = compare(base.slice(0, 4), next.slice(0, 4), limits).limits
    if (passed !== null || needs === undefined) continue
    asked++
    if (compare(base.slice(0, 4 + needs.runs), next.slice(0, 4 + needs.runs), limits).limits[0].passed !== null) told++
  }
  t.ok(asked >= 20, `${asked} can't tell`)
  t.ok(told >= asked / 3, `${told} of ${asked}: it is an estimate, which the difference that was seen so far may mislead`)
})
