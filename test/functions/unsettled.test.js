'use strict'

// A run by amount does not wait for ever for functions that await something else than the run.

const t = require('tap')
const { Unsettled } = require('../../lib/functions/unsettled')

const of = (more = {}) => ({ number: 3, closed: false, iteration: { requests: 0, pauses: 0 }, sockets: null, ...more })

/** @param {Unsettled} unsettled @param {any[]} users @param {(i: number) => number} sentAt */
function looksUntilEnd (unsettled, users, sentAt = () => 5) {
  for (let i = 0; i < 100; i++) {
    const error = unsettled.look(sentAt(i), users)
    if (error !== null) return { ms: i * unsettled.every, error }
  }
  return null
}

t.test('it ends after ten timeouts without a request, and a minute at least', async t => {
  for (const [timeout, ms, words] of [[10_000, 100_000, '100 s'], [1000, 60_000, '60 s'], [60_000, 600_000, '10 min']]) {
    const { ms: at, error } = looksUntilEnd(new Unsettled(timeout), [of({ closed: true, number: 2 }), of()])
    t.equal(at, ms)
    t.match(error, { code: 'AC_HOOK', message: `the function of user 3 has not ended, and awaited no request, pause or WebSocket for ${words}: is there an await that never ends? A longer timeout (-t) gives it more time` })
  }
})

t.test('it goes on while a request, a pause or a WebSocket is awaited, or another user can go on', async t => {
  for (const users of [
    [of({ iteration: { requests: 1, pauses: 0 } })],
    [of({ iteration: { requests: 0, pauses: 1 } })],
    [of({ sockets: { size: 1 } })],
    [of({ iteration: null })],
    [of(), of({ iteration: null })],
    [of({ closed: true })],
    []
  ]) t.equal(looksUntilEnd(new Unsettled(1000), users), null)
  t.equal(looksUntilEnd(new Unsettled(1000), [of()], i => Math.floor(i / 9)), null, 'and while some are sent')
  t.not(looksUntilEnd(new Unsettled(1000), [of({ sockets: { size: 0 } })]), null)
})
