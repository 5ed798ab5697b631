'use strict'

// The pending pauses of a user: each settles once, at its time, with its iteration or with the run.

const t = require('tap')
const { Pauses } = require('../../lib/functions/pauses')

/** A user on a clock that the test moves, and an iteration that counts what goes on. */
function pausesOf ({ pausesToWatch = 0 } = {}) {
  const sleepers = []
  let at = 0
  const user = { closed: false, runtime: { pausesToWatch, now: () => at, sleep: (until, sleeper) => sleepers.push({ until, sleeper }) } }
  const iteration = { over: false, isCut: false, pauses: 0, change (at, requests, pauses) { this.pauses += pauses } }
  const pauses = new Pauses(user)
  const passTo = ms => {
    at = ms
    for (const one of sleepers.filter(({ until }) => until <= ms)) {
      sleepers.splice(sleepers.indexOf(one), 1)
      one.sleeper.wake()
    }
  }
  return { iteration, passTo, pauses, sleepers, user }
}

t.test('each pause ends at its time, in any order', async t => {
  const { iteration, passTo, pauses } = pausesOf()
  const ended = []
  for (const ms of [30, 10, 20]) pauses.begin(iteration, ms).then(() => ended.push(ms))
  t.equal(iteration.pauses, 3)
  for (const [ms, expected] of [[9, []], [10, [10]], [25, [10, 20]], [30, [10, 20, 30]]]) {
    passTo(ms)
    await null
    t.strictSame(ended, expected)
    t.equal(iteration.pauses, 3 - expected.length)
  }
  t.equal(pauses.last, null)
})

t.test('with its iteration a pause is dropped, and its timer keeps nothing of it', async t => {
  const { iteration, passTo, pauses, sleepers } = pausesOf()
  const all = [pauses.begin(iteration, 10), pauses.begin(iteration, 20)]
  pauses.drop()
  t.strictSame([iteration.pauses, pauses.last], [0, null])
  for (const { sleeper } of sleepers) t.match(sleeper, { isOver: true, pauses: null, iteration: null, promise: null })
  for (const promise of all) await t.rejects(promise, { code: 'AC_ITERATION_OVER' })
  passTo(20)
  t.equal(iteration.pauses, 0, 'it is not counted twice')
})

t.test('with the run a pause rejects, and none begins any more', async t => {
  const { iteration, passTo, pauses, user } = pausesOf()
  const promise = pauses.begin(iteration, 10)
  user.closed = true
  pauses.fail()
  passTo(10)
  await t.rejects(promise, { code: 'AC_RUN_ENDED' })
  t.equal(pauses.begin(iteration, 1), pauses.beginCalled(iteration, 1, 0.001, () => {}), 'they never settle')
  t.equal(pauses.last, null)
})

t.test('a pause without an await is a mistake, as far as pauses are watched', async t => {
  const { iteration, pauses } = pausesOf({ pausesToWatch: 2 })
  t.equal(pauses.takeMistake(), null)
  pauses.beginCalled(iteration, 1, '1ms', () => {}).then(() => {})
  t.equal(pauses.takeMistake(), null)
  pauses.beginCalled(iteration, 1, '2ms', () => {})
  pauses.beginCalled(iteration, 1, '3ms', () => {})
  t.match(pauses.takeMistake(), { name: 'TypeError', message: "pause('2ms') has no effect, because nothing waits for it: write await pause('2ms')" })
  t.equal(pauses.takeMistake(), null, 'it is reported once, and the third pause is not watched')
})

t.test('no pause begins after the function has returned, unless its iteration was aborted', async t => {
  const { iteration, pauses } = pausesOf()
  iteration.over = true
  t.throws(() => pauses.beginCalled(iteration, 1, '1s', () => {}), /^pause\('1s'\) begins after the function has returned/)
  iteration.isCut = true
  pauses.beginCalled(iteration, 1, '1s', () => {})
  t.equal(iteration.pauses, 1)
})
