'use strict'

const t = require('tap')
const fc = require('fast-check')
const { ConstantPace } = require('../../lib/shapes/constant')
const { Slice, Sequel, NEVER, paceOf, untilInStep } = require('../../lib/shapes/pace')
const { RisingPace } = require('../engine/helpers/rising-pace')

t.test('a constant pace has its n-th request due after n intervals', async t => {
  const pace = new ConstantPace(100)
  t.strictSame([0, 1, 2, 1000].map(n => pace.dueAt(n)), [0, 10, 20, 10_000])
  for (const [at, due] of [[-Infinity, 0], [-0.1, 0], [0, 1], [9.9, 1], [10, 2], [105, 11]]) t.equal(pace.dueBy(at), due, `at ${at} ms`)
})

t.test('what would be due at the end or later is not part of it', async t => {
  for (const [rate, end, total] of [[100, 1000, 100], [100, 1001, 101], [0.3, 10_000, 3], [3, 1000, 3], [1000 / 7, 7000, 1000], [1, 0, 0], [5, Infinity, Infinity]]) {
    const pace = new ConstantPace(rate, end)
    t.equal(pace.total, total, `${rate}/s until ${end} ms`)
    if (total < Infinity) t.strictSame([pace.dueBy(end), pace.dueBy(1e9)], [total, total])
  }
})

const RATES = fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.double({ min: 0.001, max: 1000, noNaN: true }), fc.integer({ min: 1, max: 999 }).map(ms => 1000 / ms))
const constant = RATES.map(rate => new ConstantPace(rate))
const rising = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 5000 })).map(([rate, rise]) => new RisingPace(rate, rise))
const sliced = pace => fc.tuple(pace, fc.nat(60), fc.integer({ min: 1, max: 60 })).map(([pace, first, step]) => new Slice(pace, first, step))

t.test('the two answers of a pace are inverse: no rounding puts off a request or makes it early', async t => {
  fc.assert(fc.property(fc.oneof(constant, sliced(constant)), fc.oneof(fc.nat(1000), fc.nat(1e9)), (pace, n) => {
    const at = pace.dueAt(n)
    return pace.dueBy(at) === n + 1 && pace.dueAt(n + 1) > at
  }), { seed: 3, numRuns: 5000 })
  fc.assert(fc.property(fc.oneof(rising, sliced(rising)), fc.nat(1e5), (pace, n) => {
    const between = (pace.dueAt(n) + pace.dueAt(n + 1)) / 2
    return pace.dueBy(pace.dueAt(n)) === n + 1 && pace.dueBy(between) === n + 1
  }), { seed: 4, numRuns: 5000 })
})

t.test('the slices of a pace are the whole of it, and each request is in one of them', async t => {
  const paces = fc.oneof(RATES.map(rate => new ConstantPace(rate, 20_000 / rate)), fc.integer({ min: 1, max: 1000 }).map(rate => new RisingPace(rate, 3 * rate, 900)))
  fc.assert(fc.property(paces, fc.integer({ min: 1, max: 30 }), fc.double({ min: -0.1, max: 1.2, noNaN: true }), (pace, parts, share) => {
    const slices = Array.from({ length: parts }, (_, i) => new Slice(pace, i, parts))
    const at = share * pace.dueAt(pace.total)
    const sum = numbers => numbers.reduce((a, b) => a + b, 0)
    for (let n = 0; n < pace.total; n++) if (slices[n % parts].dueAt(Math.floor(n / parts)) !== pace.dueAt(n)) return false
    return sum(slices.map(({ total }) => total)) === pace.total && sum(slices.map(slice => slice.dueBy(at))) === pace.dueBy(at)
  }), { seed: 5, numRuns: 300 })
})

t.test('a slice may begin anywhere: what is left of a pace is one', async t => {
  const rest = new Slice(new ConstantPace(100, 1000), 30, 1)
  t.strictSame([rest.total, rest.dueAt(0), rest.dueBy(0), rest.dueBy(299), rest.dueBy(300), rest.dueBy(345)], [70, 300, 0, 0, 1, 5])
})

t.test('the generators of a run take turns, each at its own rate', async t => {
  for (const [rate, parts] of [[250, 4], [1000, 1], [1 / 7, 3]]) {
    const paces = Array.from({ length: parts }, (_, part) => paceOf({ rate, part, parts }))
    for (let n = 0; n < 1000; n++) {
      const at = paces[n % parts].dueAt(Math.floor(n / parts))
      if (Math.abs(at - n * 1000 / (rate * parts)) > 1e-9 * at) t.fail(`request ${n} of ${parts} × ${rate}/s is due at ${at}`)
    }
  }
  t.equal(paceOf({ rate: 250, part: 1, parts: 4 }, 1000).total, 250)
})

t.test('at 200,000/s every window of 100 ms has 20,000 requests, and a fraction of a request is due in time', async t => {
  for (const [rate, window, each] of [[200_000, 100, 20_000], [1000, 100, 100], [1, 1000, 1], [0.5, 2000, 1], [0.001, 1e6, 1]]) {
    const pace = new ConstantPace(rate)
    // What is due just at the end is of the next window.
    const until = end => pace.dueBy(end - window * 1e-6)
    for (let end = window; end <= 20 * window; end += window) t.equal(until(end) - (end === window ? 0 : until(end - window)), each, `${rate}/s before ${end} ms`)
  }
})

t.test('one pace may follow another, any number of times', async t => {
  const change = fc.tuple(fc.double({ min: 1, max: 500, noNaN: true }), fc.oneof(constant, rising, fc.constant(NEVER)))
  fc.assert(fc.property(constant, fc.array(change, { maxLength: 20 }), (first, changes) => {
    let pace = first
    let at = 0
    const pieces = [{ from: -Infinity, piece: first }]
    for (const [ms, next] of changes) {
      at += ms
      const piece = next === NEVER ? NEVER : new Slice(next, next.dueBy(at), 1)
      pace = new Sequel(pace, at, piece)
      pieces.push({ from: at, piece })
    }
    // Each request of a piece is due while that is the last.
    const until = at + 5
    const expected = pieces.flatMap(({ piece }, i) => {
      const end = pieces[i + 1]?.from ?? until
      return Array.from({ length: Math.min(2000, piece.dueBy(end)) }, (_, n) => piece.dueAt(n))
    })
    if (pieces.some(({ piece }) => piece.dueBy(until) > 2000)) return true
    return pace.dueBy(until) === expected.length && expected.every((due, n) => pace.dueAt(n) === due && pace.dueBy(due) >= n + 1)
  }), { seed: 6, numRuns: 500 })
  let pace = new ConstantPace(1000)
  for (let i = 1; i < 20_000; i++) pace = new Sequel(pace, i, NEVER)
  t.equal(pace.dueAt(0), 0, 'no stack is too small for it')
})

t.test('generators of constant paces start at a multiple of the time between two of their requests', async t => {
  const paces = [0, 1, 2].map(part => paceOf({ rate: 100, part, parts: 3 }))
  for (const pace of paces) {
    for (const at of [0, 3, 9.9, 1_000_004.5]) {
      const wait = untilInStep(pace, at)
      t.ok(wait > 0 && wait <= 10 + 1e-9)
      const off = (at + wait) % 10
      t.ok(Math.min(off, 10 - off) < 1e-6, `${at} + ${wait} ms`)
    }
  }
  t.equal(untilInStep(paceOf({ rate: 1, part: 1, parts: 3 }), 5), 0, 'where that is long it does not matter')
})
