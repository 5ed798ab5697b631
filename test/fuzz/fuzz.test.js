'use strict'

// A short round of `npm run fuzz` with seeds that stay, and the corpus of what it has found. Streams against llhttp are in
// test/protocols/http1/response-parser-llhttp.test.js, with what was found as examples there; header blocks in test/protocols/http2.

const t = require('tap')
const { INPUTS, fuzzInput } = require('./input')
const { runAgainstRandomServer } = require('./servers')

t.test('random options and arguments are refused with words, or a plan is made of them', async t => {
  for (const name of Object.keys(INPUTS)) {
    for (const seed of [8, 112]) {
      const { tried, accepted, failure } = fuzzInput(name, seed, 400)
      t.equal(failure, null, `${name}, seed ${seed}`)
      t.ok(accepted > 0 && accepted < tried, `${accepted} of ${tried} were accepted`)
    }
  }
})

t.test('whatever a server does, a run ends in time and each request has one fate', async t => {
  let requests = 0
  for (let seed = 1; seed <= 30; seed++) requests += (await runAgainstRandomServer(seed)).sent
  t.ok(requests > 0, `${requests} requests`)
})

t.test('options that were found are refused', async t => {
  for (const [led, options] of require('./corpus/options')) t.equal(INPUTS.options.settle(options), false, `led to ${led}`)
})

t.test('arguments that were found are read as they are meant', async t => {
  const { refused, accepted } = require('./corpus/argv')
  for (const [led, argv] of refused) t.equal(INPUTS.argv.settle(argv), false, `led to ${led}: ${argv.join(' ')}`)
  for (const [led, argv] of accepted) t.equal(INPUTS.argv.settle(argv), true, `were taken for ${led}: ${argv.join(' ')}`)
})
