'use strict'

// What a live page costs a run that sends its load from the same thread: requests per second, and the CPU time of a request, with nobody, one and
// twenty viewers, in turns; and the CPU time that looks at the run take. The viewers are a process of their own, and read all that comes.
//
//   node bench/viewers.js [--seconds 5] [--rounds 5]

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { machine } = require('./machine')
const { table } = require('./markdown')
const { withServer } = require('./served')
const { median } = require('./peers/paired')
const { start, readFlags } = require('./program')
const { Instance } = require('../lib/run/instance')
const { LivePage } = require('../lib/follow/page/live-page')
const { PageServer } = require('../lib/follow/page/server')

const VIEWERS = [0, 1, 20]
/** The cost that twenty viewers may have. */
const BOUND = 0.01

/** CPU time of this process, ms: what a look waits for a core is not its cost. */
const cpu = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000

/** A page whose time on this thread is counted. */
class CountedPage extends LivePage {
  looks = []

  take () {
    const began = cpu()
    const look = super.take()
    this.looks.push(cpu() - began)
    return look
  }

  show () {
    const [began, { length }] = [cpu(), this.looks]
    super.show()
    this.looks[length] = cpu() - began
  }
}

/** Runs with viewers until all of them have the end. */
async function round (url, count, seconds) {
  const page = new CountedPage()
  const server = new PageServer(page, { rules: { token: 'token', names: new Set(['127.0.0.1']), anyAddress: false }, version: '', stop () {} })
  const port = await server.listen({ host: '127.0.0.1', port: 0 })
  const child = count === 0 ? null : fork(__filename, { env: { ...process.env, WATCH: `${count} http://127.0.0.1:${port}/token/events` } })
  while (page.viewers.size < count) await new Promise(resolve => setTimeout(resolve, 20))
  const instance = new Instance({ url, connections: 10, duration: seconds })
  page.follow(instance)
  const began = cpu()
  const { requests, duration } = await instance
  const perRequest = (cpu() - began) / requests.total * 1000
  await server.end()
  if (child !== null && child.exitCode === null) await once(child, 'exit')
  return { rate: requests.average, perRequest, share: page.looks.reduce((sum, ms) => sum + ms, 0) / 1000 / duration, look: median(page.looks) || 0, longest: Math.max(0, ...page.looks) }
}

async function main () {
  const { seconds = 5, rounds = 5 } = readFlags({ seconds: 'positive', rounds: 'count' })
  const runs = new Map(VIEWERS.map(count => [count, []]))
  await withServer({ log: false }, async ({ url }) => {
    await round(url, 0, 1)
    // Each order once: what drifts is in none of them.
    for (let i = 0; i < rounds; i++) for (const count of i % 2 === 0 ? VIEWERS : [...VIEWERS].reverse()) runs.get(count).push(await round(url, count, seconds))
  })
  const of = (count, figure) => median(runs.get(count).map(run => run[figure]))
  const beside = (count, figure) => median(runs.get(count).map((run, i) => run[figure] / runs.get(0)[i][figure]))
  console.log(`${machine()}\n\n${table(['viewers', 'requests/s, median', 'beside none, median of the rounds', 'CPU time of a request, µs', 'beside none', 'looks, of a core', 'a look, ms', 'the longest, ms'], VIEWERS.map(count =>
    [count, Math.round(of(count, 'rate')).toLocaleString('en'), beside(count, 'rate').toFixed(3), of(count, 'perRequest').toFixed(2), beside(count, 'perRequest').toFixed(3), `${(of(count, 'share') * 100).toFixed(2)} %`, of(count, 'look').toFixed(1), of(count, 'longest').toFixed(1)]))}`)
  if (of(20, 'share') > BOUND) process.exitCode = 1
}

async function watch () {
  const [count, url] = process.env.WATCH.split(' ')
  await Promise.all(Array.from({ length: Number(count) }, async () => {
    const { body } = await fetch(url)
    for await (const chunk of body) void chunk
  }))
}

if (process.env.WATCH === undefined) start(main)
else watch()
