'use strict'

// A generator that has a rate to keep: when requests go out, and what their latency counts from. The clock and the server
// are the test's.

const t = require('tap')
const fc = require('fast-check')
const { conserves } = require('../helpers/results/conservation')
const { RisingPace } = require('./helpers/rising-pace')
const { generatorOf, threadsOf, TURN, begin, after, inOrder, responses, ANSWER, nobody } = require('./helpers/fake-load')

/** @returns {number[]} when requests were sent, on whichever connection */
const sends = sockets => sockets.flatMap(({ times }) => times).sort((a, b) => a - b)

/** The latency of each answer in the order of arrival goes into `told`. */
const tellTo = told => ({ ...nobody, response: (connection, status, size, ms) => told.push(ms) })

/** Count, sum, minimum and maximum in µs, which are exact. */
const exactly = ({ count, sum, min, max }) => [count, sum, min, max]

/** Percentiles are within 0.1 %. */
const close = (percentile, exact) => Math.abs(percentile - exact) <= 0.001 * exact

const refused = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })

t.test('a request that is due in months is waited for in parts: a timer counts 25 days', async t => {
  const log = generatorOf({ overallRate: 1e-7, duration: 2e6 })
  begin(log, after(5))
  log.time.pass(10)
  const [longest] = [...log.time.timers].map(({ at }) => at).sort((a, b) => b - a)
  t.ok(longest > 2e9 && longest <= 10 + 2 ** 31 - 1, `${longest} ms`)
  log.generator.stop()
})

