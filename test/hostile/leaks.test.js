'use strict'

// What a run leaves behind: nothing. npm run soak does the same for longer, with waves of connections and bodies of 1 GiB.

const t = require('tap')
const path = require('node:path')
const autocannon = require('../..')
const { Running } = require('../helpers/processes/cli')
const { rawServer, answer } = require('../helpers/servers/raw-server')
const { serve } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')

const ROOT = JSON.stringify(path.join(__dirname, '../..'))

/**
 * Runs a script in a process of its own, which has to end by itself.
 * @param {string} script sets `report`
 */
async function alone (script) {
  const { code, stdout, stderr } = await new Running(process.execPath, ['--expose-gc', '-e', `
    const autocannon = require(${ROOT})
    const { setTimeout: sleep } = require('node:timers/promises')
    // Pipes are those to the test.
    const resources = () => process.getActiveResourcesInfo().filter(name => name !== 'PipeWrap')
    const listeners = () => process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
    async function main () {
      let report
      ${script}
      console.log(JSON.stringify(report))
    }
    main()
  `], {}).ended
  if (code !== 0) throw new Error(stderr)
  return { report: JSON.parse(stdout), stderr }
}

t.test('nothing keeps the process alive after a run, and no listener stays', async t => {
  const { url } = await serve(t)
  const mute = await serve(t, () => {})
  /** @type {Array<[title: string, opts: Record<string, any>]>} */
  const cases = [
    ['a run by amount', { url, amount: 20 }],
    ['a rate', { url, rate: 100, duration: 0.3 }],
    ['a timeout', { url: mute.url, amount: 2, timeout: 0.1 }],
    ['requests in flight', { url: mute.url, duration: 0.2 }],
    ['no listener on the port', { url: 'http://127.0.0.1:9', duration: 0.2 }],
    ['workers', { url, amount: 20, workers: 2 }],
    ['a warm-up', { url, amount: 20, warmup: { duration: 0.1 } }],
    ['a run that can not start', { url: 'http://127.0.0.1:9', connections: 0 }]
  ]
  await Promise.all(cases.map(async ([title, opts]) => {
    const { report, stderr } = await alone(`
      const before = listeners()
      await autocannon(${JSON.stringify(opts)}).catch(() => {})
      await sleep(50)
      report = { resources: resources(), listeners: listeners() - before }
    `)
    t.strictSame(report, { resources: [], listeners: 0 }, title)
    t.equal(stderr, '', 'no warning')
  }))
})

t.test('200 runs, one after the other, leave no listener, and memory as it is', async t => {
  const { url } = await serve(t)
  const { report, stderr } = await alone(`
    const before = listeners()
    let completed = 0
    const run = async () => { completed += (await autocannon({ url: '${url}', connections: 2, amount: 10 })).fates.completed }
    for (let i = 0; i < 100; i++) await run()
    gc()
    const { heapUsed } = process.memoryUsage()
    for (let i = 0; i < 100; i++) await run()
    await sleep(50)
    gc()
    report = { completed, listeners: listeners() - before, resources: resources(), grownBy: process.memoryUsage().heapUsed - heapUsed }
  `)
  const { grownBy, ...rest } = report
  t.strictSame(rest, { completed: 2000, listeners: 0, resources: [] })
  t.ok(grownBy < 3e6, `the heap has grown by ${grownBy} bytes`)
  t.equal(stderr, '', 'no MaxListenersExceededWarning')
})

t.test('twenty runs at the same time do not touch each other', async t => {
  const runs = await Promise.all(Array.from({ length: 20 }, async (_, i) => {
    const amount = 30 + i
    // Every fifth has a server that closes its first connection instead of answering.
    const broken = i % 5 === 4
    const right = answer('x'.repeat(i))
    const server = await rawServer(t, broken ? [connection => { connection.end() }, right] : right)
    const result = await autocannon({ url: server.url, amount, connections: 1 + i % 4, title: `run ${i}`, ...i % 2 === 0 && { rate: 500 } })
    return { i, amount, broken, server, result }
  }))
  for (const { i, amount, broken, server, result } of runs) {
    t.equal(result.title, `run ${i}`)
    t.equal(server.requestCount, amount)
    t.match(result.fates, { sent: amount, completed: amount - Number(broken), failed: Number(broken) })
    t.equal(result.throughput.total, result.fates.completed * answer('x'.repeat(i)).length)
    conserves(t, result)
  }
})

t.test('a body of 512 MiB is counted and not kept', async t => {
  const { report } = await alone(`
    const SIZE = 2 ** 29
    const piece = Buffer.alloc(1 << 18)
    const server = require('node:http').createServer((request, response) => {
      response.setHeader('content-length', SIZE)
      let left = SIZE
      const more = () => {
        while (left > 0) {
          left -= piece.length
          if (!response.write(piece)) return response.once('drain', more)
        }
        response.end()
      }
      more()
    }).listen(0, '127.0.0.1')
    await require('node:events').once(server, 'listening')
    const { fates, throughput } = await autocannon({ url: 'http://127.0.0.1:' + server.address().port, connections: 1, amount: 1, timeout: 60 })
    server.close()
    report = { completed: fates.completed, bytes: throughput.total, peak: process.resourceUsage().maxRSS * 1024 }
  `)
  t.equal(report.completed, 1)
  t.ok(report.bytes > 2 ** 29 && report.bytes < 2 ** 29 + 1000, `${report.bytes} bytes`)
  t.ok(report.peak < 2 ** 28, `${report.peak} bytes of memory at most, of client and server`)
})
