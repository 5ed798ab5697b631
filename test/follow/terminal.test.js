'use strict'

const t = require('tap')
const { EventEmitter } = require('node:events')
const { mock } = require('node:test')
const { track } = require('../../lib/follow/terminal')
const { printResult } = require('../../lib/report/text')
const { PERCENTILES, percentileKey } = require('../../lib/record/percentiles')

for (const name of ['NO_COLOR', 'FORCE_COLOR']) delete process.env[name]

const CLEAR = '<clear 0>'

/** A stream that remembers what was written, and what was done to the cursor as `<…>`. */
class Screen {
  constructor (properties = {}) {
    this.text = ''
    Object.assign(this, properties)
  }

  /** @param {string} text */
  write (text) {
    this.text += text
    return true
  }

  /** @param {number} column */
  cursorTo (column) {
    this.text += `<to ${column}>`
  }

  clearLine (direction = 0) {
    this.text += `<clear ${direction}>`
  }

  /** @returns {string} what was written since the last time */
  take () {
    const { text } = this
    this.text = ''
    return text
  }
}

const terminal = (properties = {}) => new Screen({ isTTY: true, columns: 100, hasColors: () => false, ...properties })
const pipe = () => new Screen()

/** @param {string} text */
const drawn = text => `<to 0>${text}<clear 1>`

const zeros = Object.fromEntries([...PERCENTILES.map(percentileKey), 'average', 'mean', 'stddev', 'min', 'max'].map(key => [key, 0]))
const RESULT = {
  url: 'http://localhost:3000',
  sampleInt: 1000,
  samples: 1,
  duration: 1,
  errors: 0,
  mismatches: 0,
  resets: 0,
  non2xx: 0,
  '2xx': 12,
  statusCodeStats: { 200: { count: 12 } },
  errorCodes: {},
  latency: { ...zeros, totalCount: 12 },
  requests: { ...zeros, total: 12, sent: 12 },
  throughput: { ...zeros, total: 1200 }
}

/**
 * @param {Record<string, any>} counts of one sample
 * @param {number} [eventLoopUtilization]
 */
const tick = (counts, eventLoopUtilization = 0.214) => ({
  ...counts,
  generator: { cpu: 0.2, cpuTotal: 0.2, eventLoopUtilization, lag: { p50: 0, p99: 0, max: 0 }, gcMs: 0, saturated: false }
})

/**
 * What autocannon() returns, as far as track() knows it.
 * @param {Record<string, any>} [opts]
 */
function fake (opts = {}) {
  return Object.assign(new EventEmitter(), {
    opts: { url: ['http://localhost:3000'], connections: 10, pipelining: 1, duration: 10, amount: undefined, ...opts }
  })
}

/**
 * @param {ReturnType<typeof fake>} instance
 * @param {Screen} screen
 * @param {Record<string, any>} [options]
 */
function follow (instance, screen, options) {
  return track(instance, { outputStream: /** @type {any} */ (screen), ...options }, () => Date.now())
}