t.test('a rate', async t => {
  for (const rate of [{ overallRate: 1000 }, { connectionRate: 100 }, { rate: 1000 }]) {
    t.test(`is sent evenly: ${Object.keys(rate)}`, async t => {
      const log = generatorOf({ ...rate, connections: 10, duration: 2 })
      begin(log, after(5))
      log.time.pass(2000)
      t.ok(log.generator.ended)
      const times = sends(log.sockets)
      const windows = Array.from({ length: 20 }, (_, i) => times.filter(ms => ms >= 100 * i && ms < 100 * (i + 1)).length)
      t.ok(windows.every(n => Math.abs(n - 100) <= 5), windows.join(' '))
      t.equal(times.length, 2000)
      const result = log.result()
      t.strictSame(result.rate, { target: 1000, achieved: 1000, ratio: 1, sent: 2000, late: 0, unsent: 0, pace: 'batched' })
      t.equal(result.unfinished, 5, 'those of the last 5 ms')
      t.ok(log.time.made - times.length < 20, 'one timer serves all ticks; the server makes one for each answer')
      if (rate.rate === undefined) t.strictSame(log.sockets.map(({ requests }) => requests), Array(10).fill(200))
      conserves(t, result)
    })
  }

  t.test('of a connection is phased against those of the others', async t => {
    for (const rate of [{ connectionRate: 10 }, { overallRate: 40 }]) {
      const log = generatorOf({ ...rate, connections: 4, duration: 1 })
      begin(log, after(5))
      log.time.pass(1000)
      log.sockets.forEach(({ times }, i) => {
        // The clock starts with the last connection: the first request of the first one waits for a timer, 1 ms.
        t.strictSame(times, Array.from({ length: 10 }, (_, n) => Math.max(1, 25 * i + 100 * n)), `connection ${i}`)
      })
      conserves(t, log.result())
    }
  })

  t.test('may be a fraction', async t => {
    // The clock starts with the last connection, which sends at once in the open model; the first one waits for a timer, 1 ms.
    for (const [rate, first] of [[{ rate: 0.5 }, 0], [{ overallRate: 0.5 }, 1], [{ connectionRate: 0.25 }, 1]]) {
      const log = generatorOf({ ...rate, connections: 2, duration: 11 })
      begin(log, after(5))
      log.time.pass(11_000)
      t.strictSame(sends(log.sockets), [first, 2000, 4000, 6000, 8000, 10_000])
      const result = log.result()
      t.match(result.rate, { target: 0.5, sent: 6, late: 0, unsent: 0 })
      conserves(t, result)
    }
  })

  t.test('may be 200,000 a second', async t => {
    for (const rate of [{ rate: 200_000 }, { overallRate: 200_000 }]) {
      const log = generatorOf({ ...rate, connections: 50, pipelining: 20, duration: 0.2 })
      begin(log, after(2))
      log.time.pass(200)
      const times = sends(log.sockets)
      t.equal(times.filter(ms => ms < 100).length, 19_801, 'the timer of 99 ms is the last before 100 ms')
      t.equal(times.filter(ms => ms >= 100).length, 20_000)
      const result = log.result()
      t.strictSame(result.rate, { target: 200_000, achieved: 199_005, ratio: 0.995, sent: 39_801, late: 0, unsent: 199, pace: 'batched' })
      t.equal(result.latency.max, 2, 'what waited for a timer counts from the write')
      conserves(t, result)
    }
  })

  t.test('starts when all connections are there: nothing was due before', async t => {
    const log = generatorOf({ overallRate: 100, connections: 2, duration: 1 })
    log.generator.start()
    log.sockets[0].ready(after(5))
    log.time.pass(500)
    t.equal(log.sockets[0].requests, 0)
    log.sockets[1].ready(after(5))
    log.time.pass(999)
    t.notOk(log.generator.ended)
    log.time.pass(1)
    t.ok(log.generator.ended)
    const result = log.result()
    t.equal(result.duration, 1)
    t.strictSame(result.rate, { target: 100, achieved: 100, ratio: 1, sent: 100, late: 0, unsent: 0, pace: 'batched' })
    t.equal(result.generator.lag.max, 1)
    conserves(t, result)
  })

  t.test('starts as well when an attempt to connect has failed', async t => {
    const log = generatorOf({ rate: 100, connections: 2, duration: 1 })
    log.generator.start()
    log.sockets[0].emit('error', refused())
    log.sockets[1].ready(after(5))
    log.time.pass(9)
    t.strictSame(log.sockets[1].times, [0])
    log.generator.stop()
    conserves(t, log.result(), { neverSent: 1 })
  })

  t.test('leaves nothing unsent in a run that is stopped before it began', async t => {
    for (const rate of [{ rate: 1000 }, { overallRate: 200_000 }, { connectionRate: 0.5 }]) {
      const log = generatorOf({ ...rate, connections: 2 })
      log.generator.start()
      log.sockets[0].ready()
      log.time.pass(300)
      log.generator.stop()
      log.sockets[1].ready()
      log.time.pass(1000)
      t.equal(log.time.timers.size, 0)
      t.equal(log.snapshots.length, 1)
      t.match(log.snapshots[0], { from: 0, to: 0, sample: 0, sent: 0, abandoned: 0, unsent: 0, late: 0 })
      const result = log.result()
      t.match(result, { unfinished: 0, rate: { achieved: 0, ratio: 0, sent: 0, unsent: 0 }, latency: { totalCount: 0 } })
      conserves(t, result)
    }
  })

  t.test('does not begin in a run that its last attempt to connect has ended', async t => {
    const log = generatorOf({ rate: 1000, connections: 2, bailout: 2 })
    log.generator.start()
    for (const socket of [...log.sockets]) socket.emit('error', refused())
    t.ok(log.generator.ended)
    t.equal(log.time.timers.size, 0)
    log.time.pass(1000)
    t.strictSame([log.snapshots.length, log.ends, log.sockets.length], [1, 1, 2])
    conserves(t, log.result(), { neverSent: 2 })
  })

  t.test('counts what was due until a run is stopped early, and no more', async t => {
    const log = generatorOf({ rate: 100, duration: 10 })
    begin(log)
    log.time.pass(505)
    log.generator.stop()
    const result = log.result()
    t.strictSame(result.rate, { target: 100, achieved: 1.98, ratio: 0.02, sent: 1, late: 0, unsent: 50, pace: 'batched' })
    t.equal(result.unfinished, 51)
    conserves(t, result)
  })

  t.test('of an amount ends with its last answer', async t => {
    for (const rate of [{ rate: 100 }, { overallRate: 100 }]) {
      const log = generatorOf({ ...rate, connections: 3, amount: 10 })
      begin(log, after(5))
      log.time.pass(94)
      t.notOk(log.generator.ended)
      log.time.pass(1)
      t.ok(log.generator.ended)
      const result = log.result()
      t.equal(result.duration, 0.095)
      t.match(result.rate, { sent: 10, late: 0, unsent: 0 })
      t.equal(result.unfinished, 0)
      conserves(t, result)
    }
  })
})

