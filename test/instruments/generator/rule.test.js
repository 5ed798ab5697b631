'use strict'

// The verdict on the load generator is what its waits for the CPU did to p95 and p99: threads whose waits are known, beside servers whose latencies are
// known. `npm run bench:accuracy -- --only generator-rule` makes longer runs.

const t = require('tap')
const { judgeBeside } = require('../../../bench/accuracy/generator-rule')
const { NOBODY, SERVERS, measureBeside, quota, slices } = require('../../helpers/simulated/waiting-thread')

/** ms */
const SHORT = 3000

for (const polls of [true, false]) {
  t.test(`${polls ? 'a busy-polling' : 'a sleeping'} thread: healthy is what measures p99 within 20 %, and what is bent is not healthy`, async t => {
    const besides = (/** @type {{ name: string }} */ { name }) => polls || !/slices of 1 ms/.test(name)
    const found = judgeBeside({ polls, ms: SHORT, besides })
    t.comment(JSON.stringify(found))
    t.ok(found.healthy > found.runs / 4 && found.healthy < found.runs * 3 / 4)
    t.ok(found.most <= 25, String(found.most))
    t.match(found, { hidden: 0, mild: 0, quiet: 0, misnamed: 0 })
  })
}

t.test('a quiet load generator is healthy, whatever the server does', async t => {
  for (const polls of [true, false]) {
    for (const rate of [20, 500, 5000]) {
      for (const server of SERVERS) {
        const { shift, health } = measureBeside({ taker: NOBODY, server, polls, rate, ms: SHORT })
        t.match({ shift, verdict: health.verdict, cause: health.cause }, { shift: { p95: 0, p99: 0 }, verdict: 'healthy', cause: null }, `${server.name}, ${rate}/s`)
      }
    }
  }
})

t.test('waits that are short beside the latencies leave it healthy, and a wait for a quota is no blocked event loop', async t => {
  const [, , , , , , slow, spread] = SERVERS
  t.equal(measureBeside({ taker: slices(4, 0.14), server: spread, ms: SHORT }).health.verdict, 'healthy')
  t.equal(measureBeside({ taker: slices(4, 0.14), server: SERVERS[2], ms: SHORT }).health.verdict, 'starved')
  const { health, usage } = measureBeside({ taker: quota(50, 100), server: slow, ms: SHORT })
  t.equal(usage.blockedMs, 0)
  t.match(health.cause, /CPU quota/)
})
