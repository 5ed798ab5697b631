'use strict'

const t = require('tap')
const { SearchProgress } = require('../../lib/follow/search-progress')

const STEP = { value: 100, attempt: 1, outcome: 'held', held: true, achieved: 100, thresholds: [], latency: { totalCount: 9, p50: 1, p99: 2 }, failures: 0, requests: 100, certain: true, generator: { verdict: null, cause: null }, next: null }
const OPTS = { url: 'http://a', over: 'rate', from: 100, to: 1000, step: 5, thresholds: ['p99 < 50ms'] }

/**
 * @param {boolean} isTTY
 * @param {Record<string, string>} env
 */
function shownOn (isTTY, env) {
  let text = ''
  const stream = /** @type {any} */ ({ isTTY, columns: 80, hasColors: () => false, write (/** @type {string} */ more) { text += more } })
  const progress = new SearchProgress({ opts: OPTS }, stream, env)
  progress.start()
  progress.tick(/** @type {any} */ ({ length: 1000, counter: 100 }))
  progress.step(STEP)
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
