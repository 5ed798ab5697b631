'use strict'

const t = require('tap')
const { OptionsError, AutocannonError } = require('../../lib/errors')
const { encodeSnapshot, decodeSnapshot, encodeError, decodeError } = require('../../lib/run/messages')
const { Recorder } = require('../../lib/record/recorder')

const LOAD = { cpuMs: 300, activeMs: 250, gcMs: 10, wallMs: 1000, standstillMs: 0, delay: { p50: 0.1, p99: 1, max: 4 } }

/** The ways that a message may go. */
const ways = [['a thread', structuredClone], ['JSON', message => JSON.parse(JSON.stringify(message))]]

for (const [way, travel] of ways) {
  t.test(`a snapshot is the same after a way through ${way}`, async t => {
    const recorder = new Recorder()
    recorder.sent = 5
    recorder.late = 2
    recorder.unsent = 1
    recorder.complete(200, 50, 40, 10, 5)
    recorder.complete(200, 50, 7, 7, 7)
    recorder.distributions.current.lag.record(0.5)
    const given = recorder.take(0, 1000, 3, LOAD)
    const arrived = decodeSnapshot(travel(encodeSnapshot(given)))
    const { distributions, ...counts } = given
    const { distributions: decoded, ...others } = arrived
    t.strictSame(others, counts)
    for (const name of Object.keys(distributions)) t.strictSame(decoded[name].summary(), distributions[name].summary(), name)
  })

  t.test(`a snapshot without distributions is the same after a way through ${way}`, async t => {
    const recorder = new Recorder()
    recorder.complete(200, 50, 40, 10, 5)
    const given = recorder.take(0, 10, 0, LOAD, false)
    t.strictSame(decodeSnapshot(travel(encodeSnapshot(given))), given)
  })

  t.test(`an error keeps what it says after a way through ${way}`, async t => {
    for (const error of [new AutocannonError('AC_WORKER'), Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), new TypeError('?')]) {
      const arrived = decodeError(travel(encodeError(error)))
      t.ok(arrived instanceof Error)
      t.equal(arrived instanceof AutocannonError, error instanceof AutocannonError)
      for (const key of ['name', 'code', 'message', 'stack']) t.equal(arrived[key], error[key], key)
    }
    const arrived = decodeError(travel(encodeError(new OptionsError(['one', 'two']))))
    t.ok(arrived instanceof OptionsError)
    t.match(arrived, { message: 'one\ntwo', code: 'AC_OPTIONS', problems: ['one', 'two'] })
  })
}
