'use strict'

const t = require('tap')
const { readGoal } = require('../../../lib/experiments/find/options')
const { FIND } = require('../../../lib/experiments/find/flags')
const { TABLE } = require('../../../lib/options/table')

const url = 'http://localhost:3000'
const asked = { url, thresholds: ['p99 < 50ms', 'errors == 0'] }

/**
 * @param {Record<string, any>} options
 * @returns {string[]} what is wrong with them
 */
function problems (options) {
  try {
    readGoal(options)
  } catch (error) {
    return error.message.split('\n')
  }
  return []
}

t.test('what is searched for, by default and as it is given', async t => {
  const { goal, values } = readGoal(asked)
  t.match(goal, { over: 'rate', from: 100, to: 1_000_000, precision: 0.03, stepMs: 10_000, failBelow: null, implied: true, connections: null })
  t.strictSame(goal.thresholds.map(({ expression }) => expression), ['p99 < 50ms', 'errors == 0', 'failure rate < 1%'])
  t.equal(values.thresholds, undefined, 'they are not those of the whole run')
  const all = readGoal({ ...asked, from: '1,000/s', to: '20000rps', precision: '1%', step: '1m', failBelow: '4000/s', connections: 50, workers: 2, arrivals: 'poisson', seed: 3 })
  t.match(all.goal, { from: 1000, to: 20_000, precision: 0.01, stepMs: 60_000, failBelow: 4000, connections: 50 })
  t.match(all.values, { workers: 2, arrivals: 'poisson', seed: 3 })
  t.match(readGoal({ ...asked, from: 10, to: 10 }).goal, { from: 10, to: 10 })
  t.match(readGoal({ ...asked, to: 50 }).goal, { from: 50, to: 50 })
  t.match(readGoal({ ...asked, over: 'connections' }).goal, { over: 'connections', from: 1, to: 10_000, connections: null })
})

t.test('how many may fail is taken for granted when nothing says so', async t => {
  const { goal } = readGoal({ url, thresholds: 'p99 < 50ms' })
  t.match(goal, { implied: true, thresholds: [{ expression: 'p99 < 50ms' }, { expression: 'failure rate < 1%' }] })
})

t.test('a threshold on errors says nothing of answers, nor one on answers of errors', async t => {
  const impliedBy = (...thresholds) => {
    const { implied, thresholds: all } = readGoal({ url, thresholds }).goal
    return implied ? all.at(-1).expression : null
  }
  for (const one of ['errors == 0', 'timeouts == 0', 'error rate < 0.5%', 'non2xx == 0']) t.equal(impliedBy(one), 'failure rate < 1%', one)
  t.equal(impliedBy('error rate < 5%', 'p99 < 50ms'), 'failure rate < 5%', 'who allows more has it')
  for (const one of ['failures == 0', 'failure rate < 20%']) t.equal(impliedBy(one), null, one)
  t.equal(impliedBy('errors == 0', 'non2xx < 5%'), null, 'both together see all')
})

t.test('what can\'t be told may count as something: each search has a gate', async t => {
  t.equal(readGoal({ ...asked, inconclusive: 'fail' }).values.inconclusive, 'fail')
  t.equal(problems({ ...asked, inconclusive: 'maybe' }).length, 1)
})