t.test('a pace that is not even: nothing but its two answers is known of it', async t => {
  // 100 requests/s at the start and 1,100 at the end of a second: 600.
  const paceOf = (pacing, end) => new RisingPace(100, 1000, end)
  const pace = paceOf(null, 1000)
  const due = Array.from({ length: 600 }, (_, n) => pace.dueAt(n))
  for (const rate of [{ rate: 1 }, { overallRate: 1 }, { connectionRate: 1 }]) {
    const [name] = Object.keys(rate)
    t.test(`is kept to a turn of the event loop: ${name}`, async t => {
      const log = generatorOf({ ...rate, pace: 'even', connections: 10, duration: 1 }, nobody, {}, { paceOf })
      begin(log, after(5))
      log.time.pass(1000)
      const times = sends(log.sockets)
      t.equal(times.length, 600)
      t.ok(times.every((at, n) => at >= due[n] && at < due[n] + 2.5 * TURN), 'each when it is due')
      if (name !== 'rate') t.strictSame(log.sockets.map(({ times }) => times.length), Array(10).fill(60))
      const result = log.result()
      t.match(result.rate, { sent: 600, late: 0, unsent: 0 })
      conserves(t, result)
    })

    t.test(`is made up for after a stall of the server, from intended times: ${name}`, async t => {
      const told = []
      const log = generatorOf({ ...rate, pace: 'even', duration: 1 }, tellTo(told), {}, { paceOf })
      begin(log)
      const [socket] = log.sockets
      log.time.pass(200)
      for (let i = 0; i < 39; i++) socket.read(ANSWER)
      t.equal(socket.requests, 40)
      // Due at 0 ms, 9.54 ms …: each is answered at 200 ms, and counts from then.
      t.strictSame(told.map(ms => Math.round(ms * 1000)), due.slice(0, 39).map((at, n) => Math.round((200 - Math.max(at, n === 0 ? socket.times[0] : 0)) * 1000)))
      log.time.pass(800)
      const result = log.result()
      t.match(result.rate, { sent: 40, late: 39, unsent: 560 })
      t.equal(result.unfinished, 561)
      const mean = told.reduce((sum, ms) => sum + ms, 0) / told.length
      t.equal(result.latency.totalCount, 39 + due.slice(39).filter(at => 1000 - at >= mean).length, 'what has waited to the end is in the latency, as long as a mean answer at least')
      conserves(t, result)
    })

    t.test(`is left in time by a run that is stopped: ${name}`, async t => {
      const log = generatorOf({ ...rate, duration: 1 }, nobody, {}, { paceOf })
      begin(log)
      log.time.pass(500)
      log.generator.stop()
      t.match(log.result().rate, { sent: 1, unsent: pace.dueBy(500) - 1 })
      conserves(t, log.result())
    })
  }
})

t.test('the generators of several threads send evenly together, whenever each of them begins', async t => {
  for (const [opts, threads, perSecond] of [
    [{ rate: 3000 }, 2, 3000],
    [{ rate: 3000 }, 3, 3000],
    [{ overallRate: 1000 }, 3, 3000],
    [{ connectionRate: 100 }, 3, 3000]
  ]) {
    const logs = threadsOf({ ...opts, pace: 'even', connections: 30, duration: 0.5 }, threads)
    const [{ time }] = logs
    for (const log of logs) {
      begin(log, after(5))
      time.pass(0.77)
    }
    time.pass(520)
    const times = sends(logs.flatMap(({ sockets }) => sockets))
    const together = times.filter(ms => ms > 20 && ms < 480)
    const gaps = together.slice(1).map((ms, i) => ms - together[i])
    t.ok(gaps.every(gap => Math.abs(gap - 1000 / perSecond) < 3 * TURN), `${JSON.stringify(opts)} of ${threads}: ${Math.min(...gaps)} to ${Math.max(...gaps)} ms`)
    t.equal(times.length, perSecond / 2)
    for (const log of logs) conserves(t, log.result())
  }
})

