'use strict'

// The cases: for each a server whose behaviour is known, a run against it, and what theory says of its figures.
// Where a server can't do exactly what it was told (a timer is late, a process waits for a core), theory takes what it
// really did from its log.

const autocannon = require('../..')
const { CoreWaits } = require('./core-waits')
const { delaysOf, givenUpOf, quantile, mean, windows } = require('./logs')
const { decidedRows } = require('./decided')
const { departures, queue } = require('./paces')
const { generatorRuleRows } = require('./generator-rule')
const { limitRows, realLimitRows, stepRows } = require('./limits')
const { precisionRows } = require('./precision')
const { situationsTable, verdicts } = require('./situations')
const { exactly, within, atMost, atLeast } = require('./rows')
const { thresholdRows } = require('./thresholds')
const { verdictRows } = require('./verdicts')
const { withServer } = require('../served')

/**
 * @typedef {import('./rows').Row} Row
 *
 * @typedef {object} Conditions
 * @property {boolean} quick shorter runs
 * @property {number} slack what the bounds of times are multiplied by; counts have to be exact in any case
 *
 * @typedef {object} Case
 * @property {string} key
 * @property {string} name
 * @property {string} [page] the document that quotes its table, between `<!-- bench:accuracy-KEY -->` and `<!-- /bench -->`
 * @property {boolean} [quick] whether it is one of the short set
 * @property {(conditions: Conditions) => Promise<Row[]>} run
 */

/** How many simulated runs of each server, or pairs of runs, a full bench makes. */
const SIMULATED = 1000

function measure (behaviour, options) {
  return withServer(behaviour, async server => {
    const clientWaits = new CoreWaits()
    const result = await autocannon({ url: server.url, ...options })
    const own = clientWaits.stop()
    const log = await server.ask()
    return { result, log, waits: [...own, ...log.waits] }
  })
}

/**
 * How the figures of a run agree with the times that the server took. What lies between is the kernel and the client.
 * @param {number[]} delays sorted
 * @param {string[]} figures such as `p50`
 * @param {number} above ms
 */
function agrees (distribution, delays, figures, above) {
  return figures.map(figure => {
    const name = figure.replace('_', '.')
    const theory = figure === 'mean' ? mean(delays) : quantile(delays, figure === 'max' ? 100 : Number(name.slice(1)))
    return within(name, theory, distribution[figure], { below: 0.1 + theory / 1000, above })
  })
}

async function paced (name, rate, perSecond, seconds, { slack }) {
  const { result, log, waits } = await measure({}, { ...rate, connections: 10, duration: seconds, pace: 'even' })
  const { counts, judged } = windows(log.arrived, 100, 1000 / perSecond, waits)
  const expected = perSecond / 10
  const even = judged.filter(count => Math.abs(count - expected) <= 0.05 * expected).length
  return [
    // Only those can be judged in which neither the client nor the server was without a core.
    atLeast(`${name}: 100 ms windows to judge`, String(counts.length), judged.length, slack > 1 ? 0 : 5, ''),
    atLeast(`${name}: those with ${expected.toLocaleString('en-US')} ± ${0.05 * expected} arrivals`, '100 %', judged.length === 0 ? 100 : 100 * even / judged.length, slack > 1 ? 50 : 95, '%'),
    within(`${name}: sent`, perSecond * seconds, result.requests.sent, { above: 0.005, relative: true, unit: '' }),
    exactly(`${name}: arrived`, result.requests.sent, log.arrived.length)
  ]
}

/**
 * @param {string} key
 * @param {string} name
 * @param {(effort: number) => Row[] | Promise<Row[]>} rows
 * @param {number} some effort of a quick bench, such as runs of each server
 * @param {number} [all] of a full one
 * @param {Partial<Case>} [more]
 * @returns {Case}
 */
const scaled = (key, name, rows, some, all = SIMULATED, more = {}) => ({ key, name, run: async ({ quick }) => rows(quick ? some : all), ...more })