t.test('the banner says what runs', async t => {
  /** @type {Array<[opts: Record<string, any>, banner: string]>} */
  const cases = [
    [{}, 'Running 10s test @ http://localhost:3000\n10 connections\n'],
    [{ connections: 1 }, 'Running 10s test @ http://localhost:3000\n1 connection\n'],
    [{ connections: 1000, pipelining: 10 }, 'Running 10s test @ http://localhost:3000\n1,000 connections with 10 pipelining factor\n'],
    [{ http: '2', pipelining: 10 }, 'Running 10s test @ http://localhost:3000\n10 connections with 10 streams each, over HTTP/2\n'],
    [{ http: '2' }, 'Running 10s test @ http://localhost:3000\n10 connections over HTTP/2\n'],
    [{ http: 'auto', pipelining: 10 }, 'Running 10s test @ http://localhost:3000\n10 connections with 10 requests in flight on each\n'],
    [{ duration: 0.5 }, 'Running 0.5s test @ http://localhost:3000\n10 connections\n'],
    [{ duration: 90 }, 'Running 90s test @ http://localhost:3000\n10 connections\n'],
    [{ amount: 1 }, 'Running 1 request test @ http://localhost:3000\n10 connections\n'],
    [{ amount: '1000 iterations' }, 'Running 1,000 iterations test @ http://localhost:3000\n10 connections\n'],
    [{ amount: 1_000_000 }, 'Running 1,000,000 requests test @ http://localhost:3000\n10 connections\n'],
    [{ url: 'http://localhost:3000' }, 'Running 10s test @ http://localhost:3000\n10 connections\n'],
    [{ url: ['http://a', 'http://b/x'] }, 'Running 10s test @ http://a, http://b/x\n10 connections\n'],
    [{ connections: 20, workers: 20 }, 'Running 10s test @ http://localhost:3000\n20 connections\n20 workers, one connection each\n'],
    [{ connections: 20, workers: 3 }, 'Running 10s test @ http://localhost:3000\n20 connections\n3 workers\n'],
    [{ connections: 1, workers: 1 }, 'Running 10s test @ http://localhost:3000\n1 connection\n1 worker\n'],
    [{ rate: 20 }, 'Running 10s test @ http://localhost:3000\n10 connections\n20 req/s in all\n'],
    [{ rate: 5000 }, 'Running 10s test @ http://localhost:3000\n10 connections\n5,000 req/s in all\n'],
    [{ rate: 0.5 }, 'Running 10s test @ http://localhost:3000\n10 connections\n0.5 req/s in all\n'],
    [{ overallRate: 20 }, 'Running 10s test @ http://localhost:3000\n10 connections\n20 req/s in all\n'],
    [{ connectionRate: 2, overallRate: 20 }, 'Running 10s test @ http://localhost:3000\n10 connections\n2 req/s per connection\n'],
    [{ stages: ['1m:5/s', { duration: 30, rate: 7, name: 'top' }], arrivals: 'poisson', duration: 90 }, 'Running 90s test @ http://localhost:3000\n10 connections\nstages 1m:5/s, top=30s:7/s\nrandom arrivals (Poisson)\n'],
    [{ rate: 5, arrivals: 'poisson', seed: 7 }, 'Running 10s test @ http://localhost:3000\n10 connections\n5 req/s in all\nrandom arrivals (Poisson), --seed 7 repeats them\n'],
    [{ stages: '1m:5', connections: 0, duration: 60 }, 'Running 60s test @ http://localhost:3000\n0 connections at the start\nstages 1m:5\n'],
    [{ burst: { requests: 5, every: 2 } }, 'Running 10s test @ http://localhost:3000\n10 connections\nburst 5/2s\n'],
    [{ socketPath: '/run/app.sock' }, 'Running 10s test @ http://localhost:3000 (/run/app.sock)\n10 connections\n']
  ]
  for (const [opts, banner] of cases) {
    const screen = pipe()
    const instance = follow(fake(opts), screen)
    t.equal(screen.take(), '', 'nothing before the start')
    instance.emit('start')
    t.ok(screen.text.startsWith(banner), JSON.stringify(opts) + ' ' + screen.text)
    instance.emit('done', RESULT)
  }
})

t.test('one blank line is between the banner and the report, and one between its first line and the tables', async t => {
  for (const screen of [pipe(), terminal()]) {
    const instance = follow(fake(), screen)
    instance.emit('start')
    instance.emit('done', RESULT)
    const shown = screen.take().replace(/<\w+ \d>|running \[ +\] 0% /g, '')
    t.match(shown, /^Running 10s test @ http:\/\/localhost:3000\n10 connections\n\n\S+ req\/s · .*\n(?:.+\n)?\n┌/, JSON.stringify(shown.slice(0, 200)))
  }
})

t.test('a blank line is between a hint and the report', async t => {
  const screen = pipe()
  const instance = follow(fake(), screen)
  instance.emit('start')
  instance.emit('tick', tick({ counter: 0, bytes: 0, length: 11_000, p99: 1 }))
  instance.emit('done', RESULT)
  t.match(screen.take().replace(/<\w+ \d>/g, ''), /10 connections\n\nNo \w+ for 11 s\..*\n\n0 req\/s · /)
})

t.test('a pipe gets the banner and the report, and no bar', async t => {
  const screen = pipe()
  const instance = follow(fake(), screen)
  instance.emit('start')
  const banner = screen.take()
  t.notMatch(banner, '<')
  instance.emit('tick', tick({ counter: 5, bytes: 100, length: 1000, p99: 1 }))
  t.equal(screen.take(), '')
  instance.emit('done', RESULT)
  const report = screen.take()
  t.equal(report.replace(/^<clear 0><to 0>/, ''), printResult(RESULT, { outputStream: /** @type {any} */ (pipe()) }).slice(1))
})