t.test('a server that stalls', async t => {
  for (const rate of [{ rate: 100 }, { overallRate: 100 }]) {
    const name = Object.keys(rate)[0]

    /** The first answer takes 50 ms, the next four 2 ms, then 1 ms and 2 ms; a request is due every 10 ms. */
    const stalled = (t, opts) => {
      const told = []
      const log = generatorOf({ ...rate, ...opts, duration: 100 }, tellTo(told))
      begin(log)
      const [socket] = log.sockets
      for (const ms of [50, 52, 54, 56, 58, 59, 62]) {
        log.time.pass(ms - log.time.ms)
        socket.read(ANSWER)
      }
      t.strictSame(socket.times, [0, 50, 52, 54, 56, 58, 60], 'due requests wait, and go out as room becomes free')
      log.generator.stop()
      return { told, result: log.result(), ...log.totals.distributions }
    }

    t.test(`makes requests late, which keep their intended times: ${name}`, async t => {
      const { told, result, latency, serviceTime, lag } = stalled(t)
      // Due at 0, 10, 20, 30, 40, 50 and 60 ms.
      t.strictSame(told, [50, 42, 34, 26, 18, 9, 2])
      t.strictSame(exactly(latency), [7, 181_000, 2000, 50_000])
      t.strictSame(exactly(serviceTime), [7, 61_000, 1000, 50_000], 'from the write')
      t.strictSame(exactly(lag), [2, 2, 1, 1], 'only those that had room could be late by the fault of the generator')
      t.match(result.rate, { sent: 7, late: 5, unsent: 0 })
      conserves(t, result)
    })

    t.test(`is not to be seen with ignoreCoordinatedOmission: ${name}`, async t => {
      const { told, result, latency, serviceTime } = stalled(t, { ignoreCoordinatedOmission: true })
      t.strictSame(told, [50, 2, 2, 2, 2, 1, 2], 'from the write')
      t.strictSame(latency.summary(), serviceTime.summary())
      t.equal(result.rate.late, 5, 'that requests were late is said all the same')
      conserves(t, result)
    })

    t.test(`to the end can not hide it: what waits or is in flight has suffered so far: ${name}`, async t => {
      const log = generatorOf({ ...rate, duration: 1 })
      begin(log)
      log.time.pass(1000)
      const result = log.result()
      t.strictSame(result.rate, { target: 100, achieved: 1, ratio: 0.01, sent: 1, late: 0, unsent: 99, pace: 'batched' })
      t.match(result, { unfinished: 100, fates: { sent: 1, abandoned: 1 }, serviceTime: { totalCount: 0 }, ttfb: { totalCount: 0 } })
      // 1000, 990 … 10 ms.
      t.match(result.latency, { totalCount: 100, min: 10, max: 1000, mean: 505 })
      conserves(t, result)
    })

    t.test(`to the end is counted, and not in the latency, with ignoreCoordinatedOmission: ${name}`, async t => {
      const log = generatorOf({ ...rate, duration: 1, ignoreCoordinatedOmission: true })
      begin(log)
      log.time.pass(1000)
      const result = log.result()
      t.match(result, { unfinished: 100, latency: { totalCount: 0 }, rate: { sent: 1, unsent: 99 } })
      conserves(t, result)
    })
  }

  t.test('keeps one connection busy, and the open model uses the others', async t => {
    const log = generatorOf({ rate: 100, connections: 3, duration: 1 })
    log.generator.start()
    log.sockets[0].ready()
    log.sockets[1].ready(after(5))
    log.sockets[2].ready(after(5))
    log.time.pass(1000)
    const result = log.result()
    t.strictSame(result.rate, { target: 100, achieved: 100, ratio: 1, sent: 100, late: 0, unsent: 0, pace: 'batched' })
    t.strictSame(log.sockets.map(({ requests }) => requests).sort(), [1, 49, 50])
    t.equal(log.sockets[0].requests, 1)
    t.equal(result.unfinished, 1)
    conserves(t, result)
    const [at] = log.sockets[0].times
    t.match(result.latency, { max: 1000 - at, totalCount: 100 }, 'the one without an answer is in the latency')
    t.ok(close(result.latency.p97_5, 5), 'and all others took 5 ms')
    t.match(result.serviceTime, { max: 5, totalCount: 99 })
  })

  t.test('holds up the share of its connection when they take turns', async t => {
    const log = generatorOf({ overallRate: 100, connections: 2, duration: 1 })
    log.generator.start()
    log.sockets[0].ready()
    log.sockets[1].ready(after(5))
    log.time.pass(1000)
    t.strictSame(log.sockets.map(({ requests }) => requests), [1, 50])
    const result = log.result()
    t.strictSame(result.rate, { target: 100, achieved: 51, ratio: 0.51, sent: 51, late: 0, unsent: 49, pace: 'batched' })
    t.equal(result.unfinished, 50)
    // 50 answers of 5 ms, one request that was sent at 1 ms, and those that were due at 20, 40 … 980 ms: the first was late by 1 ms, and so they are.
    t.strictSame(exactly(log.totals.distributions.latency), [100, 1000 * (50 * 5 + 999 + 49 * 499), 5000, 999_000])
    conserves(t, result)
  })

  t.test('for half of the run leaves the median and shows in the mean', async t => {
    const log = generatorOf({ rate: 100, duration: 1 })
    let completed = 0
    begin(log, socket => { if (completed++ < 50) after(4)(socket) })
    log.time.pass(1000)
    const result = log.result()
    t.strictSame(result.rate, { target: 100, achieved: 51, ratio: 0.51, sent: 51, late: 0, unsent: 49, pace: 'batched' })
    // 50 of 4 ms, and 500, 490 … 10 ms.
    t.match(result.latency, { totalCount: 100, min: 4, max: 500, mean: 129.5 })
    t.ok(close(result.latency.p50, 4))
    t.match(result.serviceTime, { totalCount: 50, min: 4, max: 4 })
    conserves(t, result)
  })

  t.test('is not told of by what is younger than the mean answer when the run ends', async t => {
    const log = generatorOf({ rate: 100, connections: 10, duration: 1 })
    begin(log, after(40))
    log.time.pass(1000)
    const result = log.result()
    // Sent at 960, 970, 980 and 990 ms; only the first is as old as the mean.
    t.match(result, { unfinished: 4, latency: { totalCount: 97, min: 40, max: 40, mean: 40 }, serviceTime: { totalCount: 96 } })
    conserves(t, result)
  })

  t.test('until the timeout is in both tails: the service time at its age, the latency with the wait before', async t => {
    const log = generatorOf({ overallRate: 100, duration: 2, timeout: 1 })
    begin(log)
    const [socket] = log.sockets
    log.time.pass(25)
    socket.read(ANSWER)
    t.strictSame(socket.times, [0, 25], 'the second was due at 10 ms')
    // The sweep that finds it is at 1,100 ms.
    log.time.pass(1075)
    t.ok(socket.destroyed)
    log.generator.stop()
    t.equal(log.totals.timedOut, 1)
    const { latency, serviceTime } = log.totals.distributions
    t.strictSame(exactly(serviceTime), [2, 1_100_000, 25_000, 1_075_000])
    t.ok(latency.max === 1_090_000 && latency.count > 2, 'and those that waited behind it')
    conserves(t, log.result())
  })
})

