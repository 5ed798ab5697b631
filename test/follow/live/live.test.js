'use strict'

// What a run shows while it goes on, where it is drawn over and where it is not.

const t = require('tap')
const { mock } = require('node:test')
const { exampleResult } = require('../../helpers/results/example-result')
const { TestScreen } = require('../../helpers/processes/screen')
const { Histogram } = require('../../../lib/record/histogram')
const { goLive, isLively } = require('../../../lib/follow/live/live')

const RESULT = exampleResult({ bad: 0.02, seconds: 70 })
const LATENCY = new Histogram()
for (const ms of [1, 2, 3]) LATENCY.record(ms)
const HEALTH = { cpu: 0.2, cpuTotal: 0.2, eventLoopUtilization: 0.2, lag: { p50: 0, p99: 0, max: 0 }, verdict: 'healthy' }

/**
 * A run of a minute on a clock of the test's own.
 * @param {any} stream
 * @param {{ env?: Record<string, string>, opts?: Record<string, any>, title?: string }} [how]
 */
function runOn (stream, { env = { TERM: 'xterm' }, opts = { duration: 60 }, title } = {}) {
  const time = { ms: 0, asked: 0 }
  const instance = { opts, soFar () { time.asked++; return time.ms === 0 ? null : RESULT } }
  const live = goLive(/** @type {any} */ (instance), stream, { env, title, clock: () => time.ms })
  return {
    live,
    time,
    second () {
      const point = RESULT.series[time.ms / 1000]
      time.ms += 1000
      live.tick(/** @type {any} */ ({ counter: point.requests, length: 1000, p99: 1, generator: HEALTH, connections: 20, inFlight: 18 }))
      live.sample(/** @type {any} */ ({ point, latency: LATENCY }))
      mock.timers.tick(1000)
    }
  }
}

t.beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
t.afterEach(() => mock.timers.reset())

t.test('where it is drawn over', async t => {
  const tty = /** @type {any} */ ({ isTTY: true })
  for (const env of [{}, { TERM: 'xterm-256color' }, { CI: '' }, { CI: 'false' }, { CI: '0' }, { NO_COLOR: '1' }]) t.ok(isLively(tty, env), JSON.stringify(env))
  for (const env of [{ TERM: 'dumb' }, { CI: 'true' }, { CI: '1', TERM: 'xterm' }]) t.notOk(isLively(tty, env), JSON.stringify(env))
  t.notOk(isLively(/** @type {any} */ ({}), {}), 'a pipe')
})

t.test('on a terminal it is there from the start, follows the run, and leaves nothing', async t => {
  const screen = new TestScreen(80, 30)
  screen.write('Running\n')
  const { live, time, second } = runOn(screen)
  t.strictSame(screen.all, ['Running', '░'.repeat(26) + '   0 %  0 s of 60 s, 60 s left'])
  second()
  t.match(screen.all[4], /^req\/s +408 {2}█ +\d+$/)
  for (let i = 0; i < 29; i++) second()
  t.match(screen.all[1], '█'.repeat(13) + '░'.repeat(13) + '  50 %  30 s of 60 s, 30 s left')
  t.match(screen.all.join('\n'), '\nconnections  20 open  18 requests in flight\n')
  t.equal(screen.all.filter(line => line.startsWith('req/s')).length, 1)
  t.ok(time.asked <= 33, `the result so far is asked for once a second: ${time.asked} times in 30 s`)
  live.end()
  live.end()
  t.strictSame(screen.all, ['Running'])
  second()
  t.strictSame(screen.all, ['Running'], 'what comes later is not drawn')
})

t.test('its figures are those of the sample that has just come; without samples it is drawn all the same', async t => {
  const screen = new TestScreen(80, 30)
  const { live, time, second } = runOn(screen)
  for (let i = 0; i < 5; i++) second()
  t.match(screen.all[0], /5 s of 60 s/)
  t.match(screen.all.find(line => line.startsWith('req/s')), / [▁-█]{5} /, 'five samples after five seconds')
  time.ms += 1000
  mock.timers.tick(1000)
  t.match(screen.all[0], /5 s of/, 'the next sample is about to come')
  time.ms += 300
  mock.timers.tick(500)
  t.match(screen.all[0], /6.3 s of/)
  live.end()
})

t.test('a server that answers nothing is told', async t => {
  const screen = new TestScreen(80, 30)
  const { live, time, second } = runOn(screen)
  second()
  const quiet = (/** @type {number} */ inFlight) => {
    time.ms += 1000
    live.tick(/** @type {any} */ ({ counter: 0, length: 1000, p99: 1, generator: HEALTH, connections: 20, inFlight }))
    live.sample(/** @type {any} */ ({ point: { ...RESULT.series[1], requests: 0 }, latency: null }))
  }
  const told = () => screen.all.find(line => line.startsWith('server'))
  quiet(20)
  t.equal(told(), undefined)
  quiet(20)
  t.equal(told(), 'server       no response for 2 s  20 requests wait')
  quiet(20)
  t.equal(told(), 'server       no response for 3 s  20 requests wait')
  second()
  t.equal(told(), undefined)
  for (let i = 0; i < 3; i++) quiet(0)
  t.equal(told(), undefined, 'nothing waits for it')
  live.end()
})

