'use strict'

const t = require('tap')
const { SearchProgress } = require('../../lib/follow/search-progress')

const STEP = { value: 100, attempt: 1, outcome: 'held', held: true, achieved: 100, thresholds: [], latency: { totalCount: 9, p50: 1, p99: 2 }, failures: 0, requests: 100, certain: true, generator: { verdict: null, cause: null }, next: null }
const OPTS = { url: 'http://a', over: 'rate', from: 100, to: 1000, step: 5, longest: 200, thresholds: ['p99 < 50ms'] }

/**
 * @param {boolean} isTTY
 * @param {Record<string, string>} env
 * @param {Record<string, any>} [step]
 * @param {number} [columns]
 */
function shownOn (isTTY, env, step = {}, columns = 80) {
  let text = ''
  const stream = /** @type {any} */ ({ isTTY, columns, hasColors: () => false, write (/** @type {string} */ more) { text += more } })
  const progress = new SearchProgress({ opts: OPTS }, stream, env)
  progress.start()
  progress.tick(/** @type {any} */ ({ length: 1000, counter: 100 }))
  progress.step({ ...STEP, ...step })
  progress.done()
  return text
}

t.test('a step has its line everywhere, and what is tried now is only shown where it can be drawn over', async t => {
  t.match(shownOn(true, { TERM: 'xterm' }), '\r\x1b[K… 100 req/s  1 s, 100 req/s')
  for (const [isTTY, env] of /** @type {Array<[boolean, any]>} */ ([[false, {}], [true, { TERM: 'dumb' }], [true, { CI: 'true' }]])) {
    const text = shownOn(isTTY, env)
    t.notMatch(text, '\x1b')
    t.match(text, /\n✓ +100 req\/s {2}p50 .* held\n/)
  }
})

t.test('how long it takes at most is said at the start, and the range so far beside what is tried', async t => {
  t.match(shownOn(false, {}), 'in steps of 5 s, for 3 min 20 s at most;')
  const next = { value: 476, attempt: 2 }
  t.match(shownOn(true, { TERM: 'xterm' }, { next, best: 430, above: 566 }), '… 476 req/s once more  limit: from 430 to 566')
  t.match(shownOn(true, { TERM: 'xterm' }, { next, best: null, above: 566 }), '… 476 req/s once more  limit: below 566')
})

t.test('the line of a step fits 100 columns, whatever became of it', async t => {
  const thresholds = [{ expression: 'p99 < 50ms', metric: 'p99', actual: 49.2, passed: false, unit: 'ms', low: 46, high: 53 }]
  for (const step of [
    { outcome: 'unsure', seconds: 64 },
    { outcome: 'failed', reason: 'threshold' },
    { outcome: 'failed', reason: 'growing', growth: 31 },
    { outcome: 'failed', reason: 'unsent', achieved: 90_000 },
    { outcome: 'generator', reason: 'generator', generator: { verdict: 'starved', cause: null } },
    { outcome: 'generator', reason: 'connections', connections: 12, widened: 93 }
  ]) {
    const lines = shownOn(false, {}, { value: 104_000, achieved: 104_000, p50: 12.34, p99: 123.4, failureRate: 0.0012, thresholds, ...step }, 100).trim().split('\n').slice(3)
    t.equal(lines.length, 1, lines.join('\n'))
    t.ok(lines[0].length <= 100, `${lines[0].length}: ${lines[0]}`)
  }
})
