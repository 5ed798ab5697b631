'use strict'

// What the live page says of a run beside its figures: in its bar, in its headline at the end, and in the file that is saved. No socket is opened.

const t = require('tap')
const { LivePage } = require('../../../lib/follow/page/live-page')
const { exampleResult } = require('../../helpers/results/example-result')
const { PlayedRun } = require('../../helpers/pages/live-page')

const POINT = { requests: 100, length: 1000 }

/**
 * @param {Record<string, any>} [opts]
 * @param {any} [about]
 */
function pageOf (opts = { duration: 20 }, about = undefined) {
  const page = new LivePage({ clock: () => 0, setTimeout: () => ({ unref () {} }) })
  const run = new PlayedRun(opts)
  page.follow(/** @type {any} */ (run), about)
  return {
    page,
    run,
    start () { run.follower.start({ start: 0 }) },
    /** @param {Record<string, any> | null} now @param {Record<string, any>} [point] @param {number} [inFlight] */
    sample (now, point = POINT, inFlight = 10) {
      run.now = now
      run.follower.sample({ point, inFlight })
      page.take()
    },
    /** @returns {string} */
    bar () {
      const { phase, name } = page.status()
      return name === '' ? phase : `${phase}: ${name}`
    }
  }
}

t.test('the bar says for how long nothing was answered while requests wait', async t => {
  const { start, sample, bar } = pageOf()
  start()
  sample(exampleResult({ seconds: 1 }))
  t.equal(bar(), 'Running')
  const empty = { requests: 0, length: 1000 }
  sample(exampleResult({ seconds: 2 }), empty)
  t.equal(bar(), 'Running', 'a second may be chance')
  sample(exampleResult({ seconds: 3 }), empty, 7)
  t.equal(bar(), 'Running: no response for 2 s, 7 requests wait')
  sample(exampleResult({ seconds: 4 }), empty, 0)
  t.equal(bar(), 'Running', 'nothing waits')
  sample(exampleResult({ seconds: 5 }), empty, 1)
  sample(exampleResult({ seconds: 6 }), empty, 1)
  t.equal(bar(), 'Running: no response for 2 s, 1 request waits')
  sample(exampleResult({ seconds: 7 }))
  t.equal(bar(), 'Running')
})

t.test('a run that has begun is not named over the figures of the one before', async t => {
  const { run, start, sample, bar } = pageOf({ duration: 2, forever: true })
  start()
  t.equal(bar(), 'Running: run 1')
  sample(exampleResult({ seconds: 1 }))
  run.follower.done(exampleResult({ seconds: 2 }))
  run.now = null
  start()
  t.equal(bar(), 'Ended: run 1')
  sample(exampleResult({ seconds: 1 }))
  t.equal(bar(), 'Running: run 2')
  run.follower.done(exampleResult({ seconds: 2 }))
  run.now = null
  start()
  run.follower.done(exampleResult({ seconds: 1 }))
  t.equal(bar(), 'Ended: run 3', 'one without a sample has its name all the same')
})

t.test('of a search it says what is tried', async t => {
  const { run, start, bar } = pageOf({ over: 'rate', from: 100, to: 1000 })
  start()
  t.equal(bar(), 'Running: 100 req/s')
  run.follower.step({ next: { value: 200, attempt: 1 } })
  t.equal(bar(), 'Running: 200 req/s')
  run.follower.step({ next: { value: 200, attempt: 2 } })
  t.equal(bar(), 'Running: 200 req/s once more')
  run.follower.step({ next: null })
  t.equal(bar(), 'Running')
  const connections = pageOf({ over: 'connections', from: 1, to: 10 })
  connections.start()
  t.equal(connections.bar(), 'Running: 1 connection')
})

t.test('of a run that ends when a figure is known it says how well it is', async t => {
  const { run, start, sample, bar } = pageOf()
  start()
  run.follower.tick({ until: { metric: 'p99', width: null, target: 0.05 } })
  sample(exampleResult({ seconds: 1 }))
  t.equal(bar(), 'Running: p99 ±?, target ±5 %')
  run.follower.tick({ until: { metric: 'p99', width: 0.08, target: 0.05 } })
  t.equal(bar(), 'Running: p99 ±8 %, target ±5 %')
})

t.test('the file that is saved has the server and the time in its name, and says when nothing is final', async t => {
  const { page, run, start, sample } = pageOf()
  t.equal(page.report(), null)
  start()
  const start0 = new Date('2026-11-23T10:11:12Z')
  const result = { ...exampleResult({ seconds: 5 }), url: 'http://user:***@[::1]:3000/"/x', start: start0, options: { duration: 20 } }
  sample(result)
  t.equal(page.fileName, 'autocannon-1-3000-2026-11-23T10-11-12.html')
  t.match(page.report(), /Saved while the run went on, after 5 s of 20 s: nothing is final\./)
  t.match(page.report(), /<title>So far: /)
  run.follower.done(result)
  t.notMatch(page.report(), 'Saved while')
  t.notMatch(page.report(), '<title>So far')
})

t.test('at the end of several runs the headline is that of all of them, and no figure of the last one stands above it', async t => {
  const { page, run, start } = pageOf({ duration: 2 }, { side: 'new', run: 3 })
  start()
  run.follower.done(exampleResult({ seconds: 2 }))
  const metrics = [{ metric: 'p50', unit: 'ms', base: 5, new: 9, difference: 0.8, low: 0.7, high: 0.9, verdict: 'worse' }]
  const comparison = { confidence: 0.95, basis: 'runs', runs: { base: 3, new: 3 }, metrics, limits: [], notes: [] }
  const last = { base: exampleResult({ seconds: 2 }), new: exampleResult({ seconds: 2 }), comparison, names: { base: 'node old.js', new: 'node new.js' } }
  page.compare(last)
  const { hero, figures } = page.take().parts
  t.match(hero, /<header class="hero warning">/)
  t.match(hero, /<span>Worse: p50 \+80 %<\/span>/)
  for (const note of ['<code>node old.js</code> → <code>node new.js</code>', '3 runs of base, 3 of new']) t.match(hero, note)
  t.equal(figures, '')
  page.compare({ ...last, comparison: { ...comparison, interrupted: true, runs: { base: 1, new: 1 } } })
  t.match(page.take().parts.hero, /<span>The comparison was interrupted after 1 run of base and 1 of new<\/span>/)
  page.compare({ ...last, comparison: { ...comparison, limits: [{ expression: 'p50 +10%', actual: 0.8, passed: false, reason: 'between +70 % and +90 %' }] } })
  t.match(page.take().parts.hero, /<header class="hero bad">/)
})

t.test('a server that ended is the headline, with its last words', async t => {
  const { page, run, start } = pageOf()
  start()
  run.follower.done({ ...exampleResult({ seconds: 2 }), interrupted: true, endedBy: ['The command ended with exit code 7 during the run: node a.js', '  out of <cheese>', ''] })
  const { hero } = page.take().parts
  t.match(hero, /<header class="hero bad">/)
  t.match(hero, '<span>The command ended with exit code 7 during the run: node a.js</span>')
  t.match(hero, 'out of &lt;cheese&gt;')
})