t.test('streams that have their events are no silent server', async t => {
  const screen = new TestScreen(80, 30)
  const { live, time } = runOn(screen, { opts: { duration: 60, stream: 'sse' } })
  for (const bytes of [500, 500, 500, 0, 0]) {
    time.ms += 1000
    live.tick(/** @type {any} */ ({ counter: 0, length: 1000, p99: 1, bytes, generator: HEALTH, connections: 20, inFlight: 20 }))
    live.sample(/** @type {any} */ ({ point: { ...RESULT.series[1], requests: 0 }, latency: null }))
    if (bytes > 0) t.equal(screen.all.some(line => line.startsWith('server')), false)
  }
  t.equal(screen.all.find(line => line.startsWith('server')), 'server       no response for 2 s  20 requests wait')
  live.end()
})

t.test('it is drawn anew at once when the terminal is resized', async t => {
  const screen = new TestScreen(100, 60)
  screen.write('Running\n')
  const { live, second } = runOn(screen)
  for (let i = 0; i < 5; i++) second()
  for (const [columns, rows] of /** @type {Array<[number, number]>} */ ([[70, 60], [120, 60], [50, 60], [61, 60], [100, 60]])) {
    screen.resize(columns, rows)
    t.equal(screen.all.filter(line => /^(req\/s|8 %)/.test(line)).length, 1, `${columns} columns`)
    t.strictSame(screen.all.filter(line => line.length >= columns), [])
    t.equal(screen.all[0], 'Running')
  }
  live.end()
  t.equal(screen.listeners.resize.size, 0)
  t.equal(process.listenerCount('SIGCONT'), 0)
})

t.test('a terminal that does not know how large it is is taken for one of 80 × 24', async t => {
  let written = ''
  const stream = /** @type {any} */ ({ isTTY: true, columns: 0, rows: 0, write: (/** @type {string} */ text) => { written += text }, on () {}, off () {} })
  const run = runOn(stream)
  run.second()
  t.match(written, /req\/s .*\n/)
  run.live.end()
})

t.test('a hint stands above it', async t => {
  const screen = new TestScreen(80, 30)
  const { live, second } = runOn(screen)
  second()
  live.say('No response for 10 s.')
  t.equal(screen.all[0], 'No response for 10 s.')
  t.match(screen.all[1], /^▍░/)
  live.end()
  t.strictSame(screen.all, ['No response for 10 s.'])
})

for (const [where, stream, env] of /** @type {Array<[string, any, any]>} */ ([['a pipe', { isTTY: undefined }, {}], ['a dumb terminal', { isTTY: true, columns: 80 }, { TERM: 'dumb' }], ['CI', { isTTY: true, columns: 80 }, { CI: 'true' }]])) {
  t.test(`${where} gets a line every 10 s at the most, and nothing else`, async t => {
    let text = ''
    const { live, second } = runOn({ ...stream, write (/** @type {string} */ chunk) { text += chunk } }, { env })
    for (let i = 0; i < 9; i++) second()
    t.equal(text, '')
    for (let i = 0; i < 51; i++) second()
    live.end()
    const lines = text.split('\n')
    t.equal(lines.length, 7)
    t.match(lines[0], /^10 s of 60 s: in the last 10 s \d+ req\/s, p50 2.00 ms, p99 3.00 ms, max 3.00 ms; \d+ failures so far, 50 s left$/)
    t.match(lines[5], /^60 s of 60 s: /)
    t.notMatch(text, '\x1b')
  })
}

t.test('a line of a log has the rates of events and tokens, since the line before', async t => {
  let text = ''
  const { live } = runOn({ write (/** @type {string} */ chunk) { text += chunk } }, { env: {} })
  t.teardown(() => live.end())
  let ms = 0
  Object.assign(live, { clock: () => ms })
  for (const events of [30, 60]) {
    const point = { ...RESULT.series[0], length: 10_000, streams: { events, stalls: 0, firstEvent: null, gap: null, tokens: 2 * events } }
    ms += 10_000
    live.sample(/** @type {any} */ ({ point, latency: null }))
  }
  t.match(text, /in the last 10 s [\d.]+ req\/s, 3 events\/s, 6 tokens\/s.*\n.*in the last 10 s [\d.]+ req\/s, 6 events\/s, 12 tokens\/s/)
})

t.test('an amount is followed by what is answered, a figure by how well it is known', async t => {
  const screen = new TestScreen(80, 30)
  const amount = runOn(screen, { opts: { amount: 40_000 } })
  for (let i = 0; i < 10; i++) amount.second()
  t.match(screen.all[0], /^█+.?░+ +9 % {2}3,\d{3} of 40,000 requests, [\d]+ s left$/)
  amount.live.end()
  const until = runOn(screen, { opts: { duration: 10 } })
  until.second()
  until.live.tick(/** @type {any} */ ({ counter: 1, length: 1000, p99: 1, generator: HEALTH, connections: 1, inFlight: 1, until: { metric: 'p99', width: 0.08, target: 0.02 } }))
  until.time.ms += 1200
  mock.timers.tick(1000)
  t.match(screen.all[0], /2.2 s, p99 ±8 %, target ±2 %, \d+ s left$/)
  until.live.end()
  const decided = runOn(screen, { opts: { duration: 20, until: 'decided' } })
  decided.time.ms += 21_000
  mock.timers.tick(1000)
  t.match(screen.all[0], / 10 % {2}21 s, undecided, at most 200 s$/)
  decided.live.end()
})

t.test('one of several runs has its name', async t => {
  const screen = new TestScreen(80, 30)
  const { live } = runOn(screen, { title: 'run 1 of 5  base' })
  t.equal(screen.all[0], 'run 1 of 5  base')
  live.end()
})
