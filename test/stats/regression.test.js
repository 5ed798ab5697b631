'use strict'

const t = require('tap')
const { parseRegression, judgeRegression } = require('../../lib/stats/regression')

t.test('reads a metric and how far it may go', async t => {
  for (const [given, key, limit, absolute] of [
    ['p99 +10%', 'p99', 0.1, false],
    ['p97.5+10 %', 'p97_5', 0.1, false],
    ['rps -5%', 'rps', -0.05, false],
    ['avg +2ms', 'avg', 2, true],
    ['p99 + 1s', 'p99', 1000, true],
    ['bytes/s -1 MB/s', 'bytes/s', -1e6, true],
    ['error rate +0.5%', 'error rate', 0.005, true],
    ['errors +0.5%', 'error rate', 0.005, true],
    ['non2xx +1%', 'non2xx share', 0.01, true]
  ]) {
    const read = parseRegression(given)
    t.strictSame([read.metric.key, Math.round(read.limit * 1e6) / 1e6, read.absolute, read.expression], [key, limit, absolute, given], given)
  }
})

t.test('says what it can not read', async t => {
  for (const [given, message] of [
    ['p99 10%', /^expected something like 'p99 \+10%', got 'p99 10%': there has to be a metric and how far it may go, as in p99 \+10%, rps -5% or avg \+2ms$/],
    ['p99 +', /there has to be a metric and how far it may go/],
    ['p98x +1%', /: unknown metric 'p98x'/],
    ['p99 +10 rps', /: 'rps' is no unit of p99: expected us, µs, ms, s, or none/],
    ['max +10%', /: max is not compared; there are p50, p97\.5 and any other percentile from p50 on, avg, rps, bytes\/s, failure rate, error rate, non2xx$/],
    ['p10 +10%', /: p10 is not compared; /],
    ['timeouts +1%', /: timeouts is not compared; /],
    ['login: p99 +10%', /: named requests are not compared; give a metric of the whole run$/],
    [5, /^expected a text such as 'p99 \+10%', got 5$/]
  ]) {
    t.throws(() => parseRegression(given), { name: 'TypeError', message }, String(given))
  }
})

t.test('a limit is broken by a real difference beyond it only', async t => {
  const compared = { metric: 'p99', unit: 'ms', base: 10, new: 12, difference: 0.2, low: 0.1, high: 0.3, verdict: 'worse' }
  for (const [expression, changes, passed, reason] of [
    ['p99 +10%', {}, false, 'beyond the limit'],
    ['p99 +20%', {}, true, 'within the limit'],
    ['p99 +1ms', {}, false, 'beyond the limit'],
    ['p99 +2ms', {}, true, 'within the limit'],
    ['p99 -5%', {}, true, 'within the limit'],
    ['p99 -5%', { new: 9, difference: -0.1, verdict: 'better' }, false, 'beyond the limit'],
    ['p99 +10%', { verdict: 'no difference' }, true, 'beyond the limit, but not shown to be real'],
    ['p99 +10%', { verdict: 'unknown' }, false, 'beyond the limit, and nothing says whether it is real'],
    ['p99 +30%', { verdict: 'unknown' }, true, 'within the limit'],
    ['p99 +10%', { new: null, difference: null, verdict: 'unknown' }, false, 'nothing was measured']
  ]) {
    t.match(judgeRegression(parseRegression(expression), { ...compared, ...changes }), { expression, passed, reason }, `${expression} ${JSON.stringify(changes)}`)
  }
})
