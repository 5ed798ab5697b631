'use strict'

const t = require('tap')
const { Pace, Slots, paces } = require('../../lib/load/schedule')

t.test('a pace makes its n-th request due at phase + n · interval', async t => {
  const pace = new Pace(10, 3)
  for (const [at, due] of [[0, 0], [2.999, 0], [3, 1], [12.9, 1], [13, 2], [103, 11]]) t.equal(pace.due(at), due, `at ${at} ms`)
})

t.test('what has been taken is not due again', async t => {
  const pace = new Pace(10, 0)
  t.equal(pace.next(), 0)
  pace.taken += 3
  t.equal(pace.next(), 30)
  t.equal(pace.due(29), 0)
  t.equal(pace.due(30), 1)
  t.equal(pace.due(55), 3)
})

t.test('a rate is shared out evenly: all connections together are due at equal distances', async t => {
  for (const [rate, connections] of [[1000, 10], [17, 10], [0.5, 3], [200_000, 7]]) {
    const times = paces(rate, connections).flatMap(pace => Array.from({ length: 20 }, (_, n) => pace.phase + n * pace.interval)).sort((a, b) => a - b)
    times.forEach((time, n) => { if (Math.abs(time - n * 1000 / rate) > 1e-6 * time) t.fail(`request ${n} of ${rate}/s is due at ${time}`) })
    t.equal(times.length, 20 * connections)
  }
})

t.test('rounding never drops a request: as many are due as the rate says, at every whole interval', async t => {
  for (const rate of [3, 7, 30, 333, 1000 / 7, 9999]) {
    const [pace] = paces(rate, 1)
    for (let n = 0; n < 10_000; n++) {
      if (pace.due(n * pace.interval) !== n + 1) return t.fail(`rate ${rate}: ${pace.due(n * pace.interval)} instead of ${n + 1}`)
    }
  }
})

t.test('at 200,000/s every window of 100 ms has 20,000 sends, and a fraction of a request is due in time', async t => {
  for (const [rate, window, each] of [[200_000, 100, 20_000], [1000, 100, 100], [1, 1000, 1], [0.5, 2000, 1], [0.001, 1e6, 1]]) {
    for (const connections of [1, 3, 10]) {
      const all = paces(rate, connections)
      for (let end = window; end <= 20 * window; end += window) {
        // What is due just at the end is of the next window.
        const due = all.reduce((sum, pace) => sum + pace.due(end - window * 1e-6), 0)
        for (const pace of all) pace.taken += pace.due(end - window * 1e-6)
        if (due !== each) t.fail(`${rate}/s over ${connections}: ${due} in the window before ${end} ms`)
      }
      t.equal(all.reduce((sum, { taken }) => sum + taken, 0), 20 * each, `${rate}/s over ${connections} connections`)
    }
  }
})

t.test('slots', async t => {
  t.test('have none free and were never full before a connection is there', async t => {
    t.match(new Slots(), { free: 0, fullUntil: -Infinity })
  })

  t.test('were full until one became free', async t => {
    const slots = new Slots()
    slots.free += 2
    for (const [change, at, free, fullUntil] of [
      [-1, 10, 1, -Infinity],
      [+1, 20, 2, -Infinity],
      [-2, 30, 0, -Infinity],
      [+1, 45, 1, 45],
      [+1, 50, 2, 45],
      [-2, 60, 0, 45],
      [+2, 75, 2, 75]
    ]) {
      if (change > 0) slots.add(change, at)
      else slots.free += change
      t.match(slots, { free, fullUntil }, `${change} at ${at} ms`)
    }
  })
})

t.test('what waited for the server', async t => {
  t.test('is late and had no room when it was due', async t => {
    const slots = new Slots()
    t.equal(slots.waited(10, 10), false)
    slots.fullUntil = 50
    t.equal(slots.waited(20, 50), true)
    t.equal(slots.waited(50, 50), false, 'it is due now')
  })

  t.test('is not what is late by no more than the generator was itself, until that is over', async t => {
    const slots = new Slots()
    for (const [fullUntil, intended, at, waited, debt, why] of [
      [-Infinity, 10, 11, false, 1, 'there was room'],
      [11.2, 10.5, 11.2, false, 1, 'in time, both had been answered by then'],
      [11.8, 10.7, 11.8, true, 1, 'it waited longer'],
      [11.8, 11.9, 11.9, false, 1, 'room again, but not yet for long'],
      [12.1, 12, 12.1, false, 1, 'so this is what the first two have left behind'],
      [12.1, 12.2, 12.2, false, 0, 'in time, as long as it was not'],
      [12.5, 12.3, 12.5, true, 0, 'the server']
    ]) {
      slots.fullUntil = fullUntil
      t.equal(slots.waited(intended, at), waited, `due at ${intended}, sent at ${at}: ${why}`)
      t.equal(slots.debt, debt)
    }
  })

  t.test('of two that were late, the later one counts', async t => {
    const slots = new Slots()
    slots.waited(10, 15)
    slots.waited(11, 15)
    t.equal(slots.debt, 5)
    slots.waited(15.5, 16)
    t.equal(slots.debt, 5, 'still')
    slots.waited(15.5, 25)
    t.equal(slots.debt, 9.5)
  })
})