t.test('each mistake is one sentence that says what was given and what is allowed', async t => {
  for (const [options, ...expected] of [
    [{ url }, 'thresholds: a search needs a threshold, such as "p99 < 50ms", got none'],
    [{ url: 'ws://localhost:3000', receive: true }, /^receive: a search needs messages to send, got none: connections that listen only have neither a rate nor a latency; give body$/],
    [{ url: 'ws://localhost:3000', receive: true, body: 'hi', thresholds: 'gap p99 < 50ms' }, "thresholds: a step can't be judged by 'gap p99 < 50ms': messages that the server pushes belong to no request: omit receive"],
    [{ url, thresholds: 'goodput(gap p99 < 50ms) > 95%' }, "thresholds: 'goodput(gap p99 < 50ms) > 95%': there are no streams: give the run stream"],
    [{ url, thresholds: 'first token p99 < 50ms' }, "thresholds: 'first token p99 < 50ms': there are no streams: give the run stream"],
    [{ url, thresholds: 'p99 < 5 parsecs' }, /^thresholds: expected something like 'p99 < 50ms', got 'p99 < 5 parsecs': /],
    [{ url, thresholds: 'p99.99 < 50ms' }, "thresholds: 'p99.99 < 50ms' needs 30,000 requests in a step, and a step at 100/s has at most 3,200: start with from 938/s, or use step 94s"],
    [{ url, thresholds: 'rps > 100' }, /^thresholds: a step can't be judged by 'rps > 100': use a metric that gets worse with more load/],
    [{ url, thresholds: 'errors < 10' }, /^thresholds: a step can't be judged by 'errors < 10': the number grows with the length of a step/],
    [{ url, thresholds: { threshold: 'errors < 1', abortOn: true } }, /^thresholds: a step can't be judged by 'errors < 1': a threshold ends a step anyway: omit abortOn$/],
    [{ ...asked, from: '300/s', to: '200/s' }, 'from and to: expected a range that goes up, got 300/s to 200/s'],
    [{ ...asked, to: '200/s', failBelow: '300/s' }, 'failBelow: expected at most the 200/s of to, got 300/s: so much would never be tried'],
    [{ ...asked, from: '0/s' }, 'from: expected a load above 0 and up to 10,000,000, such as 100/s, or 100 connections with --over connections, got \'0/s\''],
    [{ ...asked, from: 'many' }, /^from: expected a load above 0 .* got 'many'$/],
    [{ ...asked, over: 'connections', from: '10/s' }, 'from: expected a whole number of connections up to 100,000, as over says, got \'10/s\''],
    [{ ...asked, over: 'connections', to: 2.5 }, /^to: expected a whole number of connections up to 100,000/],
    [{ ...asked, over: 'connections', connections: 5 }, 'connections: the search sets the connections: give its range with from and to'],
    [{ ...asked, over: 'threads' }, 'over: expected rate or connections, got \'threads\''],
    [{ ...asked, precision: '70%' }, 'precision: expected 0.5% to 50%, such as 3%, got \'70%\''],
    [{ ...asked, precision: '0.1%' }, /^precision: /],
    [{ ...asked, precision: 3 }, /^precision: /],
    [{ ...asked, step: 0.1 }, /^step: expected seconds or a time such as 1m30s, at least 0.5/],
    [{ ...asked, rate: 100, duration: 20, amount: 5 }, 'rate: the search sets the rate: give its range with from and to', /^duration: find has no duration: use step 3s/, /^amount: find has no amount: use step 3s/],
    [{ ...asked, stages: ['1s:5/s'] }, 'stages: the search makes its own steps: give their range with from and to, and their length with step'],
    [{ ...asked, warmup: { duration: 1 } }, /^warmup: /],
    [{ ...asked, targets: ['/a'], pick: 'once' }, /^pick: the search ends when the limit is known/],
    [{ ...asked, data: { users: { rows: ['a'], pick: 'once' }, more: { rows: ['b'] } } }, 'data: users has pick once, and a search takes more iterations than there are rows: order, random and connection begin again'],
    [{ thresholds: 'p99 < 50ms' }, /^a URL is required/]
  ]) {
    const found = problems(options)
    t.equal(found.length, expected.length, found.join('\n'))
    for (const [i, one] of expected.entries()) typeof one === 'string' ? t.equal(found[i], one) : t.match(found[i], one)
  }
  t.throws(() => readGoal(null), { code: 'AC_OPTIONS' })
})

t.test('no option of a search has the name of one of a run', async t => {
  const names = new Set(TABLE.flatMap(({ name, short, aliases = [] }) => [name, short, ...aliases]))
  for (const { name, aliases = [] } of FIND) for (const one of [name, ...aliases]) t.notOk(names.has(one), one)
})
