'use strict'

const t = require('tap')
const { ConstantPace } = require('../../../lib/shapes/constant')
const { NEVER, Slice } = require('../../../lib/shapes/pace')
const { Queue } = require('../../../lib/engine/pacing/queue')

t.test('what has been taken is not due again', async t => {
  const queue = new Queue(new ConstantPace(100))
  t.equal(queue.next(), 0)
  for (const due of [0, 10, 20]) t.equal(queue.take(), due)
  t.equal(queue.next(), 30)
  t.equal(queue.due(29), 0)
  t.equal(queue.due(30), 1)
  t.equal(queue.due(55), 3)
})

t.test('room', async t => {
  t.test('is none before a connection is there, and was never used up', async t => {
    t.match(new Queue(new ConstantPace(100)), { free: 0, fullUntil: -Infinity })
  })

  t.test('was used up until there was some again', async t => {
    const queue = new Queue(new ConstantPace(100))
    queue.free += 2
    for (const [change, at, free, fullUntil] of [
      [-1, 10, 1, -Infinity],
      [+1, 20, 2, -Infinity],
      [-2, 30, 0, -Infinity],
      [+1, 45, 1, 45],
      [+1, 50, 2, 45],
      [-2, 60, 0, 45],
      [+2, 75, 2, 75]
    ]) {
      if (change > 0) queue.add(change, at)
      else queue.free += change
      t.match(queue, { free, fullUntil }, `${change} at ${at} ms`)
    }
  })
})

t.test('what waited for the server', async t => {
  t.test('is late and had no room when it was due', async t => {
    const queue = new Queue(new ConstantPace(100))
    t.equal(queue.waited(10, 10), 0)
    queue.fullUntil = 50
    t.equal(queue.waited(20, 50), 30)
    t.equal(queue.waited(20, 80), 30, 'the room was there at 50, whenever the generator saw it')
    t.equal(queue.waited(50, 50), 0, 'it is due now')
  })

  t.test('is not what is late by no more than the generator was itself, until that is over', async t => {
    const queue = new Queue(new ConstantPace(100))
    for (const [fullUntil, intended, at, waited, debt, why] of [
      [-Infinity, 10, 11, false, 1, 'there was room'],
      [11.2, 10.5, 11.2, false, 1, 'in time, both had been answered by then'],
      [11.8, 10.7, 11.8, true, 1, 'it waited longer'],
      [11.8, 11.9, 11.9, false, 1, 'room again, but not yet for long'],
      [12.1, 12, 12.1, false, 1, 'so this is what the first two have left behind'],
      [12.1, 12.2, 12.2, false, 0, 'in time, as long as it was not'],
      [12.5, 12.3, 12.5, true, 0, 'the server']
    ]) {
      queue.fullUntil = fullUntil
      t.equal(queue.waited(intended, at) > 0, waited, `due at ${intended}, sent at ${at}: ${why}`)
      t.equal(queue.debt, debt)
    }
  })

  t.test('of two that were late, the later one counts', async t => {
    const queue = new Queue(new ConstantPace(100))
    queue.waited(10, 15)
    queue.waited(11, 15)
    t.equal(queue.debt, 5)
    queue.waited(15.5, 16)
    t.equal(queue.debt, 5, 'still')
    queue.waited(15.5, 25)
    t.equal(queue.debt, 9.5)
  })
})

t.test('what is due when the pace changes still waits, in front of what comes', async t => {
  const queue = new Queue(new ConstantPace(100))
  queue.take()
  queue.follow(new Slice(new ConstantPace(1000), 26, 1), 25)
  t.strictSame([queue.due(25), queue.due(26), queue.due(27.5)], [2, 3, 4])
  t.strictSame([1, 2, 3, 4].map(() => queue.take()), [10, 20, 26, 27])
  queue.follow(NEVER, 27)
  t.strictSame([queue.due(1e6), queue.next()], [0, Infinity])
})

t.test('what is dropped is not due any more', async t => {
  const queue = new Queue(new ConstantPace(100))
  t.equal(queue.drop(25), 3)
  t.strictSame([queue.due(25), queue.next()], [0, 30])
})
