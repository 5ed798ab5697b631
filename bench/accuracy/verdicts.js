'use strict'

// How often the verdicts of comparisons are wrong: simulated runs of two servers on machines that are not quiet, of which it
// is known whether they differ.

const { compare } = require('../../lib/judge/comparison/comparison')
const { EARLY_CONFIDENCE, LEAST_RUNS, isCertain } = require('../../lib/experiments/versus/early-stop')
const { parseRegression } = require('../../lib/judge/comparison/regression')
const { simulateRuns, inTurn } = require('../../test/helpers/simulated/simulated-runs')
const { atMost, atLeast } = require('./rows')

/**
 * @typedef {import('../../test/helpers/simulated/simulated-runs').Machine} Machine
 * @typedef {ReturnType<typeof compare>} Comparison
 */

/** @type {Machine[]} every mixture of what makes a machine unquiet */
const MACHINES = [0.005, 0.01, 0.02].flatMap(wander => [0, 0.01, 0.03].flatMap(between => [0, 0.8, 0.95].flatMap(memory =>
  [0, 0.05].flatMap(stalls => [0, 0.005].map(tail => ({ wander, between, memory, stalls, tail }))))))

/** How wide the limits are that are tried. */
const LIMITS = ['p50 +10%', 'p99 +10%', 'avg +10%', 'rps -9%'].map(parseRegression)

/** A limit that equal servers are nearly beyond. */
const NEAR = [parseRegression('p50 +0%')]

function saysDifferent ({ metrics }) {
  return metrics.some(({ verdict }) => verdict === 'better' || verdict === 'worse')
}

/** @returns {(comparison: Comparison) => boolean} whether it is found to be worse */
function finds (name) {
  return ({ metrics }) => metrics.find(({ metric }) => metric === name)?.verdict === 'worse'
}

function passes (limit) {
  return ({ limits }) => limits.find(({ expression }) => expression === limit)?.passed === true
}

/** @param {Comparison} comparison */
function isJudged ({ limits }) {
  return limits.some(({ passed }) => passed !== null)
}

/** @param {Comparison} comparison */
function isCalledIndication ({ notes }) {
  return notes.some(note => note.startsWith('one run on each side is an indication'))
}

/**
 * @param {number} seed of the first pair; each has its own
 * @returns {number[]} for each question, in how many % of the pairs it is so
 */
function shares (seed, pairs, session, questions, limits = []) {
  const counts = questions.map(() => 0)
  for (let i = 0; i < pairs; i++) {
    const { base, next } = simulateRuns(seed + i, session)
    const comparison = compare(base, next, limits)
    for (const [k, is] of questions.entries()) if (is(comparison)) counts[k]++
  }
  return counts.map(count => 100 * count / pairs)
}

/**
 * What `versus` does: looks after each round from the third on, and stops when it is certain.
 * @param {{ base: any[], next: any[] }} runs all that there could be
 */
function stopEarly ({ base, next }, limits) {
  for (let rounds = LEAST_RUNS; rounds < base.length; rounds++) {
    const so = [base.slice(0, rounds), next.slice(0, rounds)]
    if (isCertain(compare(so[0], so[1], limits, { confidence: EARLY_CONFIDENCE }))) return { comparison: compare(so[0], so[1], limits), rounds }
  }
  return { comparison: compare(base, next, limits), rounds: base.length }
}

/** @param {number[][]} measured of each machine the answers */
function over (measured, question) {
  const all = measured.map(answers => answers[question])
  return { most: Math.max(...all), least: Math.min(...all), mean: `in the mean ${Number((all.reduce((sum, share) => sum + share, 0) / all.length).toFixed(1))} %` }
}

/**
 * @param {number} pairs of each machine
 * @returns {import('./rows').Row[]} what is bounded is what the worst machine does
 */
function verdictRows (pairs) {
  let seed = 1
  const order = inTurn(5)
  const measure = (machines, session, questions) => machines.map(machine => shares((seed += pairs) - pairs, pairs, { order, ...machine, ...session }, questions, LIMITS))
  const few = MACHINES.filter(({ memory, stalls }) => memory === 0.8 && stalls > 0)
  const same = measure(MACHINES, {}, [saysDifferent])
  const beyond = measure(few, { next: { slower: 1.101 } }, LIMITS.map(({ expression }) => passes(expression)))
  const noisy = measure(few, { next: { slower: 1.5 }, wander: 0.3, between: 0.1 }, LIMITS.map(({ expression }) => passes(expression)))
  const [plain, tailed] = [0, 0.005].map(tail => measure(MACHINES.filter(machine => machine.tail === tail && machine.between === 0.01 && machine.stalls > 0), { between: 0.02, next: { slower: 1.1 } }, [finds('p50'), finds('rps')]))
  // The worst that can be asked: equal servers and a limit that is near, and a server that is just beyond one.
  const stopped = [5, 10].map(rounds => few.filter(({ wander, tail }) => wander === 0.01 && tail === 0).map(machine => {
    const counts = [0, 0]
    for (let i = 0; i < pairs; i++) {
      const session = { order: inTurn(rounds), ...machine }
      if (stopEarly(simulateRuns(seed++, session), NEAR).comparison.limits[0].passed === false) counts[0]++
      if (stopEarly(simulateRuns(seed++, { ...session, next: { slower: 1.101 } }), LIMITS.slice(0, 1)).comparison.limits[0].passed === true) counts[1]++
    }
    return counts.map(count => 100 * count / pairs)
  }))
  // One run of each: whatever it indicates, no limit fails by it. Speeds that wander by 10 %, each second like the one before.
  const singles = [10, 30, 60].map(seconds => shares((seed += pairs) - pairs, pairs, { order: 'AB', wander: 0.1, memory: 0.95, seconds }, [isJudged, saysDifferent, isCalledIndication], LIMITS))
  const most = (/** @type {string} */ name, /** @type {number[][]} */ measured, question = 0, bound = 5) => atMost(name, over(measured, question).mean, over(measured, question).most, bound, '%')
  const least = (/** @type {string} */ name, /** @type {number[][]} */ measured, question = 0, bound = 90) => atLeast(name, over(measured, question).mean, over(measured, question).least, bound, '%')
  return [
    most('equal servers, 5 + 5 alternating runs: called different', same),
    ...LIMITS.map(({ expression }, i) => most(`just beyond ${expression}: passed`, beyond, i)),
    ...LIMITS.map(({ expression }, i) => most(`50 % slower, much noise: ${expression} passed`, noisy, i, 0.5)),
    least('10 % slower, 2 % from run to run: found in p50', plain, 0),
    least('10 % slower, 2 % from run to run: found in rps', plain, 1),
    least('the same with a tail of Pareto(1.5): found in p50', tailed, 0),
    least('the same with a tail of Pareto(1.5): found in rps', tailed, 1, 80),
    most('equal servers, one run each, a speed that wanders by 10 %: a limit is judged', singles, 0, 0),
    least('the same: called an indication', singles, 2, 100),
    ...[10, 30, 60].map((seconds, i) => most(`the same, ${seconds} s: indicates a difference`, [singles[i]], 1, [30, 22, 10][i])),
    ...[5, 10].flatMap((rounds, i) => [
      most(`equal servers, up to ${rounds} runs, stopping early: ${NEAR[0].expression} failed`, stopped[i], 0),
      most(`just beyond p50 +10%, up to ${rounds} runs, stopping early: passed`, stopped[i], 1)
    ])
  ]
}

module.exports = { MACHINES, LIMITS, NEAR, shares, stopEarly, saysDifferent, finds, passes, verdictRows }