t.test('a socket that takes no more', async t => {
  for (const rate of [{ rate: 100 }, { overallRate: 100 }, { connectionRate: 100 }]) {
    const name = Object.keys(rate)[0]

    /** Takes three writes, of a pipeline that has room for ten, and more at 95 ms. */
    const deaf = (t, opts) => {
      const told = []
      const log = generatorOf({ ...rate, pipelining: 10, ...opts, duration: 100 }, tellTo(told))
      log.generator.start()
      const [socket] = log.sockets
      socket.room = 3
      socket.ready()
      log.time.pass(21)
      socket.read(responses(2))
      log.time.pass(74)
      t.equal(socket.requests, 3)
      socket.drain()
      log.time.pass(2)
      socket.read(responses(8))
      log.generator.stop()
      return { told, result: log.result(), ...log.totals.distributions }
    }

    t.test(`makes requests late although the pipeline has room, and they keep their intended times: ${name}`, async t => {
      const { told, result, latency, serviceTime, lag } = deaf(t)
      // Due at 0, 10 … 90 ms; answers come at 21 and 97 ms.
      const [first] = told
      t.strictSame(told, [first, 11, 77, 67, 57, 47, 37, 27, 17, 7])
      t.strictSame(exactly(latency), [10, 1000 * (first + 11 + 77 + 67 + 57 + 47 + 37 + 27 + 17 + 7), 7000, 77_000])
      t.strictSame(exactly(serviceTime), [10, 1000 * (first + 11 + 77 + 7 * 2), 2000, 77_000], 'from the write')
      t.ok(lag.count === 3 && lag.max <= 1000, 'the generator was ready for all of them')
      t.match(result.rate, { sent: 10, late: 7, unsent: 0 })
      conserves(t, result)
    })

    t.test(`is not to be seen with ignoreCoordinatedOmission, but in \`late\`: ${name}`, async t => {
      const { told, result } = deaf(t, { ignoreCoordinatedOmission: true })
      t.strictSame(told.slice(3), Array(7).fill(2))
      t.equal(result.rate.late, 7)
      conserves(t, result)
    })

    t.test(`to the end can not hide it: what waits has suffered so far: ${name}`, async t => {
      const log = generatorOf({ ...rate, pipelining: 10, duration: 1 })
      log.generator.start()
      log.sockets[0].room = 1
      log.sockets[0].ready()
      log.time.pass(1000)
      const result = log.result()
      t.match(result.rate, { sent: 1, late: 0, unsent: 99 })
      // 1000 or 999, 990 … 10 ms.
      t.match(result.latency, { totalCount: 100, min: 10, max: 1000 - log.sockets[0].times[0] })
      t.ok(close(result.latency.p50, 500))
      conserves(t, result)
    })

    t.test(`until the timeout makes late what is due until the next connection is there: ${name}`, async t => {
      const log = generatorOf({ ...rate, pipelining: 10, duration: 100, timeout: 1 })
      log.generator.start()
      log.sockets[0].room = 1
      log.sockets[0].ready()
      log.time.pass(1200)
      t.ok(log.sockets[0].destroyed)
      log.sockets[1].ready(after(1))
      log.time.pass(1)
      log.generator.stop()
      const result = log.result()
      t.match(result.rate, { sent: 1 + 10 + 10, late: 10 + 10 })
      t.equal(result.fates.timedOut, 1)
      t.ok(result.generator.lag.max <= 1)
      conserves(t, result)
    })
  }

  t.test('leaves what is due to those that do, in the open model', async t => {
    const log = generatorOf({ rate: 100, connections: 3, pipelining: 10, duration: 1 })
    log.generator.start()
    log.sockets[0].room = 1
    for (const socket of log.sockets) socket.ready(after(5))
    log.time.pass(1000)
    const result = log.result()
    t.equal(log.sockets[0].requests, 1)
    t.match(result.rate, { sent: 100, late: 0, unsent: 0 })
    t.match(result.latency, { min: 5, max: 5 })
    conserves(t, result)
  })

  t.test('holds up the share of its connection when they take turns', async t => {
    const log = generatorOf({ overallRate: 100, connections: 2, pipelining: 10, duration: 1 })
    log.generator.start()
    log.sockets[0].room = 1
    for (const socket of log.sockets) socket.ready(after(5))
    log.time.pass(1000)
    const result = log.result()
    t.strictSame(log.sockets.map(({ requests }) => requests), [1, 50])
    t.match(result.rate, { sent: 51, late: 0, unsent: 49 })
    // As of a server that holds up one request: 51 answers, and those that were due at 20, 40 … 980 ms and wait behind one that was late by 1 ms.
    t.strictSame(exactly(log.totals.distributions.latency), [100, 1000 * (51 * 5 + 49 * 499), 5000, 979_000])
    conserves(t, result)
  })

  t.test('because it has written its fill of the reconnectRate holds nothing up', async t => {
    const log = generatorOf({ rate: 100, pipelining: 10, reconnectRate: 2, duration: 100 })
    log.generator.start()
    log.sockets[0].room = 2
    log.sockets[0].ready()
    log.time.pass(45)
    log.sockets[0].read(responses(2))
    log.time.pass(10)
    log.sockets[1].ready()
    t.strictSame(log.sockets.map(({ times }) => times.length), [2, 2])
    log.generator.stop()
    const result = log.result()
    t.match(result.rate, { sent: 4, late: 2, unsent: 2 })
    t.equal(result.generator.lag.max, 0.001)
    conserves(t, result)
  })

  t.test('says so of each large write, also when the kernel has taken all of it: that delays no request', async t => {
    const told = []
    const log = generatorOf({ rate: 2000, pipelining: 10, duration: 0.2 }, tellTo(told))
    log.generator.start()
    const [socket] = log.sockets
    const write = socket.write.bind(socket)
    socket.write = bytes => {
      write(bytes)
      // As Node.js does, which says `drain` in the next tick.
      log.time.loop.setTimeout(() => socket.emit('drain'), 1)
      return false
    }
    socket.ready(after(2))
    log.time.pass(200)
    const result = log.result()
    t.match(result.rate, { late: 0, sent: 399 })
    t.match(result.latency, { max: 2 })
    conserves(t, result)
  })
})

