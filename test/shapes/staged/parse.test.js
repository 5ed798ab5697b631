'use strict'

// How stages, bursts and arrivals are written, and what is said of each way to get them wrong.

const t = require('tap')
const { buildPlan, extentOf } = require('../../../lib/options/plan')
const { flags } = require('../../../lib/options/table')
const { validate } = require('../../../lib/options/validate')
const { problemIn } = require('../../helpers/options/problems')

const url = 'http://localhost:3000'
const valuesOf = options => validate({ url, ...options }).values
const planOf = options => {
  const values = valuesOf(options)
  return buildPlan({ ...values, ...extentOf(values) })
}

const problemOf = (t, options, label) => problemIn(t, () => validate({ url, ...options }, label))

/** @param {unknown} value @returns {any} the same with rates as users write them */
const written = value => JSON.parse(JSON.stringify(value))

t.test('a stage is a text or an object', async t => {
  for (const [given, stage] of [
    ['30s:500/s', { duration: 30, rate: 500 }],
    ['30:500rps', { duration: 30, rate: 500 }],
    ['30:500 req/s', { duration: 30, rate: 500 }],
    [' 1m30s : 0.5 /s ', { duration: 90, rate: 0.5 }],
    ['0s:50/s', { duration: 0, rate: 50 }],
    ['30s:200', { duration: 30, connections: 200 }],
    ['peak=500ms:1e3/s', { duration: 0.5, rate: 1000, name: 'peak' }],
    [{ duration: '1m', rate: 500 }, { duration: 60, rate: 500 }],
    [{ duration: 30, connections: '200', name: 'many' }, { duration: 30, connections: 200, name: 'many' }],
    [{ duration: 1, rate: 5, connections: null, name: undefined }, { duration: 1, rate: 5 }]
  ]) {
    // A jump alone is no run.
    const rest = stage.duration === 0 ? ['1s:50/s'] : []
    t.strictSame(written(valuesOf({ stages: [given, ...rest] }).stages[0]), stage, typeof given === 'string' ? given : JSON.stringify(given))
  }
  t.strictSame(written(valuesOf({ stages: '1s:5/s' }).stages), [{ duration: 1, rate: 5 }], 'one need not be an array')
  t.strictSame(written(valuesOf({ stages: ['1s:5/s,0s:7/s', '1s:7/s'] }).stages), [{ duration: 1, rate: 5 }, { duration: 0, rate: 7 }, { duration: 1, rate: 7 }], 'several with commas, as k6 takes them')
})

t.test('the plan has each stage from where the one before has ended; a jump is the start of the next', async t => {
  const { stages, duration, pacing, connections } = planOf({ stages: ['30s:500/s', 'hold=1m:500/s', '0s:50/s', '10s:50/s', '0s:1/s'] })
  t.strictSame(stages, [
    { name: null, over: 'rate', from: 0, until: 30_000, start: 0, end: 500 },
    { name: 'hold', over: 'rate', from: 30_000, until: 90_000, start: 500, end: 500 },
    { name: null, over: 'rate', from: 90_000, until: 100_000, start: 50, end: 50 }
  ])
  t.equal(duration, 100_000)
  t.equal(connections, 10, 'as many as a run has otherwise')
  t.strictSame([pacing.rate, pacing.shared, pacing.shape, pacing.form], [380, true, 'staged', stages], 'the rate is the mean')
})

t.test('stages of connections begin at -c, and else at none', async t => {
  const stages = ['10s:20', '0s:5', '10s:5']
  t.match(planOf({ stages }), { connections: 0, pacing: null, stages: [{ over: 'connections', start: 0, end: 20 }, { start: 5, end: 5 }] })
  t.match(planOf({ stages, connections: 8 }), { connections: 8, stages: [{ start: 8, end: 20 }, {}] })
  t.match(planOf({ stages, workers: 4 }), { connections: 0 })
})

