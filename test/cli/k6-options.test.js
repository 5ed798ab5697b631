'use strict'

// The names of k6 in the options of a module of user functions.

const t = require('tap')
const { readingOf } = require('../../lib/cli/config/k6-options')
const { parseThreshold } = require('../../lib/judge/threshold')

t.test('a threshold of k6 is one that exists here', async t => {
  for (const [metric, expression, expected] of [
    ['http_req_duration', 'p(95)<500', 'p95 < 500ms'],
    ['http_req_duration', 'med<5', 'p50 < 5ms'],
    ['http_req_duration{name:login}', 'p(99.9)<=500', 'login: p99.9 <= 500ms'],
    ['http_req_failed', 'rate<0.01', 'failures < 1%'],
    ['http_req_failed{name:login}', 'rate<0.001', 'login: failures < 0.1%'],
    ['checks', 'rate>0.99', 'checks > 99%'],
    ['checks', 'rate===1', 'checks == 100%'],
    ['http_reqs', 'rate>10', 'req/s > 10'],
    ['http_reqs', 'count>10', 'requests > 10'],
    ['http_reqs{name:login}', 'count>10', 'login: requests > 10'],
    ['iterations', 'count>1', 'iterations: completed > 1'],
    ['iterations', 'rate>5', 'iterations/s > 5'],
    ['iteration_duration', 'p(95)<500', 'iterations: p95 < 500ms'],
    ['group_duration{group:::buy}', 'p(95)<500', 'group buy: p95 < 500ms'],
    ['group_duration{group:::shop::log in: "a"}', 'avg<=500', 'group log in: "a": average <= 500ms'],
    ['group_duration{group:buy}', 'max<500', 'group buy: max < 500ms'],
    ['dropped_iterations', 'count<5', 'iterations: never started < 5'],
    ['http_req_tls_handshaking', 'p(95)<50', 'handshake p95 < 50ms'],
    ['data_received', 'rate>1000', 'bytes/s > 1000']
  ]) {
    const { options, notes, problems } = readingOf({ thresholds: { [metric]: [expression] } })
    t.strictSame([options.thresholds, problems], [[expected], []], metric)
    t.strictSame(notes, [{ option: 'thresholds', sentence: `the threshold ${metric}: '${expression}' is read as '${expected}'` }])
    t.doesNotThrow(() => parseThreshold(expected))
  }
})

t.test('what has no counterpart says what is near', async t => {
  for (const [metric, expression, expected] of [
    ['http_req_waiting', 'p(95)<500', /^thresholds: http_req_waiting 'p\(95\)<500' has no counterpart here: .*http_req_duration.*'p95 < 300ms'/],
    ['http_req_connecting', 'p(95)<500', /has no counterpart here: the report has the time to connect/],
    ['http_req_duration', 'p(101)<500', /write it as in 'p95 < 300ms'/],
    ['http_req_duration{name:buy}', 'count<500', /write it as in 'buy: p95 < 300ms'/],
    ['http_req_failed', 'count<5', /of http_req_failed there is rate/],
    ['iteration_duration{name:buy}', 'p(95)<5', /write it as in 'iterations: p95 < 300ms'/],
    ['group_duration', 'p(95)<500', /write it as in 'group NAME: p95 < 300ms', for each group/],
    ['group_duration{group:::}', 'p(95)<500', /write it as in 'group NAME: p95 < 300ms'/],
    ['group_duration{group:::buy}', 'count<500', /write it as in 'group buy: p95 < 300ms'/],
    ['http_req_duration{group:::buy}', 'p(95)<500', /requests have a name here, and no group: 'NAME: p95 < 300ms'; the group has 'group buy: p95 < 300ms'/],
    ['checks{check:is 200}', 'rate>0.9', /one check has no threshold of its own; all checks together have 'checks > 99%' \(docs/],
    ['my_trend', 'p(95)<5', /there is no metric 'my_trend'/],
    ['http_req_duration{status:200}', 'p(95)<5', /has no counterpart here: requests have no tag but their name here, as in 'login: p95 < 300ms' \(docs\/user-functions\.md\)$/],
    ['constructor', 'p(95)<5', /there is no metric 'constructor'/],
    ['http_reqs', 5, /^thresholds: http_reqs 5 has no counterpart/],
    ['\u001b[31m', 'p(95)<5', /^thresholds: \\x1b\[31m/]
  ]) {
    const { options, problems } = readingOf({ thresholds: { [metric]: [expression] } })
    t.equal(problems.length, 1)
    t.match(problems[0], expected)
    t.strictSame(options.thresholds, [])
  }
})

t.test('abortOnFail ends the run where that can be told before its end, and is left out with a note where not', async t => {
  const abort = threshold => [{ threshold, abortOnFail: true }]
  const { options, notes, problems } = readingOf({ thresholds: { http_req_failed: abort('rate<0.01'), checks: abort('rate>0.99'), http_req_duration: [{ threshold: 'p(95)<5', abortOnFail: false }], 'http_req_duration{name:login}': abort('p(95)<9') } })
  t.strictSame(options.thresholds, [{ threshold: 'failures < 1%', abortOn: true }, 'checks > 99%', 'p95 < 5ms', 'login: p95 < 9ms'])
  t.strictSame(problems, [])
  t.strictSame(notes.map(({ sentence }) => / without abortOnFail: /.test(sentence)), [false, true, false, true])
})

t.test('executors of k6 are refused with what they are here', async t => {
  const { options, problems } = readingOf({ scenarios: { a: { executor: 'constant-vus' } } })
  t.match(problems, [/^scenarios: expected a list, got an object of executors \(k6\): constant-vus is connections and duration; several functions are scenarios: /])
  for (const [executor, here] of [['ramping-vus', "stages: ['30s:200']"], ['constant-arrival-rate', "rate: '50 iterations/s'"], ['ramping-arrival-rate', "stages: ['30s:50iterations/s']"], ['shared-iterations', "amount: '100 iterations'"], ['per-vu-iterations', "amount: '100 iterations' of all users together"]]) {
    const { problems } = readingOf({ scenarios: { a: { executor: 'constant-vus' }, b: { executor } } })
    t.match(problems[0], `constant-vus is connections and duration, ${executor} is ${here}; several`)
  }
  for (const a of [null, {}, { executor: 'externally-controlled' }]) t.match(readingOf({ scenarios: { a } }).problems[0], /constant-vus is .*, ramping-arrival-rate is .*, per-vu-iterations is /)
  t.strictSame([options, problems.length], [{}, 1])
})

t.test('vus are connections, unless these are given', async t => {
  t.match(readingOf({ vus: 10 }), { options: { connections: 10 }, notes: [{ option: 'connections', sentence: 'vus: 10 is read as connections: 10; -c overrides it' }] })
  t.match(readingOf({ vus: 10, connections: 2 }), { options: { connections: 2 }, notes: [{ option: 'connections', sentence: 'vus: 10 is not used: connections: 2 is given as well' }] })
})

t.test('iterations are an amount, unless one is given', async t => {
  t.match(readingOf({ iterations: 5 }), { options: { amount: '5 iterations' }, problems: [], notes: [{ option: 'amount', sentence: "iterations: 5 is read as amount: '5 iterations'; -a overrides it" }] })
  t.match(readingOf({ iterations: 5, amount: 7 }), { options: { amount: 7 }, problems: [], notes: [{ option: 'amount', sentence: 'iterations: 5 is not used: amount: 7 is given as well' }] })
})