t.test('a connection that has sent its share of the amount has no room, whatever is in its pipeline', async t => {
  const log = generatorOf({ rate: 100, connections: 2, pipelining: 3, amount: 8 })
  begin(log)
  log.time.pass(80)
  // Three each, and the fourth of the first, which has room for it since its answer at 80 ms.
  t.strictSame(log.sockets.map(({ requests }) => requests), [3, 3])
  log.sockets[0].read(responses(2))
  log.time.pass(20)
  t.strictSame(log.sockets.map(({ requests }) => requests), [4, 3])
  log.sockets[1].read(ANSWER)
  log.sockets[0].read(responses(2))
  log.sockets[1].read(responses(3))
  const result = log.result()
  t.match(result.rate, { sent: 8, late: 2, unsent: 0 })
  t.ok(result.generator.lag.max <= 1, 'the eighth waited for the server')
  // Due at 70 ms, sent and answered at 100 ms.
  t.equal(log.totals.distributions.lag.count, 6)
  conserves(t, result)
})

t.test('a generator that is late', async t => {
  for (const rate of [{ rate: 100 }, { overallRate: 100 }]) {
    t.test(`although there was room counts from the write, and records its lag: ${Object.keys(rate)}`, async t => {
      const told = []
      const log = generatorOf({ ...rate, connections: 4, duration: 100 }, tellTo(told))
      begin(log, after(2))
      log.time.pass(5)
      const [first] = sends(log.sockets)
      log.time.block(33)
      t.strictSame(sends(log.sockets), [first, 38, 38, 38], 'due at 0, 10, 20 and 30 ms')
      log.time.pass(5)
      t.strictSame(sends(log.sockets), [first, 38, 38, 38, 40])
      t.strictSame(told, [2, 2, 2, 2, 2])
      log.generator.stop()
      const { lag, latency, serviceTime } = log.totals.distributions
      // What is sent in time has a lag of 1 µs, the least that a histogram holds.
      t.strictSame(exactly(lag), [5, Math.max(1, first * 1000) + 28_000 + 18_000 + 8000 + 1, 1, 28_000])
      t.strictSame(latency.summary(), serviceTime.summary())
      const result = log.result()
      t.match(result.rate, { sent: 5, late: 0, unsent: 0 })
      t.equal(result.generator.lag.max, 28)
      t.ok(close(result.generator.lag.p50, 8) && close(result.generator.lag.p99, 28))
      conserves(t, result)
    })
  }

  t.test('is not the fault of the server: what it has to catch up with counts from the write', async t => {
    const told = []
    const log = generatorOf({ rate: 100, connections: 1, duration: 100 }, tellTo(told))
    begin(log, after(2))
    log.time.pass(5)
    log.time.block(33)
    log.time.pass(10)
    // Due at 0, 10, 20, 30 and 40 ms; those due at 10 to 30 were first looked at after 38 ms, and had not met each other otherwise.
    t.strictSame(told.slice(0, 5), [2, 2, 2, 2, 2])
    log.generator.stop()
    t.equal(log.result().rate.late, 0)
    t.strictSame(exactly(log.totals.distributions.lag), [5, 28_000 + 20_000 + 12_000 + 4000 + 1, 1, 28_000])
    conserves(t, log.result())
  })

  t.test('to the end leaves requests unsent, which are not in the latency: no server has held them up', async t => {
    const log = generatorOf({ rate: 100, connections: 4, duration: 0.1 })
    begin(log, after(2))
    log.time.pass(55)
    // The timer that ends the run was set before the one that sends.
    log.time.block(60)
    t.ok(log.generator.ended)
    const result = log.result()
    t.match(result.rate, { sent: 6, late: 0, unsent: 4 })
    t.match(result, { unfinished: 4, latency: { totalCount: 6, max: 2 } })
    conserves(t, result)
  })
})

