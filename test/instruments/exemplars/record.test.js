'use strict'

// The slowest requests and the first failures of a run are those that a sort of all finds, however the requests were shared out among generators and samples.

const t = require('tap')
const fc = require('fast-check')
const { Exemplars } = require('../../../lib/instruments/exemplars/record')
const { moved } = require('../../../lib/instruments/exemplars/result')
const { KEPT, ExemplarSelection } = require('../../../lib/instruments/exemplars/selection')

/** A request, and whether what was counted is handed over behind it. */
const anyRequest = fc.record({
  // Few values, so that many are equal.
  total: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: 0, max: 60_000, noNaN: true })),
  gap: fc.integer({ min: 0, max: 5 }),
  generator: fc.nat(3),
  fails: fc.boolean(),
  handsOver: fc.boolean()
})

/** Feeds what a generator does when a request ends at `at`. */
function end (/** @type {ExemplarSelection} */ singledOut, /** @type {{ total: number, fails: boolean }} */ { total, fails }, /** @type {number} */ at, /** @type {number} */ connection) {
  const { slowest, failures } = singledOut
  const fill = (/** @type {any} */ slot) => Object.assign(slot, { time: at - total, waited: 0, total, connection, status: 200, size: 1, firstByte: total, connect: -1, error: null })
  if (total > slowest.floor) fill(slowest.enter(total))
  if (!failures.isOpen) return
  fill(failures.draft)
  if (fails) failures.keep('check')
}

/** What is kept of requests, over four generators that hand over now and then, and at the end. */
function keptOf (/** @type {any[]} */ requests) {
  const generators = Array.from({ length: 4 }, () => new ExemplarSelection())
  const exemplars = new Exemplars()
  const all = []
  const add = (/** @type {any} */ report) => { if (report !== null) exemplars.add(report) }
  let at = 0
  for (const [i, request] of requests.entries()) {
    at += request.gap
    end(generators[request.generator], request, at, i)
    all.push({ ...request, at, connection: i })
    if (request.handsOver) add(generators[request.generator].take())
  }
  for (const generator of generators) add(generator.take())
  return { exemplars, all, generators }
}

t.test('they are those of a sort of all', async t => {
  fc.assert(fc.property(fc.array(anyRequest, { maxLength: 300 }), requests => {
    const { exemplars, all, generators } = keptOf(requests)
    const totals = all.map(({ total }) => total).sort((a, b) => b - a).slice(0, KEPT)
    t.strictSame(exemplars.slowest.map(({ total }) => total), totals)
    t.equal(new Set(exemplars.slowest.map(({ connection }) => connection)).size, totals.length, 'each once')
    for (const { connection, total } of exemplars.slowest) if (all[connection].total !== total) t.fail('it is the request that it says')
    const failed = all.filter(({ fails }) => fails)
    t.strictSame(exemplars.failures.map(({ time, total }) => Math.round(1000 * (time + total))), failed.slice(0, KEPT).map(({ at }) => 1000 * at))
    for (const { connection } of exemplars.failures) if (!all[connection].fails) t.fail('it has failed')
    for (const generator of generators) t.equal(generator.take(), null, 'nothing is handed over twice')
  }), { seed: 22, numRuns: 300 })
})

t.test('those of several runs are those of a sort of all, by the clock that they share', async t => {
  fc.assert(fc.property(fc.array(fc.tuple(fc.array(anyRequest, { maxLength: 60 }), fc.integer({ min: 0, max: 20 })), { minLength: 1, maxLength: 4 }), runs => {
    const merged = new Exemplars()
    const whole = []
    for (const [requests, offset] of runs) {
      const { exemplars, all } = keptOf(requests)
      merged.add(moved(exemplars.encode(), { offset }))
      for (const { total, at, fails } of all) whole.push({ total, at: at + offset, fails })
    }
    t.strictSame(merged.slowest.map(({ total }) => total), whole.map(({ total }) => total).sort((a, b) => b - a).slice(0, KEPT))
    const ends = whole.filter(({ fails }) => fails).map(({ at }) => at).sort((a, b) => a - b).slice(0, KEPT)
    t.strictSame(merged.failures.map(({ time, total }) => Math.round(time + total)), ends)
  }), { seed: 22, numRuns: 200 })
})

t.test('what is forgotten was never there', async t => {
  fc.assert(fc.property(fc.array(anyRequest, { maxLength: 100 }), fc.array(anyRequest, { maxLength: 100 }), (before, after) => {
    const [one, other] = [new ExemplarSelection(), new ExemplarSelection()]
    for (const request of before) end(one, request, 0, 0)
    for (const singledOut of [one, other]) singledOut.skip(7)
    for (const singledOut of [one, other]) for (const [i, request] of after.entries()) end(singledOut, request, i, i)
    t.strictSame(one.take(), other.take())
  }), { seed: 22, numRuns: 100 })
})

t.test('the floor rises, and few get past it', async t => {
  const singledOut = new ExemplarSelection()
  const { slowest } = singledOut
  let entered = 0
  let state = 1
  for (let i = 0; i < 1e6; i++) {
    state = (state * 48271) % 2147483647
    if (state <= slowest.floor) continue
    entered++
    slowest.enter(state)
  }
  t.ok(entered < 400, `of a million like answers ${entered} were looked at`)
})