t.test('a burst is so many requests and how often; arrivals and a seed go with every rate', async t => {
  t.match(planOf({ burst: '100/5s' }).pacing, { rate: 20, shared: true, shape: 'burst', form: { requests: 100, every: 5000 }, arrivals: 'even' })
  t.match(planOf({ burst: '3/s' }).pacing, { form: { requests: 3, every: 1000 } })
  t.match(planOf({ burst: { requests: '2', every: '250ms' } }).pacing, { rate: 8, form: { requests: 2, every: 250 } })
  for (const rate of [{ rate: 5 }, { connectionRate: 5 }, { overallRate: 5 }, { stages: '1s:5/s' }]) {
    t.match(planOf({ ...rate, arrivals: 'poisson', seed: 7 }).pacing, { arrivals: 'poisson', seed: 7 })
  }
  t.equal(planOf({ rate: 1e6, arrivals: 'poisson' }).pacing.rate, 1e6)
  for (const rate of ['50', '50/s', ' 50 rps', '50req/s', '50/1s']) t.equal(planOf({ rate }).pacing.rate, 50, 'a rate may be written as that of a stage, or as vegeta has it')
  for (const rate of ['/s', '50/m', '50/2s', '0/s']) t.match(problemOf(t, { rate }), /^rate: expected a number/)
  t.match(planOf({ rate: 5 }).pacing, { arrivals: 'even', seed: 1, shape: 'constant', form: null })
})

