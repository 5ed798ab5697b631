'use strict'

// What an even pace is held to: when requests leave, beside a loop that only waits for the clock, and the latency of a queue that
// theory knows. The rounds of what is compared alternate, because a core that somebody else takes for a moment is a fault of neither.

const autocannon = require('../..')
const { waited } = require('./core-waits')
const { latenessOf, latenessOfLoop, latenessOfWrites } = require('./departures')
const { mean, quantile } = require('./logs')
const { atMost, within } = require('./rows')
const { exponential, sojourns, sojournsAmid } = require('./single-queue')
const { stallsOfPair } = require('./stalls')
const { withServer } = require('../served')

const ROUNDS = 5
const SENT_ROUNDS = 9

/** How many rounds there are at the most until so many were quiet, and how long one may have waited for a core to be quiet, of its time. */
const MOST = 9
const QUIET = 0.002

/** How busy the queue is. */
const UTILISATION = 0.8

/** What a user leaves out by --skip-first, s: the compilers of both programs ask for the cores until then. */
const SETTLING = 1

/** What reading a few answers takes: no p99 that is below has to be near that of a loop that reads none, ms. */
const OWN_WORK = 0.1

async function departures (perSecond) {
  const interval = 1000 / perSecond
  // 1 % of it is longer than the compiler takes from the core as a run begins.
  const seconds = Math.max(3, 300 / perSecond)
  const rounds = []
  const sorted = (/** @type {number[]} */ list) => list.sort((a, b) => a - b)
  const figuresOf = (/** @type {number[]} */ late) => ({ p50: quantile(sorted(late), 50), p99: quantile(late, 99) })
  await withServer({ log: false }, async ({ url }) => {
    // So many connections that there is room, also when the server has no core for some ms.
    const connections = 400
    const run = () => autocannon({ url, rate: perSecond, connections, duration: seconds, pace: 'even' })
    // The first one compiles.
    await run()
    for (let round = 0; round < SENT_ROUNDS; round++) {
      rounds.push({
        loop: figuresOf(latenessOfLoop(1000 * seconds, interval)),
        writes: figuresOf(await latenessOfWrites(url, connections, 1000 * seconds, interval)),
        ours: figuresOf(await latenessOf(run, interval))
      })
    }
  })
  // One round in which the machine stands still is most of what is late in all of them.
  const median = (/** @type {'ours' | 'loop' | 'writes'} */ whose, /** @type {'p50' | 'p99'} */ figure) => quantile(sorted(rounds.map(round => round[whose][figure])), 50)
  const p99 = median('loop', 'p99')
  const name = `rate ${perSecond.toLocaleString('en-US')}`
  return [
    atMost(`${name}: p50 of how late a request leaves`, '0', median('ours', 'p50'), 0.01),
    // What the system takes for a write is in the figure, and no fault of the tool: a loop that writes shows how much.
    atMost(`${name}: p99 of it, ${OWN_WORK} ms or 1.5 × that of a loop (one that writes: ${median('writes', 'p99').toPrecision(3)} ms)`, `${(1.5 * p99).toPrecision(3)} ms`, median('ours', 'p99'), Math.max(OWN_WORK, 1.5 * p99))
  ]
}

/**
 * Each round has times of its own, and theory those of the same list. What the way to the server and back takes, and what both
 * programs need to read and write, comes from a run in which the server takes no time. Rounds in which a core was taken away from one
 * of the two for a moment measure something else: those are judged that had to wait the least. A machine that stands still for a moment
 * makes a queue of its own: in each round, two loops that only wait for the clock tell what a perfect pair of programs has there.
 */
async function queue (perSecond) {
  const interval = 1000 / perSecond
  const seconds = Math.max(3, 300 / perSecond)
  const n = Math.ceil(2 * perSecond * seconds)
  const skipped = SETTLING * perSecond
  /** @typedef {{ ours: number, perfect: number }} Ways measured ÷ theory, and the same of two loops that only wait */
  /** @type {Array<{ waited: number, mean: Ways, p50: Ways, p99: Ways }>} and how long both waited for a core, of its time */
  const rounds = []
  await withServer({ mean: UTILISATION * interval, n }, async server => {
    const run = (/** @type {number} */ seed) => autocannon({ url: server.url + seed, rate: perSecond, connections: 100, duration: seconds, skipFirst: SETTLING, pace: 'even' })
    const waits = async () => waited() + await server.ask()
    await run(0)
    while (rounds.length < MOST && rounds.filter(({ waited }) => waited <= QUIET).length < ROUNDS) {
      const pair = await stallsOfPair(1000 * seconds)
      const before = await waits()
      const { latency: way } = await run(0)
      const { latency, requests } = await run(rounds.length + 1)
      const wait = await waits() - before
      const services = exponential(n, UTILISATION * interval, rounds.length + 1)
      const judged = (/** @type {number[]} */ list) => list.slice(skipped, skipped + requests.total).sort((a, b) => a - b)
      const [theory, perfect] = [judged(sojourns(interval, services)), judged(sojournsAmid(interval, services, pair))]
      const waysOf = (/** @type {(list: number[]) => number} */ figure, /** @type {number} */ ours) => ({ ours: (ours - way.p50) / figure(theory), perfect: figure(perfect) / figure(theory) })
      rounds.push({
        waited: wait / 2000 / seconds,
        mean: waysOf(mean, latency.mean),
        p50: waysOf(list => quantile(list, 50), latency.p50),
        p99: waysOf(list => quantile(list, 99), latency.p99)
      })
    }
  }, 'accuracy/queue-server.js')
  const quiet = rounds.sort((a, b) => a.waited - b.waited).slice(0, ROUNDS)
  const median = (/** @type {'mean' | 'p50' | 'p99'} */ figure, /** @type {'ours' | 'perfect'} */ whose) => quantile(quiet.map(round => round[figure][whose]).sort((a, b) => a - b), 50)
  return /** @type {const} */ (['mean', 'p50', 'p99']).map(figure => {
    const perfect = median(figure, 'perfect')
    return within(`rate ${perSecond.toLocaleString('en-US')}: ${figure} ÷ theory, median of the ${ROUNDS} quietest rounds (two loops that only wait: ${perfect.toPrecision(3)})`, 1,
      median(figure, 'ours'), { below: 0.1, above: 1.1 * Math.max(1, perfect) - 1, unit: '' })
  })
}

module.exports = { departures, queue }