t.test('a burst of what fell due between two timers', async t => {
  for (const name of ['rate', 'overallRate']) {
    t.test(`is not late, however little room it meets, when the server can do the rate: ${name}`, async t => {
      for (const [rate, ms] of [[15_000, 1 / 40], [15_000, 1 / 16], [4000, 1 / 5]]) {
        for (const opts of [{ connections: 10 }, { connections: 1, pipelining: 3 }, { connections: 16 }, { connections: 17 }]) {
          const log = generatorOf({ [name]: rate, ...opts, duration: 0.2 })
          begin(log, inOrder(log.time, () => ms))
          log.time.pass(200)
          const result = log.result()
          t.strictSame([result.rate.late, result.rate.ratio > 0.99], [0, true], `${rate}/s of ${1000 / ms}, ${JSON.stringify(opts)}`)
          t.ok(result.generator.lag.max <= 1.5, 'each was sent before the next timer but one')
          // What one waits for in the server is what was written before it.
          t.ok(result.latency.max <= ms * log.sockets.length * (opts.pipelining ?? 1) + 0.01, `${result.latency.max} ms`)
          conserves(t, result)
        }
      }
    })

    t.test(`is late when the server can not do the rate, but for what the generator was late itself: ${name}`, async t => {
      const told = []
      const log = generatorOf({ [name]: 10_000, connections: 10, duration: 1 }, tellTo(told))
      begin(log, inOrder(log.time, () => 1 / 8))
      log.time.pass(1000)
      const { rate } = log.result()
      t.ok(rate.late > 0.95 * rate.sent, `${rate.late} of ${rate.sent}`)
      // The n-th is due after n / 10 ms and answered after n / 8.
      told.forEach((ms, n) => {
        const theory = (n + 1) / 8 - n / 10
        if (n > 500 && !(ms <= theory + 1.2 && ms >= theory - 1)) t.fail(`request ${n}: ${ms} ms, not ${theory}`)
      })
    })
  }

  t.test('does not hide a stall of the server: all but the lateness of the burst before it is seen', async t => {
    const log = generatorOf({ rate: 10_000, connections: 10, duration: 1 })
    let n = 0
    begin(log, inOrder(log.time, () => n++ === 4000 ? 200 : 0.01))
    log.time.pass(1000)
    const result = log.result()
    // 2,000 were due in it, and 222 more while they were caught up with at 100,000/s.
    t.ok(result.rate.late > 2190 && result.rate.late <= 2222, `${result.rate.late} late`)
    t.ok(result.latency.max <= 201 && result.latency.max >= 199)
    t.ok(Math.abs(result.latency.p90 - 110) < 2, `p90 ${result.latency.p90} ms`)
    conserves(t, result)
  })
})

