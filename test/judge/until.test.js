'use strict'

const t = require('tap')
const { parseUntil } = require('../../lib/judge/until')

t.test('a precision is a figure and how well it is to be known', async t => {
  for (const [given, name, target] of /** @type {Array<[string, string, number]>} */ ([
    ['p99 ±2%', 'p99', 0.02],
    [' P99.9±0.5 % ', 'p99.9', 0.005],
    ['rps +-1%', 'rps', 0.01],
    ['mean +/- 10%', 'avg', 0.1],
    ['throughput ± 50%', 'bytes/s', 0.5],
    ['p50 ±.1%', 'p50', 0.001]
  ])) {
    const until = parseUntil(given)
    t.strictSame([until.expression, until.metric.name], [given.trim(), name])
    t.ok(Math.abs(until.target - target) < 1e-9, given)
  }
})

t.test('what is none is refused in one line', async t => {
  for (const [given, problem] of /** @type {Array<[unknown, string]>} */ ([
    [5, "expected a text such as 'p99 ±2%', got 5"],
    ['p99', 'there is no ± and number in it; +- is the same as ±'],
    ['p99 < 50ms', 'there is no ± and number in it; +- is the same as ±'],
    ['p99 ±', 'there is no ± and number in it; +- is the same as ±'],
    ['p99 ±2', 'the precision is a share of the figure, such as ±2%, and not ±2'],
    ['p99 ±2ms', 'the precision is a share of the figure, such as ±2%, and not ±2ms'],
    ['p99 ±0%', 'a precision is from ±0.1% to ±50%'],
    ['p99 ±60%', 'a precision is from ±0.1% to ±50%'],
    ['p99 ±1.2.3%', 'a precision is from ±0.1% to ±50%'],
    ['login: p99 ±2%', 'it is about the whole run, not about a part of it'],
    ['p200 ±2%', "a percentile is above 0 and up to 100, got 'p200'"],
    ['read late p50 ±2%', 'a run reports how precise its latency is, and no other time: give p99 ±2%, or hold read late p50 to a threshold'],
    ['handshake avg ±2%', 'a run reports how precise its latency is, and no other time'],
    ['pp ±2%', "unknown metric 'pp'"],
    ...['max', 'min', 'p100', 'errors', 'error rate', 'requests', 'rate ratio', 'generator'].map(name => [`${name} ±2%`, `how precise ${name} is a run can't tell; there are avg, rps, bytes/s and percentiles below 100`])
  ])) {
    t.throws(() => parseUntil(given), { name: 'TypeError' }, String(given))
    try {
      parseUntil(given)
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      t.ok(message.includes(problem), `${message} | ${problem}`)
      t.notMatch(message, '\n')
    }
  }
})
