'use strict'

const t = require('tap')
const { ConnectionError } = require('../../../lib/core/errors')
const { OTHER_REQUESTS } = require('../../../lib/instruments/checks/record')
const { Recorder } = require('../../../lib/record/recorder')
const { SuccessRecorder } = require('../../../lib/record/success-recorder')
const { NamedRequests, MAX_NAMES } = require('../../../lib/instruments/requests/record')
const { Totals } = require('../../../lib/record/totals')
const { randomFrom } = require('../../../lib/core/random')

const nobody = { response: null, requestError: null, mismatch: null }
const timeout = new ConnectionError('AC_TIMEOUT')

/** @param {typeof Recorder} RecorderOf */
function record (RecorderOf) {
  const recorder = new RecorderOf()
  const [login, logout] = [recorder.instruments.requests.of('login'), recorder.instruments.requests.of('logout')]
  recorder.completePart(login, 200, 10, 2, 1)
  recorder.completePart(login, 200, 10, 4, 1)
  recorder.completePart(login, 503, 10, 6, 3)
  recorder.completePart(logout, 204, 10, 1, 1)
  recorder.timeOut(timeout, 100, 100, nobody, login)
  recorder.fail(new ConnectionError('AC_CLOSED'), nobody, login)
  recorder.recordPendingPaced(50, 10, 1, logout)
  recorder.recordPendingPaced(5, 10, 1, logout)
  return recorder
}

/** @param {NamedRequests} requests */
const figures = requests => Object.fromEntries(requests.encode().map(({ name, errors, statuses, latency, ttfb }) =>
  [name, { errors, statuses, latency: [latency.count, latency.sum / 1000], ttfb: [ttfb.count, ttfb.sum / 1000] }]))

t.test('each name has its own figures, which add up', async t => {
  const totals = new Totals()
  for (const times of [1, 2]) {
    const recorder = record(Recorder)
    t.strictSame(recorder.take(0, 1, 0, undefined, false).requests, null, 'together with the distributions')
    const { requests } = recorder.takeLast(1, 2, 1)
    t.strictSame(recorder.takeLast(2, 3, 2).requests, [], 'once')
    totals.add({ ...new Recorder().take(0, 1, 0), requests: times === 1 ? requests : JSON.parse(JSON.stringify(requests)) })
    t.strictSame(figures(totals.instruments.requests), {
      login: { errors: 2 * times, statuses: { 200: 2 * times, 503: times }, latency: [4 * times, 112 * times], ttfb: [3 * times, 5 * times] },
      logout: { errors: 0, statuses: { 204: times }, latency: [2 * times, 51 * times], ttfb: [times, times] }
    })
  }
})

t.test('with excludeErrorStats only 2xx answers are in the latency of a name, too', async t => {
  const recorder = record(SuccessRecorder)
  t.strictSame(figures(recorder.instruments.requests), {
    login: { errors: 2, statuses: { 200: 2, 503: 1 }, latency: [2, 6], ttfb: [2, 2] },
    logout: { errors: 0, statuses: { 204: 1 }, latency: [1, 1], ttfb: [1, 1] }
  })
})

t.test('ever new names do not fill the memory', async t => {
  const requests = new NamedRequests()
  for (let i = 0; i < MAX_NAMES + 5; i++) requests.of(`name ${i}`).complete(200)
  t.equal(requests.tallies.size, MAX_NAMES + 1)
  t.strictSame(requests.of('name 1000').statuses, { 200: 5 })
  t.equal(requests.of('name 1000').name, OTHER_REQUESTS)
  t.strictSame(requests.of('name 7').statuses, { 200: 1 })
})

t.test('a sample has the counts of all names and latencies of those whose turn it is; the last one has the rest', async t => {
  const random = randomFrom(7)
  for (let run = 0; run < 20; run++) {
    const names = Array.from({ length: 1 + Math.floor(random() * 19) }, (_, i) => `name ${i}`)
    const [given, recorded, merged] = [new NamedRequests(), new NamedRequests(), new NamedRequests()]
    for (const name of names) given.of(name)
    for (let sample = 0; sample < 12; sample++) {
      for (let i = Math.floor(random() * 60); i > 0; i--) {
        const name = names[Math.floor(random() * names.length)]
        const [status, ms, kind] = [200 + Math.floor(random() * 2) * 303, random() * 50, random()]
        for (const requests of [given, recorded]) {
          const tally = requests.of(name)
          if (kind < 0.1) tally.fail()
          else {
            tally.complete(status)
            tally.record(ms, ms / 2)
            if (kind > 0.9) tally.faulty++
          }
        }
      }
      const isLast = sample === 11
      const taken = given.take(isLast)
      if (!isLast) t.ok(taken.filter(({ latency }) => latency.count > 0).length <= 5, 'no more than there is room for')
      if (sample === 0) t.strictSame(taken.map(({ name }) => name), names, 'their order is known from the start')
      merged.add(JSON.parse(JSON.stringify(taken)))
      const counts = (/** @type {NamedRequests} */ requests) => names.map(name => requests.of(name)).map(({ errors, failures, statuses }) => ({ errors, failures, statuses }))
      t.strictSame(counts(merged), counts(recorded), 'counts are up to date')
    }
    t.strictSame(figures(merged), Object.fromEntries(names.map(name => [name, figures(recorded)[name]])))
  }
})

t.test('each name has its turn', async t => {
  const requests = new NamedRequests()
  const names = [...'abcdefghij']
  for (const name of names) requests.of(name)
  const told = []
  for (let sample = 0; sample < 4; sample++) {
    for (const name of names) requests.of(name).record(1, 1)
    // Half of them fill the room of a sample.
    told.push(...requests.take().filter(({ latency }) => latency.count > 0).map(({ name }) => name))
  }
  t.strictSame(told, [...names, ...names])
})
