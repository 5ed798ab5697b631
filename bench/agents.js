'use strict'

// What a run of many agents costs its coordinator, and Redis. Snapshots of a short run against a server with a wide spread of latencies are recorded first. Then
// 10, 100 and 1,000 agents say them to a coordinator, and 10 and 100 over a real Redis, where there is one. Exits with 1 when a figure is above its bound.
//
//   node bench/agents.js [--seed 1]

const { withServer } = require('./served')
const { costOf } = require('./agents/feed')
const { costOfFleet } = require('./agents/fleet')
const { record } = require('./agents/recording')
const { start, readFlags, Problem } = require('./program')
const { Bounds } = require('./run')

/** Of one core, and bytes per second: what 100 agents may take. */
const MOST = { coordinator: 0.15, network: 5e6 }

/**
 * How much more a snapshot of 1,000 agents may cost than one of 100, and one of ten times as many requests. What grows with the square is ten times as much;
 * other programs on the machine make a third of a difference.
 */
const BOUNDS = { agents: 2, requests: 3 }

/** Generators that are recorded, and s. */
const RECORDED = 4
const LASTS = 4

/** Seconds that are fed, by the number of agents: as many snapshots as it takes until all code is compiled. */
const FED = { 10: 200, 100: 40, 1000: 12 }

const NAMES = ['browse', 'search', 'cart', 'buy']

/** What each of the generators does. */
const LOADS = {
  '100 requests/s each': { connections: 10 * RECORDED, rate: 100 * RECORDED, duration: LASTS },
  '1,000 requests/s each': { connections: 100 * RECORDED, rate: 1000 * RECORDED, duration: LASTS },
  '1,000 requests/s each, with stages, four names, errors and handshakes': {
    connections: 100 * RECORDED,
    timeout: 1,
    reconnectRate: 100,
    stages: [{ duration: LASTS / 2, rate: 750 * RECORDED }, { duration: LASTS / 2, rate: 1000 * RECORDED }],
    requests: NAMES.map(name => ({ method: 'GET', path: `/${name}`, name }))
  }
}

async function main () {
  const { seed = 1 } = readFlags({ seed: 'seed' })
  const bounds = new Bounds()
  const recordings = await recordAll(seed)
  console.log('| load | agents | µs of CPU time a snapshot | of a core | KB a snapshot | MB kept |\n|---|---|---|---|---|---|')
  const costs = {}
  for (const [load, { options, recorded }] of recordings) {
    costs[load] = {}
    for (const [agents, seconds] of Object.entries(FED)) {
      const cost = costs[load][agents] = await costOf({ agents: Number(agents), options, recorded, seconds })
      console.log(`| ${load} | ${agents} | ${Math.round(cost.perSnapshot)} | ${percent(cost.perSecond)} | ${(cost.bytes / 1000).toFixed(1)} | ${(cost.memory / 1e6).toFixed(1)} |`)
    }
    bounds.hold(`${load}: the share of a core of 100 agents`, costs[load][100].perSecond, MOST.coordinator)
    bounds.hold(`${load}: a snapshot of 1,000 agents beside one of 100`, costs[load][1000].perSnapshot / costs[load][100].perSnapshot, BOUNDS.agents)
  }
  const [few, many] = Object.values(costs)
  bounds.hold('a snapshot of ten times as many requests', many[1000].perSnapshot / few[1000].perSnapshot, BOUNDS.requests)
  console.log('\n| over a real Redis | agents | coordinator, of a core | Redis, of a core | MB/s to and from Redis | MB of the coordinator |\n|---|---|---|---|---|---|')
  const [load, { options, recorded }] = recordings[1]
  for (const agents of [10, 100]) {
    const cost = await costOfFleet(agents, options, recorded)
    console.log(`| ${load} | ${agents} | ${percent(cost.coordinator)} | ${percent(cost.redis)} | ${(cost.network / 1e6).toFixed(2)} | ${Math.round(cost.memory / 1e6)} |`)
    if (agents < 100) continue
    bounds.hold('the share of a core of the coordinator of 100 agents', cost.coordinator, MOST.coordinator)
    bounds.hold('bytes per second to and from Redis of 100 agents', cost.network, MOST.network)
  }
  bounds.end()
}

/** @param {number} seed of the server's latencies */
function recordAll (seed) {
  return withServer(seed, async ({ url }) => {
    const all = []
    for (const [load, own] of Object.entries(LOADS)) {
      const options = { url: url.replace('http:', 'https:'), ...own }
      const recorded = await record(options, RECORDED)
      if (recorded[0].length === 0) throw new Problem('the recorded run ended early: the machine is too busy')
      all.push(/** @type {[string, any]} */ ([load, { options, recorded }]))
    }
    return all
  }, 'agents/slow-server.js')
}

const percent = share => `${(share * 100).toFixed(1)} %`

start(main)
