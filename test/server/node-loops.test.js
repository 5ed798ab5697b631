'use strict'

// What Node.js programs say of their event loops: the file is a ring, which a test writes, and real programs do.

const t = require('tap')
const { spawn } = require('node:child_process')
const { closeSync, openSync, readdirSync, symlinkSync, writeFileSync, writeSync } = require('node:fs')
const { join } = require('node:path')
const { NodeLoops, UNKNOWN } = require('../../lib/server/node-loops')
const { NUMBERS, SLOTS } = require('../../lib/server/preload/report-loop')

/** A program that reports. */
class Program {
  constructor (folder, name = '7.loop') {
    this.fd = openSync(join(folder, name), 'w')
    this.report = new Float64Array(NUMBERS)
  }

  say (idle, active, { collected = 0, delay = 0, delayMax = delay, heap = 100 } = {}) {
    const { report, fd } = this
    report.set([report[0] + 1, report[1] + idle, report[2] + active, report[3] + collected, delay, delayMax, heap, 0])
    writeSync(fd, Buffer.from(report.buffer), 0, NUMBERS * 8, report[0] % SLOTS * NUMBERS * 8)
  }
}

t.test('the figures are of the time since they were asked for', async t => {
  const folder = t.testdir()
  const loops = new NodeLoops(folder)
  t.equal(loops.read(), UNKNOWN)
  const program = new Program(folder)
  t.equal(loops.read(), UNKNOWN, 'it has said nothing yet')
  program.say(60, 40, { collected: 2, delay: 1, delayMax: 4, heap: 1000 })
  t.strictSame(loops.read(), { eventLoopUtilization: 0.4, eventLoopDelay: 1, eventLoopDelayMax: 4, heapUsed: 1000, gc: 0.02 })
  t.equal(loops.read(), UNKNOWN, 'nothing since')
  program.say(90, 10, { delay: 3, delayMax: 9, heap: 3000 })
  program.say(0, 100, { collected: 20, delay: 5, delayMax: 6, heap: 2000 })
  t.strictSame(loops.read(), { eventLoopUtilization: 0.55, eventLoopDelay: 4, eventLoopDelayMax: 9, heapUsed: 2000, gc: 0.1 })
  program.say(100, 0, { delay: NaN })
  t.match(loops.read(), { eventLoopUtilization: 0, eventLoopDelay: null, eventLoopDelayMax: null, heapUsed: 100 }, 'no timer was due')
  loops.close()
})

t.test('a ring that goes round, at every place, and one that was read too late', async t => {
  const folder = t.testdir()
  const loops = new NodeLoops(folder)
  const program = new Program(folder)
  let said = 0
  for (const more of [1, 15, 16, 17, 100, SLOTS - 1, SLOTS, 3, SLOTS + 1, 5 * SLOTS + 7, 2]) {
    for (let i = 0; i < more; i++) program.say(10, said++ % 2 === 0 ? 30 : 10, { delayMax: said })
    const { eventLoopDelayMax, eventLoopUtilization } = loops.read()
    t.equal(eventLoopDelayMax, said, `${more} more`)
    t.ok(eventLoopUtilization >= 0.5 && eventLoopUtilization <= 0.75)
    t.equal(loops.read(), UNKNOWN)
  }
  loops.close()
})

t.test('of several programs that which has most of each', async t => {
  const folder = t.testdir()
  const [busy, large] = [new Program(folder, '1.loop'), new Program(folder, '2.loop')]
  const loops = new NodeLoops(folder)
  busy.say(10, 90, { delay: 5, heap: 10 })
  large.say(95, 5, { delay: 1, heap: 5000 })
  t.match(loops.read(), { eventLoopUtilization: 0.9, eventLoopDelay: 5, heapUsed: 5000 })
  loops.close()
})

