'use strict'

// One run in a process of its own, so that it can be pinned, stopped and starved without anybody else. Owns what is done to it
// from inside: hooks that take long, garbage, a server in the same thread.
//
//   node bench/accuracy/generator-client.js '{ "options": { "url": …, "duration": 3 }, "hook": { "us": 10 } }'
//
// prints what the result says of the generator.

const { createServer } = require('node:http')
const { once } = require('node:events')
const autocannon = require('../..')
const { Health } = require('../../lib/engine/health/health')

/**
 * @typedef {object} Inside
 * @property {object} options of the run
 * @property {{ us: number }} [hook] each answer takes this long
 * @property {{ ms: number, every: number }} [block] an answer blocks this long, that often (ms)
 * @property {number} [garbage] objects that each answer makes, which live for a while
 * @property {boolean} [server] whether there is a server in this thread
 */

/** @type {object[]} what the thread used, sample by sample; of workers nothing is known here */
const usages = []
const { take } = Health.prototype
Health.prototype.take = function (...given) {
  const { delay, ...usage } = take.apply(this, given)
  usages.push(usage)
  return { delay, ...usage }
}

async function main () {
  const { options, hook, block, garbage, server } = JSON.parse(process.argv[2])
  const own = server ? createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1') : null
  if (own !== null) await once(own, 'listening')
  const given = { ...options, ...own !== null && { url: `http://127.0.0.1:${own.address().port}/` } }
  const onResponse = hook ? () => work(hook.us / 1000) : block ? blocker(block) : garbage ? litterer(garbage) : undefined
  if (onResponse) given.requests = [{ onResponse }]
  const { generator, requests, latency, rate, duration } = await autocannon(given)
  own?.close()
  own?.closeAllConnections()
  process.stdout.write(JSON.stringify({ generator, rps: requests.average, p50: latency.p50, p99: latency.p99, rate, duration, loads: usages.slice(1) }))
}

function work (ms) {
  for (const end = performance.now() + ms; performance.now() < end;);
}

function blocker ({ ms, every }) {
  let next = performance.now() + every
  return () => {
    if (performance.now() < next) return
    next += every
    work(ms)
  }
}

function litterer (objects) {
  const kept = []
  return () => {
    for (let i = 0; i < objects; i++) kept.push({ i, text: String(i) })
    if (kept.length > 2e6) kept.length = 0
  }
}

main()