const CASES = [
  {
    key: 'pacing',
    name: 'Even pacing',
    quick: true,
    async run (conditions) {
      const seconds = conditions.quick ? 2 : 5
      const rows = await paced('rate 1,000', { rate: 1000 }, 1000, seconds, conditions)
      if (conditions.quick) return rows
      return [
        ...rows,
        ...await paced('overallRate 1,000', { overallRate: 1000 }, 1000, seconds, conditions),
        ...await paced('rate 10,000', { rate: 10000 }, 10000, 3, conditions),
        ...await slowlyPaced(),
        ...await departures(300),
        ...await departures(1000),
        ...await departures(5000),
        ...await departures(20_000)
      ]
    }
  },
  {
    key: 'lindley',
    name: 'A queue of exponential times, busy for 80 %',
    async run () {
      const rows = []
      for (const perSecond of [300, 1500, 5000, 20_000]) rows.push(...await queue(perSecond))
      return rows
    }
  },
  {
    key: 'stall',
    name: 'One stall of 1 s in 10 s at 1,000/s',
    async run ({ slack }) {
      const { result: { latency, serviceTime, requests, rate }, log } = await measure({ stall: { after: 4000, length: 1000 } }, { rate: 1000, connections: 10, duration: 10 })
      // A tenth of all requests are due in the stall and wait for its end, from 0 to its whole length.
      const length = log.stall.to - log.stall.from
      const quantile = (/** @type {number} */ percentile) => length - (100 - percentile) / 100 * 10000
      return [
        // Whether the one that is due as the run ends is sent is chance.
        within('requests', 10000, requests.sent, { above: 1, unit: '' }),
        within('samples of latency, of as many requests', requests.sent, latency.totalCount, { below: 1, unit: '' }),
        within('late', length, rate.late, { above: 0.1 * slack, below: 0.02, relative: true, unit: '' }),
        atMost('p50', '≈ 0', latency.p50, 2 * slack),
        within('p97.5', quantile(97.5), latency.p97_5, { above: 50 * slack, below: 5 }),
        within('p99', quantile(99), latency.p99, { above: 50 * slack, below: 5 }),
        within('max', length, latency.max, { above: 50 * slack, below: 5 }),
        within('mean', length * length / 2 / 10000, latency.mean, { above: 8 * slack, below: 1 }),
        // From the write only those suffer that were in flight: at most one on each connection.
        atMost('service time p99', '≈ 0', serviceTime.p99, 10 * slack),
        within('service time max', length, serviceTime.max, { above: 50 * slack, below: 5 })
      ]
    }
  },
  {
    key: 'constant',
    name: 'Each answer after 100 ms, 20 connections',
    async run ({ slack }) {
      const { result, log } = await measure({ delays: [100] }, { connections: 20, amount: 600 })
      const delays = delaysOf(log)
      return [
        ...agrees(result.latency, delays, ['p2_5', 'p50', 'mean'], 1 * slack),
        ...agrees(result.latency, delays, ['p99', 'max'], 10 * slack),
        exactly('requests', 600, result.requests.total),
        // Rounds of 20 requests, one on each connection.
        within('30 rounds', 30 * mean(delays), result.duration * 1000, { above: 100 * slack, below: 5 })
      ]
    }
  },
  {
    key: 'bimodal',
    name: '90 % after 1 ms, 10 % after 50 ms',
    quick: true,
    async run ({ quick, slack }) {
      const amount = quick ? 1000 : 5000
      // How near to the step: a core that is taken away for a moment moves a request of each connection over it.
      const near = quick ? 80 : 89
      const { result: { latency, requests }, log } = await measure({ delays: [1, 1, 1, 1, 1, 1, 1, 1, 1, 50] }, { connections: 10, amount, percentiles: [near, 91] })
      const delays = delaysOf(log)
      return [
        exactly('requests', amount, requests.total),
        ...agrees(latency, delays, ['p50', 'p75'], 0.5 * slack),
        // The step is at 90 %: the quantiles on both sides of it are of different modes.
        atMost(`p${near}`, 'before the step', latency[`p${near}`], 25),
        ...agrees(latency, delays, ['p91', 'p99'], 5 * slack),
        ...agrees(latency, delays, ['mean'], 0.5 * slack)
      ]
    }
  },
  {
    key: 'hang',
    name: '1 % never answered, timeout 1 s',
    quick: true,
    async run ({ quick, slack }) {
      const amount = quick ? 500 : 2000
      const { result, log } = await measure({ delays: [...new Array(99).fill(0), null] }, { connections: 10, amount, timeout: 1, percentiles: [98.9, 99.1] })
      const { latency, fates, errorCodes } = result
      const ages = givenUpOf(log)
      return [
        exactly('sent', amount, fates.sent),
        exactly('completed', amount * 0.99, fates.completed),
        exactly('timed out', amount / 100, fates.timedOut),
        exactly('errors AC_TIMEOUT', amount / 100, errorCodes.AC_TIMEOUT ?? 0),
        exactly('samples of latency', amount, latency.totalCount),
        atMost('p98.9', 'answered at once', latency.p98_9, 500),
        // The sweep over the heads comes every 100 ms here. The server saw when its client gave up.
        within('p99.1', 1000, latency.p99_1, { above: 110 * slack, below: 0 }),
        within('max', ages[ages.length - 1], latency.max, { above: 10 * slack }),
        within('mean', mean([...delaysOf(log), ...ages]), latency.mean, { above: 1 * slack })
      ]
    }
  },
  {
    key: 'end',
    name: 'Stalls to the end: 3 of 4 s answered at 500/s',
    async run ({ slack }) {
      const { result: { latency, requests, rate, unfinished }, log } = await measure({ stall: { after: 3000, length: null } }, { rate: 500, connections: 10, duration: 4 })
      // When the schedule began is what the requests that were the least late say.
      const start = log.arrived.slice(0, 1000).reduce((earliest, at, i) => Math.min(earliest, at - i * 2), Infinity)
      const from = log.stall.from - start
      const length = 4000 - from
      const unanswered = length / 1000 * 500
      const quantile = (/** @type {number} */ percentile) => length - (100 - percentile) / 100 * 4000
      return [
        exactly('due: sent and unsent', 2000, requests.sent + rate.unsent),
        exactly('arrived', requests.sent, log.arrived.length),
        within('unfinished', unanswered, unfinished, { above: 3 * slack, unit: '' }),
        // Those that are younger than the mean answer when the run ends say nothing, and are left out.
        within('samples of latency', 2000, latency.totalCount, { above: 0, below: 2 * slack, unit: '' }),
        atMost('p50', '≈ 0', latency.p50, 2 * slack),
        within('p90', quantile(90), latency.p90, { above: 10 * slack }),
        within('p99', quantile(99), latency.p99, { above: 10 * slack }),
        within('max', length, latency.max, { above: 10 * slack }),
        within('mean', length * length / 2 / 4000, latency.mean, { above: 4 * slack })
      ]
    }
  },
  {
    key: 'pipelining',
    name: 'Pipelining 10, answers one by one, 10 ms each',
    quick: true,
    async run ({ quick, slack }) {
      const behaviour = { delays: [10], serial: true }
      const first = await measure(behaviour, { connections: 1, pipelining: 10, amount: 10, percentiles: [10, 30, 50, 70, 90] })
      const positions = delaysOf(first.log)
      const amount = quick ? 50 : 300
      const steady = await measure(behaviour, { connections: 1, pipelining: 10, amount })
      return [
        // All ten are written at once: the k-th waits for k answers.
        ...[1, 3, 5, 7, 9].map(position =>
          within(`the first 10: position ${position}`, positions[position - 1], first.result.latency[`p${position * 10}`], { above: 2 * slack, below: 0.1 })),
        within('the first 10: position 10', positions[9], first.result.latency.max, { above: 2 * slack, below: 0.1 }),
        within('the first 10: mean', mean(positions), first.result.latency.mean, { above: 2 * slack, below: 0.1 }),
        exactly('steady: requests', amount, steady.result.requests.total),
        ...agrees(steady.result.latency, delaysOf(steady.log), ['p50', 'mean'], 3 * slack)
          .map(row => ({ ...row, figure: `steady: ${row.figure}` }))
      ]
    }
  },
  {
    key: 'little',
    name: "Little's law: connections = requests/s × mean latency",
    async run () {
      const rows = []
      // The law holds for what takes no time between two requests of a connection: that time is what is missing here.
      for (const connections of [10, 50]) {
        const { result: { latency, requests } } = await measure({ log: false }, { connections, duration: 3 })
        rows.push(
          within(`${connections} connections: mean ${latency.mean} ms`, connections, requests.average * latency.mean / 1000, { above: 0.03, relative: true, unit: '' }),
          atLeast(`${connections} connections: p2.5`, 'more than 0', latency.p2_5, 0.001)
        )
      }
      return rows
    }
  },
  {
    key: 'generator',
    page: 'docs/measuring.md',
    quoted: situationsTable,
    name: 'The verdict on the generator',
    run: verdicts
  },
  scaled('generator-rule', 'The verdict on a generator that waits for the CPU, simulated', generatorRuleRows, 5000, 20_000, { quick: true }),
  {
    key: 'workers',
    name: 'Workers',
    async run ({ slack }) {
      const rows = []
      for (const workers of [1, 2]) {
        const given = { workers, rate: 1000, connections: 20, duration: 3 }
        const { result, log } = await measure({ delays: [10] }, given)
        const delays = delaysOf(log)
        rows.push(
          within(`${workers}: sent`, 3000, result.requests.sent, { above: 0.005, relative: true, unit: '' }),
          exactly(`${workers}: arrived`, result.requests.sent, log.arrived.length),
          ...agrees(result.latency, delays, ['p50', 'mean'], 1.5 * slack).map(row => ({ ...row, figure: `${workers}: ${row.figure}` })),
          within(`${workers}: samples, their sum`, result.requests.total, result.requests.average * result.duration, { above: 0.001, relative: true, unit: '' })
        )
        const counted = await measure({}, { workers, amount: 2001, connections: 20 })
        rows.push(exactly(`${workers}: amount 2,001`, 2001, counted.result.requests.total))
      }
      return rows
    }
  },
  scaled('verdicts', 'Verdicts of comparisons, simulated', verdictRows, 20, SIMULATED, { page: 'docs/measuring.md' }),
  scaled('thresholds', 'Verdicts on thresholds, runs of 10 s, simulated', thresholdRows, 50),
  scaled('decided', 'Runs that end when their threshold is decided, simulated', decidedRows, 10, SIMULATED, { page: 'docs/load.md' }),
  scaled('limits', 'Limits that are searched for, simulated', limitRows, 5, 100),
  scaled('steps', 'One load that is searched for, on servers whose speed changes, simulated', stepRows, 20, SIMULATED, { quick: true }),
  scaled('until', 'Runs that end when a figure is known well enough, simulated', precisionRows, 5, SIMULATED, { page: 'docs/load.md' }),
  scaled('real-limits', 'Limits that are searched for', realLimitRows, 1, 3)
]

async function slowlyPaced () {
  const { result, log } = await measure({}, { overallRate: 0.5, connections: 2, duration: 5 })
  const gaps = Array.from(log.arrived).slice(1).map((at, i) => at - log.arrived[i])
  return [
    exactly('overallRate 0.5: sent in 5 s', 3, result.requests.sent),
    ...gaps.map((gap, i) => within(`overallRate 0.5: gap ${i + 1}`, 2000, gap, { above: 20 }))
  ]
}

module.exports = { CASES, SIMULATED, measure }
