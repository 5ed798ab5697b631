'use strict'

// How far the heap of V8 grows while a run opens its connections, and while users pause.

const { execFileSync } = require('node:child_process')
const { EventEmitter } = require('node:events')
const t = require('tap')
const { limitHeap } = require('../../lib/cli/process/heap-limit')

const LIMITED = ['--semi-space-growth-factor=1', '--heap-growing-percent=20']
const FREE = ['--semi-space-growth-factor=2', '--heap-growing-percent=0']

/** @type {(connections: number, given?: string[]) => any} */
function limited (connections, given = []) {
  const flags = []
  const threads = new EventEmitter()
  return { follower: limitHeap(connections, () => {}, flag => flags.push(flag), given, threads), flags, threads }
}

t.test('from 1,000 connections on it is limited, until no more of them are opened', async t => {
  const few = limited(999)
  t.equal(few.follower, null)
  t.strictSame(few.flags, [])
  const { follower, flags } = limited(1000)
  t.strictSame(flags, LIMITED)
  // None is open yet, and then they are opened for two seconds.
  for (const connections of [0, 0, 400, 1000]) follower.tick({ connections, counter: 0, length: 1000 })
  t.strictSame(flags, LIMITED)
  for (let i = 0; i < 2; i++) follower.tick({ connections: 1000, counter: 0, length: 1000 })
  t.strictSame(flags, [...LIMITED, ...FREE])
})

t.test('it stays limited while users send fewer than two requests per second each', async t => {
  const { follower, flags } = limited(1000)
  for (const counter of [0, 1000, 1000, 1999]) follower.tick({ connections: 1000, iterations: 1, counter, length: 1000 })
  t.strictSame(flags, LIMITED)
  follower.tick({ connections: 1000, iterations: 1, counter: 1000, length: 500 })
  t.strictSame(flags, [...LIMITED, ...FREE])
})

t.test('whatever ends the run lifts the limit', async t => {
  for (const end of ['done', 'failed']) {
    const { follower, flags } = limited(10_000)
    follower[end]()
    t.strictSame(flags, [...LIMITED, ...FREE])
  }
})

t.test('a flag that the user has set for Node.js keeps its value', async t => {
  for (const given of ['--heap-growing-percent=50', '--heap_growing_percent=50']) {
    const { follower, flags } = limited(1000, ['--expose-gc', given])
    follower.done()
    t.strictSame(flags, [LIMITED[0], FREE[0]])
  }
  const both = limited(1000, ['--semi-space-growth-factor=4', '--heap-growing-percent=50'])
  t.equal(both.follower, null)
  t.strictSame(both.flags, [])
})

t.test('a thread that begins while it is limited gets the limit as well, and a later one does not', async t => {
  const { follower, flags, threads } = limited(1000)
  const [first, second] = [new EventEmitter(), new EventEmitter()]
  for (const worker of [first, second]) threads.emit('worker', worker)
  first.emit('online')
  t.strictSame(flags, [...LIMITED, ...LIMITED])
  follower.done()
  second.emit('online')
  t.strictSame(flags, [...LIMITED, ...LIMITED, ...FREE])
  t.equal(threads.listenerCount('worker'), 0)
})

// V8 raises a growth factor below 2 for all threads when it makes the heap of one.
t.test('the young generation stays as it is beside the thread that watches user functions', t => {
  const script = `
    const { getHeapSpaceStatistics } = require('node:v8')
    const { limitHeap } = require('./lib/cli/process/heap-limit')
    const { Watchdog } = require('./lib/cli/process/watchdog')
    const watchdog = new Watchdog()
    limitHeap(1000, () => watchdog.waitForStart())
    const survivors = Array.from({ length: 300_000 }, (_, i) => ({ list: [i] }))
    const { space_size: size } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    console.log(survivors.length, size / 2 ** 20)
    watchdog.end()`
  const [survivors, mib] = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }).split(' ').map(Number)
  t.equal(survivors, 300_000)
  // It has 2, and 32 without a limit.
  t.ok(mib < 16, `${mib} MiB`)
  t.end()
})

t.test('the young generation of workers stays as it is', t => {
  const work = `
    const { parentPort } = require('node:worker_threads')
    const { getHeapSpaceStatistics } = require('node:v8')
    parentPort.once('message', () => {
      const survivors = Array.from({ length: 300_000 }, (_, i) => ({ list: [i] }))
      const { space_size: size } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
      parentPort.postMessage([survivors.length, size / 2 ** 20])
    })`
  const script = `
    const { Worker } = require('node:worker_threads')
    const { limitHeap } = require('./lib/cli/process/heap-limit')
    limitHeap(1000, () => {})
    const workers = [0, 1].map(() => new Worker(${JSON.stringify(work)}, { eval: true }))
    let online = 0
    for (const worker of workers) {
      worker.on('message', seen => console.log(seen.join(' ')))
      worker.on('online', () => { if (++online === 2) for (const one of workers) one.postMessage('begin') })
    }`
  const lines = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: 60_000 }).trim().split('\n')
  for (const line of lines) {
    const [survivors, mib] = line.split(' ').map(Number)
    t.equal(survivors, 300_000)
    t.ok(mib < 16, `${mib} MiB`)
  }
  t.equal(lines.length, 2)
  t.end()
})