t.test('a terminal gets a bar', async t => {
  t.beforeEach(() => mock.timers.enable({ apis: ['setInterval', 'Date'] }))
  t.afterEach(() => mock.timers.reset())

  t.test('that follows the duration', async t => {
    const screen = terminal()
    const instance = follow(fake({ duration: 2 }), screen)
    instance.emit('start')
    t.match(screen.take(), `10 connections\n\n${drawn('running [                    ] 0% ')}`)
    mock.timers.tick(100)
    t.equal(screen.take(), drawn('running [=                   ] 5% '))
    mock.timers.tick(900)
    t.ok(screen.take().endsWith(drawn('running [==========          ] 50% ')))
    mock.timers.tick(5000)
    t.ok(screen.take().endsWith(drawn('running [====================] 99% ')), 'a run that takes longer keeps a bar that is almost full')
    instance.emit('done', RESULT)
    t.ok(screen.take().startsWith(`${CLEAR}<to 0>0 req/s · `), 'it is cleared before the report')
    mock.timers.tick(5000)
    t.equal(screen.take(), '', 'nothing after the report')
  })

  t.test('that says how well a figure is known, and how far away the end is', async t => {
    const screen = terminal()
    const instance = follow(fake({ duration: 10, until: 'p99 ±2%' }), screen)
    instance.emit('start')
    t.match(screen.take(), 'Running test until p99 ±2%, at least 10 s, at most 100 s @ http://localhost:3000\n')
    /** @param {Record<string, any>} until */
    const shown = until => {
      mock.timers.tick(30)
      instance.emit('tick', tick({ counter: 500, bytes: 100, length: 1000, p99: 1.5, until: { target: 0.02, ...until } }))
      return screen.take()
    }
    t.match(shown({ metric: 'p99', width: null }), '0% | 500 req/s, p99 1.50 ms ±?, generator 21.4 %')
    mock.timers.tick(10_000)
    screen.take()
    t.match(shown({ metric: 'p99', width: 0.04 }), '25% | 500 req/s, p99 1.50 ms ±4 %, generator 21.4 %', 'half as wide takes four times as long')
    t.match(shown({ metric: 'rps', width: 0.3 }), '10% | 500 req/s, p99 1.50 ms, rps ±30 %', 'ten times the duration at the most')
    instance.emit('done', RESULT)
  })

  t.test('that follows the amount', async t => {
    const screen = terminal()
    const instance = follow(fake({ amount: 200 }), screen)
    instance.emit('start')
    screen.take()
    mock.timers.tick(5000)
    t.equal(screen.take(), '', 'time is nothing to it')
    mock.timers.tick(50)
    instance.emit('tick', tick({ counter: 50, bytes: 5000, length: 1000, p99: 0.412 }))
    t.equal(screen.take(), drawn('running [=====               ] 25% | 50 req/s, p99 0.412 ms, generator 21.4 %'))
    mock.timers.tick(30)
    instance.emit('tick', tick({ counter: 100, bytes: 5000, length: 500, p99: 1234 }))
    t.equal(screen.take(), drawn('running [===============     ] 75% | 200 req/s, p99 1.23 s, generator 21.4 %'), 'per second means per second')
    instance.emit('done', RESULT)
  })

  t.test('that shows requests per second, p99 and how busy the generator is', async t => {
    const screen = terminal()
    const instance = follow(fake({ duration: 10 }), screen)
    instance.emit('start')
    screen.take()
    mock.timers.tick(1000)
    screen.take()
    mock.timers.tick(50)
    instance.emit('tick', tick({ counter: 25_583, bytes: 2_800_000, length: 1000, p99: 12.34 }))
    t.equal(screen.take(), drawn('running [==                  ] 10% | 25,583 req/s, p99 12.3 ms, generator 21.4 %'))
    mock.timers.tick(30)
    instance.emit('tick', tick({ counter: 25_583, bytes: 2_800_000, length: 1000, p99: 12.34 }, 0.996))
    t.equal(screen.take(), drawn('running [==                  ] 10% | 25,583 req/s, p99 12.3 ms, generator 99.6 %'))
    instance.emit('done', RESULT)
  })

  t.test('with dim figures where there are colours', async t => {
    const screen = terminal({ hasColors: () => true })
    const instance = follow(fake(), screen)
    instance.emit('start')
    screen.take()
    mock.timers.tick(100)
    instance.emit('tick', tick({ counter: 10, bytes: 1000, length: 1000, p99: 1 }))
    mock.timers.tick(100)
    t.match(screen.take(), '\x1b[2m| 10 req/s, p99 1.00 ms, generator 21.4 %\x1b[22m')
    instance.emit('done', RESULT)
  })

  t.test('of the format that the user gives', async t => {
    const screen = terminal()
    const instance = follow(fake({ duration: 2 }), screen, { progressBarString: '<:bar> :percent done:live' })
    instance.emit('start')
    t.match(screen.take(), drawn('<                    > 0% done'))
    mock.timers.tick(1000)
    t.ok(screen.take().endsWith(drawn('<==========          > 50% done')))
    mock.timers.tick(100)
    screen.take()
    mock.timers.tick(20)
    instance.emit('tick', tick({ counter: 10, bytes: 1000, length: 1000, p99: 1 }))
    t.equal(screen.take(), drawn('<===========         > 56% done| 10 req/s, p99 1.00 ms, generator 21.4 %'))
    instance.emit('done', RESULT)
  })

  t.test('that is never wider than the terminal', async t => {
    for (let columns = 24; columns <= 100; columns++) {
      const screen = terminal({ columns })
      const instance = follow(fake({ duration: 10 }), screen)
      instance.emit('start')
      screen.take()
      mock.timers.tick(9900)
      instance.emit('tick', tick({ counter: 1_234_000, bytes: 1000, length: 1000, p99: 12_345 }))
      mock.timers.tick(100)
      const lines = screen.take().split(/<to 0>|<clear 1>/)
      t.ok(lines.some(line => line.startsWith('running [')))
      t.strictSame(lines.filter(line => line.length > columns), [], `${columns} columns`)
      if (columns >= 80) t.ok(lines.some(line => line.includes('1,234,000 req/s, p99 12.3 s')), 'the figures are shown where there is room')
      instance.emit('done', RESULT)
    }
  })

  t.test('on a terminal that does not know how wide it is', async t => {
    const screen = terminal({ columns: 0 })
    const instance = follow(fake(), screen)
    instance.emit('start')
    instance.emit('done', RESULT)
    t.match(screen.take(), '% ')
  })

  t.test('anew in each run of a run that goes on for ever', async t => {
    const screen = terminal()
    const instance = follow(fake({ amount: 100 }), screen)
    const listeners = () => instance.eventNames().map(name => instance.listenerCount(name))
    const before = listeners()
    for (let run = 0; run < 20; run++) {
      instance.emit('start')
      t.match(screen.take(), 'running [                    ] 0% ')
      mock.timers.tick(50)
      instance.emit('tick', tick({ counter: 50, bytes: 1, length: 1000, p99: 1 }))
      t.match(screen.take(), 'running [==========          ] 50% ')
      instance.emit('done', RESULT)
      t.ok(screen.take().startsWith(CLEAR))
      mock.timers.tick(1000)
      t.equal(screen.take(), '', 'the timer of the run is gone')
    }
    t.strictSame(listeners(), before, 'no listener is added on the way')
  })

  t.test('that ends when the run fails', async t => {
    const screen = terminal()
    const instance = follow(fake(), screen)
    instance.on('error', () => {})
    instance.emit('start')
    screen.take()
    instance.emit('error', new Error('a worker has died'))
    t.equal(screen.take(), `${CLEAR}<to 0>`)
    mock.timers.tick(1000)
    t.equal(screen.take(), '')
  })
})

