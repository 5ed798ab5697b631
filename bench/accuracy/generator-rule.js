'use strict'

// Owns how far the load generator's verdict says what a wait for the CPU did to p95 and p99: simulated threads whose waits are known, beside servers whose
// latencies are known.

const { SERVERS, TAKERS, measureBeside } = require('../../test/helpers/waiting-thread')
const { atMost } = require('./rows')

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
 * @param {(taker: import('../../test/helpers/waiting-thread').Taker) => boolean} [how.besides]
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
 * @param {number} ms of each run
 * @returns {import('./rows').Row[]}
 */
function generatorRuleRows (ms) {
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
  }), atMost(`sleeping thread, waits of 1 ms, ${short.runs} runs: healthy although p99 is ${BENT} % too high`, 'seen in part', short.hidden, SHORT_HIDDEN, '')]
}

module.exports = { BENT, HEALTHY, generatorRuleRows, judgeBeside }
