'use strict'

// What waits for a user function of a stream: how much of it may, and in which order it is read.

const t = require('tap')
const { Events } = require('../../lib/functions/events')

const MIB = 1024 * 1024

/** @type {(backlog?: { bytes: number }) => { events: any, looks: () => number }} */
function make (backlog = { bytes: 0 }) {
  let looks = 0
  return { events: new Events(backlog, () => false, () => { looks++ }), looks: () => looks }
}

t.test('16 MiB may wait in a stream, and 256 MiB in all of a thread', async t => {
  const backlog = { bytes: 0 }
  const { events, looks } = make(backlog)
  events.push('large', 17 * MIB)
  t.strictSame([looks(), events.areMany], [0, false], 'a single one is never too much')
  events.push('small', 1)
  events.push('small', 1)
  t.strictSame([looks(), events.areMany], [1, true], 'one look is enough')
  t.equal((await events.next()).message, 'large')
  t.notOk(events.areMany, 'it has been read before it was looked')
  events.isLookedAt = false
  const others = Array.from({ length: 17 }, () => make(backlog))
  for (const { events } of others) events.push('x', 15 * MIB)
  events.push('small', 1)
  t.strictSame([looks(), events.areMany], [1, false], '255 MiB')
  others[0].events.push('x', MIB)
  t.strictSame([others[0].looks(), others[1].looks()], [1, 0])
  for (const { events } of others) events.drop(null)
  events.drop(null)
  t.equal(backlog.bytes, 0, 'what is dropped counts no more')
})

t.test('events are read in order, then the end or the error, by each who waits', async t => {
  const { events } = make()
  const first = [events.next(), events.next(), events.next(), events.next()]
  events.push(1, 0)
  events.push(2, 0)
  events.end(null)
  events.push(3, 0)
  t.strictSame((await Promise.all(first)).map(one => one?.message), [1, 2, undefined, undefined])
  t.equal(await events.next(), null)
  const failed = make().events
  const waiting = [failed.next(), failed.next()]
  failed.push(1, 0)
  failed.end(new Error('broken'))
  t.strictSame((await Promise.allSettled(waiting)).map(({ value, reason }) => value?.message ?? reason.message), [1, 'broken'])
  await t.rejects(failed.next(), { message: 'broken' })
})

t.test('after the run nothing goes on', async t => {
  const events = new Events({ bytes: 0 }, () => true, () => {})
  events.push(1, 0)
  t.equal(await Promise.race([events.next(), new Promise(resolve => setTimeout(resolve, 5, 'nothing'))]), 'nothing')
})