t.test('the options choose what is shown', async t => {
  /**
   * @param {Record<string, any>} options
   * @returns {string}
   */
  const shown = options => {
    const screen = terminal()
    const instance = follow(fake(), screen, options)
    instance.emit('start')
    instance.emit('tick', tick({ counter: 12, bytes: 1200, length: 1000, p99: 1 }))
    instance.emit('done', RESULT)
    return screen.take()
  }
  const parts = { banner: 'Running 10s', bar: 'running [', results: '│ Latency │', percentiles: '│ Percentile │', statuses: '│ Code │', summary: '12 requests in 1s, 1.2 kB read\n' }
  /** @type {Array<[options: Record<string, any>, shown: Array<keyof typeof parts>]>} */
  const cases = [
    [{}, ['banner', 'bar', 'results', 'summary']],
    [{ renderProgressBar: false }, ['banner', 'results', 'summary']],
    [{ renderResultsTable: false }, ['banner', 'bar', 'summary']],
    [{ renderLatencyTable: true }, ['banner', 'bar', 'results', 'percentiles', 'summary']],
    [{ renderStatusCodes: true }, ['banner', 'bar', 'results', 'statuses', 'summary']],
    [{ renderProgressBar: false, renderResultsTable: false }, ['summary']]
  ]
  for (const [options, expected] of cases) {
    const text = shown(options)
    t.strictSame(Object.entries(parts).filter(([, part]) => text.includes(part)).map(([name]) => name), expected, JSON.stringify(options))
  }
})