t.test('each mistake is one line that names what was given and what is allowed', async t => {
  for (const [options, problem] of [
    [{ stages: [] }, /^stages: expected at least one stage such as 30s:500\/s .*, got an empty array$/],
    [{ stages: 'fast' }, /^stages: expected a stage such as 30s:500\/s \(to 500 requests\/s within 30 s\), 30s:200 .*, got 'fast'$/],
    [{ stages: 'soon:5/s' }, /^stages: expected a time before the colon, such as 30s or 1m30s, got 'soon' in 'soon:5\/s'$/],
    [{ stages: '-3s:5/s' }, /got '-3s' in/],
    [{ stages: ':5/s' }, /got '' in ':5\/s'$/],
    [{ stages: '30s:' }, /^stages: expected requests per second such as 500\/s, or a whole number of connections up to 100,000, got '' in '30s:'$/],
    [{ stages: '30s:many' }, /got 'many' in/],
    [{ stages: '30s:1.5' }, /a whole number of connections up to 100,000, got '1\.5'/],
    [{ stages: '30s:-5/s' }, /^stages: expected a rate from 0\/s to 10,000,000\/s, got '-5\/s' in '30s:-5\/s'$/],
    [{ stages: '30s:/s' }, /expected a rate from 0\/s to 10,000,000\/s, got '\/s'/],
    [{ stages: '30s:500/min' }, /got '500\/min'/],
    [{ stages: '30s:200000' }, /up to 100,000, got '200000'/],
    [{ stages: ['1s:5/s', { duration: '1s', target: 5 }] }, /^stages\[1\]: unknown key 'target'; there are duration, rate, connections, name$/],
    [{ stages: { duration: 1, rat: 5 } }, /unknown key 'rat', did you mean 'rate'\?/],
    [{ stages: { duration: 1 } }, /a stage has either a rate or connections, got neither$/],
    [{ stages: { duration: 1, rate: 1, connections: 1 } }, /got both$/],
    [{ stages: { rate: 1 } }, /^stages\.duration: expected seconds or a time such as 1m30s, got undefined$/],
    [{ stages: { duration: 1, rate: 'x' } }, /^stages\.rate: expected requests per second, or iterations such as '50 iterations\/s', from 0 to 10,000,000, got 'x'$/],
    [{ stages: { duration: 1, connections: 0.5 } }, /^stages\.connections: expected a whole number from 0 to 100,000, got 0\.5$/],
    [{ stages: [5] }, /an object with duration and rate or connections, got 5$/],
    [{ stages: ['1s:5/s', '1s:5'] }, /^stages: all stages of a run are rates, such as 30s:500\/s, or all are connections, such as 30s:200, got both: '1s:5\/s' and '1s:5'$/],
    [{ stages: ['0s:5/s'] }, /^stages: expected a stage that takes time, got one that takes none: the run lasts as long as its stages together$/],
    [{ stages: ['0s:5/s', '0:1/s'] }, /got 2 that take none/],
    [{ stages: ['1s:0/s', '1s:0/s'] }, /^stages: expected a stage with a load, got 0 in all of them: nothing would be sent$/],
    [{ stages: ['1500000s:1/s', '1500000s:1/s'] }, /at most 2,000,000 s together, got 3,000,000 s/],
    [{ stages: ['a=1s:1/s', 'a=1s:1/s'] }, /^stages: the name 'a' is given to two stages: a name must be unique, with or without the word stage before it$/],
    [{ stages: ['a=0s:1/s', '1s:1/s'] }, /^stages: the stage 'a' takes no time, so it has no figures: name the stage after it$/],
    [{ stages: '=1s:1/s' }, /^stages: expected a text/],
    ...['stage 3', 'stage1', 'STAGE  01', 'stage stage 2', '7'].map(name => [{ stages: { name, duration: 1, rate: 1 } }, /^stages\.name: expected a name without a colon that is not the number of a stage, got '.*[0-9]'$/]),
    [{ stages: ['peak=1s:1/s', '1s:1/s', 'Stage peak=1s:1/s'] }, /^stages: the name 'Stage peak' is given to two stages: a name must be unique, with or without the word stage before it$/],
    [{ stages: 'peak=1s:5/s', thresholds: 'peek: p99 < 1s' }, /^thresholds: 'peek: p99 < 1s': no request and no stage has the name 'peek', did you mean 'peak'\?$/],
    [{ stages: '1s:5/s', thresholds: 'peek: p99 < 1s' }, /: no request and no stage has the name 'peek'; there is stage 1$/],
    [{ stages: 'warm=1s:5/s', thresholds: 'overload: p99 < 1s' }, /: no request and no stage has the name 'overload'; there is warm$/],
    [{ stages: '1s:5/s', rate: 5 }, /^rate and stages each set the load: use one of them$/],
    [{ stages: '1s:5', connectionRate: 5 }, /^connectionRate and stages each set/],
    [{ stages: '1s:5/s', overallRate: 5 }, /^overallRate and stages each set/],
    [{ stages: '1s:5/s', burst: '5/s' }, /^stages and burst each set/],
    [{ stages: ['30s:5/s', '1m:5/s'], duration: 10 }, /^duration and stages each set the duration, 10 s and 90 s: use one of them$/],
    [{ stages: '1s:5/s', amount: 5 }, /^stages and amount each set the end of the run: use one of them$/],
    [{ stages: '1s:5/s', warmup: {} }, /^warmup and stages: a warm-up has no stages; make it the first stage, or exclude the start with skipFirst$/],
    [{ stages: '2s:5/s', skipFirst: 3 }, /^skipFirst: expected less than the 2 s of the run, got 3 s: .*give the run more time with stages$/],
    [{ stages: '1s:5', pace: 'even' }, /^pace: expected a rate as well/],
    [{ stages: '1s:5', arrivals: 'poisson' }, /^arrivals: expected a rate as well, such as rate, got none/],
    [{ stages: '1s:100000', pipelining: 10_000 }, /^connections and pipelining: expected at most 10,000,000 requests in flight in a thread, got 1,000,000,000$/],
    [{ stages: '1s:50', maxOverallRequests: 20 }, /^maxOverallRequests: expected at least one request for each of the 50 connections, got 20$/],
    [{ arrivals: 'poisson' }, /^arrivals: expected a rate as well/],
    [{ arrivals: 'random', rate: 5 }, /^arrivals: expected even or poisson, got 'random'$/],
    [{ arrivals: 'poisson', rate: 1_000_001 }, /^arrivals: expected at most 1,000,000 requests\/s at random, got 1,000,001: use even ones or less load$/],
    [{ arrivals: 'poisson', overallRate: 2e6 }, /^arrivals: expected at most 1,000,000 requests\/s at random, got 2,000,000/],
    [{ arrivals: 'poisson', connectionRate: 10_000, connections: 101 }, /^arrivals: expected at most 1,000,000 requests\/s at random, got 1,010,000/],
    [{ arrivals: 'poisson', stages: ['1s:2000000/s', '1s:1/s'] }, /^arrivals: expected at most 1,000,000 requests\/s at random, got 2,000,000/],
    [{ seed: 5, rate: 5 }, /^seed: expected arrivals poisson or pick random as well, got none: nothing is random$/],
    [{ burst: '5/s', rate: 5 }, /^rate and burst each set the load/],
    [{ burst: '5/s', arrivals: 'poisson' }, /^arrivals and burst each set when requests are due: use one of them$/],
    ...['100', '100/', '/5s', '0/5s', '1.5/s', '5/0s', 'x/5s', '5/x', 5, {}, { requests: 5 }, { requests: 5, every: 1, often: true }, [], null].filter(burst => burst !== null)
      .map(burst => [{ burst }, /^burst: expected requests at once and how often, such as 100\/5s or "100 iterations\/5s", from 1 to 10,000,000 and from 1ms on, got /])
  ]) t.match(problemOf(t, options), problem, JSON.stringify(options))
  t.equal(problemOf(t, { stages: ['30s:5/s', '1m:5/s'], duration: '90s' }), null, 'what a run says of itself can be given again')
  t.match(problemOf(t, { stages: '1s:5/s', connectionRate: 5 }, flags), /^-r\/--connectionRate and --stage each set/)
})
