'use strict'

const t = require('tap')
const { parseRegression } = require('../../../lib/judge/comparison/regression')

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
    ['p99 10%', /^expected something like 'p99 \+10%', got 'p99 10%': expected a metric and its allowed change, as in p99 \+10%, rps -5% or avg \+2ms$/],
    ['goodput -5%', /: goodput is not compared: give a threshold, which is checked in each run, such as --threshold "goodput\(first token < 300ms\) > 95%"$/],
    ['p99 +', /expected a metric and its allowed change/],
    ['p98x +1%', /: unknown metric 'p98x'/],
    ['p99 +10 rps', /: 'rps' is no unit of p99: expected us, µs, ms, s, or none/],
    ['max +10%', /: max is not compared; there are p50, p97\.5 and any other percentile from p50 on, avg, rps, bytes\/s, failure rate, error rate, non2xx, tokens\/s, events\/s, first token p99, .*, server cpu, .*, server gc$/],
    ['p10 +10%', /: p10 is not compared; /],
    ['timeouts +1%', /: timeouts is not compared; /],
    ['p99 +10', /: a number needs its unit: expected p99 \+10%, or p99 \+10ms$/],
    ['rps -5', /: a number needs its unit: expected rps -5%, or rps -5\/s$/],
    ['login: p99 +10%', /: parts of a run are not compared; give a metric of the whole run$/],
    [5, /^expected a text such as 'p99 \+10%', got 5$/]
  ]) {
    t.throws(() => parseRegression(given), { name: 'TypeError', message }, String(given))
  }
})

t.test('a limit that can not be broken, or is broken by what is better, is refused', async t => {
  for (const [given, message] of [
    ['rps +5%', /: rps gets worse when it falls, and a limit says how far: expected rps -5%$/],
    ['bytes/s +1 MB/s', /: bytes\/s gets worse when it falls, and a limit says how far: expected bytes\/s -1 MB\/s$/],
    ['p99 -10%', /: p99 gets worse when it rises, and a limit says how far: expected p99 \+10%$/],
    ['avg -2ms', /: expected avg \+2ms$/],
    ['failure rate -1%', /: expected failure rate \+1%$/],
    ['rps -100%', /: rps can't fall by 100%: expected less than 100%, such as rps -5%$/],
    ['bytes/s -150%', /: bytes\/s can't fall by 150%/],
    ['error rate +100%', /: error rate can't rise by 100%: it is a share, of which percent are points; expected less than 100%, such as error rate \+1%$/],
    ['non2xx +120 %', /: non2xx can't rise by 120 %/]
  ]) {
    t.throws(() => parseRegression(given), { name: 'TypeError', message }, given)
  }
  for (const given of ['rps -99.9%', 'p99 +1000%', 'error rate +99%', 'p99 +0%', 'rps -0%', 'rps -5000']) t.ok(parseRegression(given), given)
})