t.test('a server that answers no more is named once while the run goes on, also without a bar', async t => {
  /** @param {Record<string, any>} opts */
  const said = (opts, ticks = Array(30).fill({ counter: 0 }), screen = pipe()) => {
    const instance = fake()
    track(instance, { outputStream: /** @type {any} */ (screen), renderProgressBar: false, renderResultsTable: false })
    Object.assign(instance.opts, opts)
    instance.emit('start')
    for (const one of ticks) instance.emit('tick', tick({ counter: 5, bytes: 0, length: 1000, p99: 4, ...one }))
    return screen.take()
  }
  const silent = Array(30).fill({ counter: 0 })
  t.equal(said({}), 'No response for 10 s. --bailout 10 ends a run after 10 errors.\n')
  t.equal(said({ bailout: 3 }), 'No response for 10 s.\n')
  t.equal(said({}, [...silent.slice(0, 9), {}, ...silent.slice(0, 9)]), '', 'an answer begins it anew')
  t.equal(said({}, silent.map(one => ({ ...one, p99: 8000 }))), 'No response for 17 s. --bailout 10 ends a run after 10 errors.\n', 'a slow server is slow')
  t.equal(said({ rate: 0.01 }), '', 'a low rate asks for nothing')
  t.equal(said({}, silent.map(one => ({ ...one, inFlight: 0 }))), '', 'in think time no request waits')
  t.equal(said({ stream: 'sse' }, silent.map(one => ({ ...one, bytes: 100, inFlight: 5 }))), '', 'streams have their events')
  t.match(said({ stream: 'sse' }, silent.map(one => ({ ...one, inFlight: 5 }))), /^No response for 10 s/)
  for (const screen of [terminal(), pipe()]) {
    const instance = fake()
    track(instance, { outputStream: /** @type {any} */ (screen), renderResultsTable: false })
    instance.emit('start')
    for (const one of silent) instance.emit('tick', tick({ bytes: 0, length: 1000, p99: 4, ...one }))
    t.match(screen.take(), /No response for 10 s\. --bailout 10 ends a run after 10 errors\.\n/, 'beside a bar')
    instance.emit('error', new Error())
  }
})

t.test('the timer does not keep the process alive', async t => {
  const instance = follow(fake(), terminal())
  const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const before = timers()
  instance.emit('start')
  t.equal(timers(), before)
  instance.emit('done', RESULT)
})

t.test('stderr is where it writes when no stream is given', async t => {
  const written = []
  const { write } = process.stderr
  t.teardown(() => { process.stderr.write = write })
  process.stderr.write = /** @type {any} */ (/** @type {string} */ text) => written.push(text)
  const instance = track(fake(), { renderProgressBar: false })
  instance.emit('start')
  instance.emit('done', RESULT)
  process.stderr.write = write
  t.match(written.join(''), /^Running 10s test[^]+12 requests in 1s, 1\.2 kB read\n$/)
})

t.test('returns the instance', async t => {
  const instance = fake()
  t.equal(track(instance), instance)
})

t.test('refuses what is no instance', async t => {
  for (const given of [undefined, null, 1, 'http://localhost', {}, { on: true }, Promise.resolve()]) {
    t.throws(() => track(/** @type {any} */ (given)), new TypeError('track needs an instance that autocannon() returned'))
  }
})
