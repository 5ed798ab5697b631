'use strict'

const t = require('tap')
const { Checks, MAX_REASONS, OTHER_REASONS, MAX_CHECKS, OTHER_REQUESTS } = require('../../../lib/instruments/checks/record')

const sample = body => ({ status: 500, headers: [], body, truncated: false })

t.test('counts reasons, and keeps the first answer that failed for each', async t => {
  const checks = new Checks()
  const tally = checks.of('expect', 'login')
  t.equal(checks.of('expect', 'login'), tally)
  t.not(checks.of('expect', null), tally)
  t.not(checks.of('check', 'login'), tally)
  tally.passed += 3
  tally.fail('a', () => sample('first a'))
  tally.fail('b', () => sample('first b'))
  tally.fail('a', () => t.fail('there is one already'))
  t.strictSame(checks.encode()[0], { name: 'expect', request: 'login', passed: 3, failed: 3, reasons: { a: 2, b: 1 }, samples: { a: sample('first a'), b: sample('first b') } })
})

t.test('hands over what was counted since the last time, each sample once', async t => {
  const checks = new Checks()
  const tally = checks.of('check', null)
  tally.fail('a', () => sample('1'))
  tally.passed++
  t.strictSame(checks.take(), [{ name: 'check', request: null, passed: 1, failed: 1, reasons: { a: 1 }, samples: { a: sample('1') } }])
  tally.fail('a', () => t.fail('there is one already'))
  t.strictSame(checks.take(), [{ name: 'check', request: null, passed: 0, failed: 1, reasons: { a: 1 }, samples: {} }])
  t.strictSame(checks.take(), [{ name: 'check', request: null, passed: 0, failed: 0, reasons: {}, samples: {} }])
})

t.test('a reason that is different each time does not fill the memory', async t => {
  const [checks, sums] = [new Checks(), new Checks()]
  const tally = checks.of('check', null)
  for (let i = 0; i < 1000; i++) {
    tally.fail(`no ${i}`, () => sample(`body ${i}`))
    if (i % 7 === 0) sums.add(checks.take())
  }
  sums.add(checks.take())
  const [{ failed, reasons, samples }] = sums.encode()
  t.equal(failed, 1000)
  t.equal(Object.keys(reasons).length, MAX_REASONS + 1)
  t.equal(reasons[OTHER_REASONS], 1000 - MAX_REASONS)
  t.equal(samples[OTHER_REASONS].body, `body ${MAX_REASONS}`)
  t.strictSame(Object.keys(samples).sort(), Object.keys(reasons).sort())
})

t.test('sums are the same in whatever order and parts they are added, and stay bounded', async t => {
  const parts = Array.from({ length: 4 }, (_, part) => {
    const checks = new Checks()
    for (let i = 0; i < 100; i++) {
      checks.of('expect', null).fail(`no ${part} ${i % 30}`, () => sample(''))
      checks.of('expect', `request ${i % 2}`).passed++
    }
    return checks.encode()
  })
  for (const order of [parts, [...parts].reverse(), JSON.parse(JSON.stringify(parts)), structuredClone(parts)]) {
    const sums = new Checks()
    for (const part of order) sums.add(part)
    const [all, ...named] = sums.encode()
    t.match(all, { passed: 0, failed: 400 })
    t.equal(Object.values(all.reasons).reduce((a, b) => a + b), 400)
    t.equal(Object.keys(all.reasons).length, MAX_REASONS + 1)
    t.strictSame(named.map(({ request, passed }) => [request, passed]), [['request 0', 200], ['request 1', 200]])
  }
})

t.test('reasons and names may be anything', async t => {
  const checks = new Checks()
  for (const name of ['__proto__', 'constructor', 'toString']) checks.of('check', name).fail(name, () => sample(name))
  const sums = new Checks()
  sums.add(JSON.parse(JSON.stringify(checks.take())))
  for (const { request, reasons, samples } of sums.encode()) {
    t.strictSame(Object.entries(reasons), [[request, 1]])
    t.strictSame(Object.keys(samples), [request])
  }
})

t.test('ever new requests do not fill the memory', async t => {
  const checks = new Checks()
  for (let i = 0; i < 2 * MAX_CHECKS; i++) checks.of('onResponse', `GET /${i}`).passed++
  const list = checks.encode()
  t.equal(list.length, MAX_CHECKS + 1)
  t.match(list.at(-1), { request: OTHER_REQUESTS, passed: MAX_CHECKS })
})