t.test('a loop that is blocked says nothing, and is busy all the time, until it says how long that was', async t => {
  const folder = t.testdir()
  /** @type {number | null} */
  let main = 0
  const loops = new NodeLoops(folder, pid => pid === 7 ? main : null)
  const program = new Program(folder)
  const busy = (/** @type {number} */ ms, share = 1) => {
    main += ms * share
    return loops.read(ms)
  }
  t.equal(busy(1000), UNKNOWN, 'it has never said anything')
  program.say(90, 10, { heap: 500 })
  t.match(busy(1000, 0.1), { eventLoopUtilization: 0.1 })
  t.equal(busy(200), UNKNOWN, 'not for long')
  t.strictSame(busy(200), { eventLoopUtilization: 1, eventLoopDelay: 400, eventLoopDelayMax: 400, heapUsed: null, gc: null })
  t.strictSame(busy(1000, 0.95), { eventLoopUtilization: 1, eventLoopDelay: 1400, eventLoopDelayMax: 1400, heapUsed: null, gc: null })
  // 1,200 ms of 1,300 are told.
  program.say(100, 1300, { delay: 1380, collected: 700 })
  t.match(busy(200), { eventLoopUtilization: 0.5, eventLoopDelay: 1380, gc: 0.5 })
  program.say(90, 10)
  t.match(busy(1000, 0.1), { eventLoopUtilization: 0.1 }, 'it is over')
  t.equal(busy(5000, 0.8), UNKNOWN, 'who was stopped, or can\'t say anything, is not blocked')
  main = null
  t.equal(loops.read(5000), UNKNOWN, 'nor is who has ended')
  loops.close()
})

t.test('processes that come and go make room for those that come later, and one that speaks keeps its place', async t => {
  const folder = t.testdir()
  const loops = new NodeLoops(folder)
  const standing = new Program(folder, '0.loop')
  for (let i = 1; i <= 250; i++) {
    const program = new Program(folder, `${i}.loop`)
    standing.say(50, 50)
    program.say(10, 90)
    t.equal(loops.read().eventLoopUtilization, 0.9, `process ${i}`)
    closeSync(program.fd)
  }
  t.ok(loops.rings.has('0.loop'))
  t.equal(loops.rings.size, 100)
  standing.say(0, 100)
  t.match(loops.read(), { eventLoopUtilization: 1 })
  loops.close()
})

t.test('other files of a server there do no harm', async t => {
  const folder = t.testdir({ 'text.loop': 'x'.repeat(10_000), 'empty.loop': '', 'folder.loop': {}, journal: 'y' })
  symlinkSync('/dev/zero', join(folder, 'link.loop'))
  const numbers = (...values) => Buffer.from(new Float64Array([...values, ...new Array(NUMBERS - values.length).fill(0)]).buffer)
  const wild = [NaN, Infinity, -1, 1e300, 0.5, 2 ** 53]
  for (const [i, number] of wild.entries()) writeFileSync(join(folder, `wild${i}.loop`), Buffer.concat(new Array(20).fill(numbers(number, number, number, number, number, number, number))))
  writeFileSync(join(folder, 'nan.loop'), Buffer.concat([numbers(0), numbers(1, 50, 50, NaN, Infinity, NaN, -5)]))
  writeFileSync(join(folder, 'endless.loop'), Buffer.alloc(SLOTS * NUMBERS * 8, Buffer.concat([numbers(1), numbers(2 ** 53 + 2 ** 20 + 1)])))
  const loops = new NodeLoops(folder)
  for (const value of Object.values(loops.read())) t.ok(value === null || Number.isFinite(value), String(value))
  t.equal(loops.read(), UNKNOWN)
  loops.close()
})

t.test('a real program, and its end', async t => {
  const folder = t.testdir()
  const block = 'const hold = []; setInterval(() => { const end = Date.now() + 150; while (Date.now() < end) hold.push({}) ; hold.length = 0 }, 200)'
  const child = spawn(process.execPath, ['--require', require.resolve('../../lib/server/preload/report-listening.js'), '-e', block], { env: { ...process.env, AUTOCANNON_ON_PORT: join(folder, 'journal') }, stdio: ['ignore', 'inherit', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const loops = new NodeLoops(folder)
  let seen
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    await new Promise(resolve => setTimeout(resolve, 500))
    seen = loops.read()
    if (seen.eventLoopDelayMax > 100) break
  }
  t.ok(seen.eventLoopUtilization > 0.3 && seen.eventLoopUtilization <= 1, JSON.stringify(seen))
  t.ok(seen.eventLoopDelayMax > 100 && seen.eventLoopDelayMax < 10_000)
  t.ok(seen.heapUsed > 1e6)
  t.ok(seen.gc >= 0 && seen.gc <= 1)
  t.strictSame(readdirSync(folder), [`${child.pid}.loop`])
  child.kill('SIGKILL')
  await new Promise(resolve => child.once('exit', resolve))
  loops.read()
  t.equal(loops.read(), UNKNOWN)
  loops.close()
})