t.test('a connection that ends', async t => {
  t.test('makes what is due until the next one is there late', async t => {
    const told = []
    const log = generatorOf({ rate: 100, duration: 100 }, tellTo(told))
    begin(log, after(4))
    log.time.pass(25)
    log.sockets[0].emit('end')
    log.time.pass(22)
    log.sockets[1].ready(after(4))
    log.time.pass(5)
    t.strictSame(log.sockets.map(({ times }) => times), [[0, 10, 20], [47, 51]])
    t.strictSame(told, [4, 4, 4, 21], 'the fourth was due at 30 ms')
    log.generator.stop()
    const result = log.result()
    t.match(result.rate, { sent: 5, late: 2, unsent: 1 })
    conserves(t, result)
  })

  t.test('by the reconnectRate makes late only what is due meanwhile', async t => {
    const log = generatorOf({ overallRate: 100, duration: 100, reconnectRate: 2 })
    begin(log, after(4))
    log.time.pass(15)
    log.sockets[1].ready(after(4))
    log.time.pass(30)
    t.strictSame(log.sockets.map(({ times }) => times), [[0, 10], [20, 30], []])
    log.sockets[2].ready(after(4))
    t.strictSame(log.sockets[2].times, [45], 'due at 40 ms')
    log.generator.stop()
    const result = log.result()
    t.match(result.rate, { sent: 5, late: 1, unsent: 0 })
    conserves(t, result)
  })

  t.test('before it began, as all do when there is no server, leaves everything unsent, in the latency as well', async t => {
    const log = generatorOf({ rate: 100, duration: 0.1 })
    log.generator.start()
    for (let i = 0; !log.generator.ended; i++) {
      log.sockets[i].emit('error', refused())
      while (log.sockets.length === i + 1 && !log.generator.ended) log.time.pass(1)
    }
    t.strictSame(log.attempts, [0, 10, 30, 70])
    const result = log.result()
    t.strictSame(result.rate, { target: 100, achieved: 0, ratio: 0, sent: 0, late: 0, unsent: 10, pace: 'batched' })
    t.match(result.latency, { totalCount: 10, min: 10, max: 100, mean: 55 })
    conserves(t, result, { neverSent: 4 })
  })
})

t.test('the room that a pacer knows of is that of the open connections, whatever happens to them', async t => {
  const events = fc.constantFrom('answer', 'answer', 'answer', 'part', 'end', 'ready', 'ready', 'pass', 'garbage', 'refuse', 'fill', 'drain', 'drain')
  const steps = fc.sample(fc.tuple(fc.nat(), events), { seed: 11, numRuns: 3000 })
  for (const opts of [{ rate: 500 }, { overallRate: 500 }, { rate: 500, reconnectRate: 3 }, { overallRate: 500, reconnectRate: 3 }]) {
    const log = generatorOf({ ...opts, connections: 4, pipelining: 3, duration: 1000, timeout: 1, sampleInt: 1_000_000 })
    const { generator, time } = log
    begin(log)
    const open = new Set(log.sockets)
    const react = (socket, event) => {
      if (!open.has(socket)) {
        if (event === 'refuse') socket.emit('error', refused())
        else if (event === 'ready') {
          open.add(socket)
          socket.ready()
        }
      } else if (event === 'answer') socket.read(ANSWER)
      else if (event === 'fill') socket.room = 1
      else if (event === 'drain') socket.drain()
      else if (event === 'part') socket.read(ANSWER.subarray(0, 20))
      else if (event === 'garbage') socket.read(Buffer.from('what?\r\n\r\n'))
      else if (event === 'end') socket.emit('end')
    }
    const room = queue => generator.connections.list
      .filter(connection => connection.queue === queue && open.has(connection.peer.socket) && connection.peer.socket.writableLength === 0)
      .reduce((sum, { exchanges, leftOnSocket }) => sum + Math.min(exchanges.capacity - exchanges.count, leftOnSocket), 0)
    for (const [choice, event] of steps) {
      const live = log.sockets.filter(({ destroyed }) => !destroyed)
      if (live.length === 0 || event === 'pass') time.pass(choice % 400)
      else react(live[choice % live.length], event)
      for (const { queue } of generator.pacer.groups()) {
        if (queue.free !== room(queue)) return t.fail(`${queue.free} free instead of ${room(queue)} after ${event}`)
      }
    }
    generator.stop()
    const result = log.result()
    const { completed, failed, timedOut } = result.fates
    t.ok(Math.min(completed, failed, timedOut, result.rate.late) > 0, `all of it happened: ${[completed, failed, timedOut, result.rate.late]}`)
    conserves(t, result, { neverSent: log.total.neverSent })
  }
})
