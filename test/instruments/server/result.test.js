'use strict'

// The figures of a server beside the load: of a point of the series, of several that become one, and of a run.

const t = require('tap')
const { problemOfResult } = require('../../../lib/figures/shape')
const { Series, mergeSeries } = require('../../../lib/figures/series')
const { together, serverResult } = require('../../../lib/instruments/server/result')

const point = (more = {}) => ({ processes: 1, cpu: 0.5, rss: 100, threads: 4, files: 9, eventLoopUtilization: null, eventLoopDelay: null, eventLoopDelayMax: null, heapUsed: null, gc: null, ...more })
const NODE = { eventLoopUtilization: 0.4, eventLoopDelay: 1, eventLoopDelayMax: 8, heapUsed: 50, gc: 0.01 }

t.test('several points: shares are those of the time, sizes the greatest', async t => {
  t.strictSame(together([{ point: {}, ms: 1000 }]), {}, 'no server was watched')
  t.strictSame(together([{ point: { server: null }, ms: 10 }, { point: {}, ms: 1000 }]), { server: null }, 'it was watched, and not looked at')
  t.strictSame(together([
    { point: { server: point({ ...NODE, cpu: 1 }) }, ms: 3000 },
    { point: { server: null }, ms: 50 },
    { point: { server: point({ ...NODE, processes: 3, rss: 400, eventLoopDelay: 5, eventLoopDelayMax: 90, gc: 0.05 }) }, ms: 1000 }
  ]), { server: point({ ...NODE, cpu: 0.875, processes: 3, rss: 400, eventLoopDelay: 2, eventLoopDelayMax: 90, gc: 0.02 }) })
  t.strictSame(together([{ point: { server: point({ files: null }) }, ms: 0 }]).server.cpu, null, 'in no time')
})

t.test('a run: on average and at most', async t => {
  t.strictSame(serverResult([{ length: 1000 }]), {})
  const series = [{ length: 1000, server: point({ ...NODE, rss: 100 }) }, { length: 3000, server: point({ ...NODE, cpu: 0.9, rss: 301, eventLoopDelayMax: 40 }) }, { length: 20, server: null }]
  t.strictSame(serverResult(series), {
    server: {
      processes: { average: 1, max: 1 },
      cpu: { average: 0.8, max: 0.9 },
      rss: { average: 251, max: 301 },
      threads: { average: 4, max: 4 },
      files: { average: 9, max: 9 },
      eventLoopUtilization: { average: 0.4, max: 0.4 },
      eventLoopDelay: { average: 1, max: 40 },
      heapUsed: { average: 50, max: 50 },
      gc: { average: 0.01, max: 0.01 }
    }
  })
  t.strictSame(new Set(Object.values(serverResult([{ length: 20, server: null }]).server)), new Set([null]), 'nothing was seen')
})

t.test('a series asks once for each point, and keeps what it is told when points become one', async t => {
  let asked = 0
  const usage = { cpuMs: 1, activeMs: 1, idleMs: 0, gcMs: 0, wallMs: 100, stalledMs: 0, runDelayMs: null, blockedMs: 0, lateMs: 0, delay: { p50: 0, p99: 0, max: 0 } }
  const series = new Series(100, 1, undefined, null, () => ({ server: point({ rss: ++asked }) }))
  for (let sample = 0; sample < 3; sample++) series.add(0, { from: sample * 100, to: sample * 100 + (sample === 2 ? 10 : 100), sample, requests: 1, bytes: 1, statuses: { 200: 1 }, errorCodes: {}, allowed: 0, faulty: 0, distributions: null, stages: null, usage })
  series.end(0)
  t.strictSame(series.points.map(({ server }) => server.rss), [1, 3], 'the rest belongs to the point before it')
  t.equal(asked, 3)
  t.equal(mergeSeries([{ points: series.points, offset: 0 }, { points: series.points.map(({ server, ...others }) => others), offset: 0 }])[1].server.rss, 3, 'one of two runs watched')
})

t.test('what comes from elsewhere is looked at', async t => {
  const result = server => ({ start: new Date(), requests: { average: 1, total: 1 }, throughput: { average: 1 }, latency: {}, errors: 0, series: [{ length: 1, server }] })
  for (const server of [null, undefined, point(), point(NODE)]) t.equal(problemOfResult(result(server)), null)
  t.equal(problemOfResult(result({ cpu: 'a lot' })), "series[0].server.cpu is 'a lot', expected a number of at least 0")
  t.match(problemOfResult(result(5)), /^series\[0\]\.server is 5, expected an object/)
})
