'use strict'

// How far the load generator's verdict says what a wait for the CPU did to p95 and p99: simulated threads whose waits are known, beside servers whose
// latencies are known.

const { judge } = require('../../lib/judge/judge')
const { parseThreshold } = require('../../lib/judge/threshold')
const { resultOf } = require('../../test/helpers/simulated/varying-servers')
const { NOBODY, SERVERS, TAKERS, loopBeside, measureBeside, slices } = require('../../test/helpers/simulated/waiting-thread')
const { atLeast, atMost } = require('./rows')

/** A p99 that is too high by so much at the most is that of a healthy generator, %. */
const HEALTHY = 20
/** From so much on, % too high, a percentile is bent for certain. */
const BENT = 50
/** Requests per second: a thread that sleeps wakes up twice for each. */
const [OFTEN, SELDOM] = [2000, 500]
/** Waits of 1 ms are hard to tell from wake-ups, which a thread that sleeps waits for as well: what is not seen there is said in docs/measuring.md. */
const SHORT = /slices of 1 ms/
const SHORT_HIDDEN = 2

/**
 * @typedef {object} Found of all threads and servers
 * @property {number} runs
 * @property {number} healthy in so many the verdict was that
 * @property {number} most by how much p99 was too high at the most where it was healthy, %
 * @property {number} hidden in so many p99 was bent for certain, and the verdict was healthy
 * @property {number} mild in so many p95 was, and the verdict was not starved
 * @property {number} quiet in so many nothing took the core, and the verdict was not healthy
 * @property {number} misnamed in so many the sentence blames the wrong one for the wait
 */

/** Who took the core, in the sentence of the verdict. */
const NAMED = { core: /other processes used its core/, quota: /CPU quota/, steal: /host/ }

/**
 * @param {object} how
 * @param {boolean} how.polls
 * @param {number} how.ms
 * @param {(taker: import('../../test/helpers/simulated/waiting-thread').Taker) => boolean} [how.besides]
 * @param {number} [how.rate]
 * @returns {Found}
 */
function judgeBeside ({ polls, ms, besides = () => true, rate = polls ? OFTEN : SELDOM }) {
  const found = { runs: 0, healthy: 0, most: 0, hidden: 0, mild: 0, quiet: 0, misnamed: 0 }
  for (const taker of TAKERS.filter(besides)) {
    for (const server of SERVERS) {
      const { shift, health: { verdict, cause } } = measureBeside({ taker, server, polls, ms, rate })
      const isHealthy = verdict === 'healthy'
      found.runs++
      if (isHealthy) found.healthy++
      if (isHealthy) found.most = Math.max(found.most, shift.p99 * 100)
      if (isHealthy && shift.p99 * 100 >= BENT) found.hidden++
      if (verdict !== 'starved' && shift.p95 * 100 >= BENT) found.mild++
      if (taker.name === TAKERS[0].name && !isHealthy) found.quiet++
      if (!isHealthy && !NAMED[taker.kind].test(cause ?? '')) found.misnamed++
    }
  }
  return found
}

/**
 * Closed loops whose load generator waits for the CPU for half of the time, beside limits that the true figure is 10 % within, or beyond. The true one is that of the
 * same loop beside a generator that does not wait.
 * @param {number} runs
 * @param {number} ms of each
 * @returns {{ failed: number, passed: number, far: number }} shares in %: a limit that holds fails, one that does not passes, and one that is a hundred times as high does
 */
function judgeStarved (runs, ms) {
  const found = { failed: 0, passed: 0, far: 0 }
  const [connections, servers] = [10, 4]
  const truth = loopBeside({ taker: NOBODY, connections, servers, ms: 10 * ms }).measured.percentile(99)
  const thresholds = [1.1, 0.9, 100].map(factor => parseThreshold(`p99 < ${(truth * factor).toFixed(4)}ms`))
  for (let seed = 1; seed <= runs; seed++) {
    const { measured } = loopBeside({ taker: slices(4, 0.5), connections, servers, ms, seed })
    const result = { ...resultOf(measured, ms / 1000), generator: { verdict: 'starved', runDelayMs: ms / 2, blockedMs: 0 } }
    const [within, beyond, far] = judge(thresholds, result, null).map(({ passed }) => passed)
    if (within === false) found.failed += 100 / runs
    if (beyond === true) found.passed += 100 / runs
    if (far === true) found.far += 100 / runs
  }
  return found
}

/**
 * @param {number} ms of each run
 * @returns {import('./rows').Row[]}
 */
function generatorRuleRows (ms) {
  const starved = judgeStarved(20, ms / 5)
  const even = measureBeside({ taker: slices(4, 0.14), server: SERVERS[2], ms })
  const short = judgeBeside({ polls: false, ms, besides: ({ name }) => SHORT.test(name) })
  return [...[true, false].flatMap(polls => {
    const { runs, healthy, most, hidden, mild, quiet, misnamed } = judgeBeside({ polls, ms, besides: ({ name }) => polls || !SHORT.test(name) })
    const name = `${polls ? 'busy-polling' : 'sleeping'} thread, ${runs} runs`
    return [
      atMost(`${name}: healthy (${healthy}), p99 too high by at most`, '', most, HEALTHY, '%'),
      atMost(`${name}: healthy although p99 is ${BENT} % too high`, 'none', hidden, 0, ''),
      atMost(`${name}: not starved although p95 is ${BENT} % too high`, 'none', mild, 0, ''),
      atMost(`${name}: not healthy with a core of its own`, 'none', quiet, 0, ''),
      atMost(`${name}: the wrong cause`, 'none', misnamed, 0, '')
    ]
  }), {
    figure: `an even pace that waits for 14 % of the time in slices of 4 ms, responses after 2 ms: p99 is ${Math.round(even.shift.p99 * 100)} % too high`,
    theory: 'starved',
    measured: String(even.health.verdict),
    bound: 'as it is',
    ok: even.health.verdict === 'starved'
  },
  atMost('a starved closed loop, the true p99 10 % within its limit: fails', '', starved.failed, 0, '%'),
  atMost('the same, 10 % beyond it: passes', '', starved.passed, 0, '%'),
  atLeast('the same, a limit 100 times as high: passes', '', starved.far, 100, '%'),
  atMost(`sleeping thread, waits of 1 ms, ${short.runs} runs: healthy although p99 is ${BENT} % too high`, 'seen in part', short.hidden, SHORT_HIDDEN, '')]
}

module.exports = { BENT, HEALTHY, generatorRuleRows, judgeBeside }
