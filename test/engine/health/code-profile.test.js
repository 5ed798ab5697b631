'use strict'

// Whose code the CPU time of a load generator went into, by profiles with known stacks.

const path = require('node:path')
const t = require('tap')
const { cli } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')
const { CodeProfile } = require('../../../lib/engine/health/code-profile')
const { Code } = require('../../../lib/instruments/code/record')
const { derive } = require('../../../lib/instruments/code/result')

const OURS = `file://${path.resolve(__dirname, '../../../lib/engine/responses.js')}`
const USER = 'file:///home/ann/shop.mjs'
const PACKAGE = 'file:///home/ann/node_modules/crypto-js/index.js'

/** @type {(id: number, url: string, functionName: string, more?: object) => any} */
const node = (id, url, functionName, more = {}) => ({ id, callFrame: { url, functionName, lineNumber: 9 }, ...more })

const NODES = [
  node(1, '', '(root)', { children: [2, 3, 4, 5, 8, 10] }),
  node(2, '', '(idle)'),
  node(3, '', '(garbage collector)'),
  node(4, OURS, 'tell', { children: [7] }),
  node(5, USER, 'shop', { children: [6, 9], positionTicks: [{ line: 12, ticks: 1 }, { line: 15, ticks: 4 }] }),
  node(6, PACKAGE, 'encrypt'),
  node(7, PACKAGE, 'parse'),
  node(8, PACKAGE, 'timer'),
  node(9, OURS, 'send'),
  node(10, 'node:internal/process', 'tick', { children: [11] }),
  node(11, USER, 'later')
]

/** @param {Array<[id: number, ms: number]>} samples */
function shareOf (samples) {
  const code = new Code()
  const profile = new CodeProfile(code, /** @type {any} */ ({ after () {} }))
  profile.add({ nodes: NODES, samples: samples.map(([id]) => id), timeDeltas: [0, ...samples.map(([, ms]) => ms * 1000)] })
  return derive(code).userCode
}

t.test('code of the user is told from that of the tool, of Node.js and from waiting', async t => {
  t.strictSame(shareOf([[2, 100], [3, 10], [4, 10], [5, 20], [2, 50]]), {
    share: 0.5, places: [{ file: '/home/ann/shop.mjs', line: 15, name: 'shop', share: 0.5 }]
  }, 'at the line that was hit most; a thread that waits takes no CPU time')
  t.strictSame(shareOf([[10, 10], [11, 30]])?.places, [{ file: '/home/ann/shop.mjs', line: 10, name: 'later', share: 0.75 }])
})

t.test('a package works for who has called it', async t => {
  t.strictSame(shareOf([[6, 30], [4, 10]])?.places, [{ file: '/home/ann/shop.mjs', line: 10, name: 'shop', share: 0.75 }])
  t.equal(shareOf([[7, 30], [4, 10]])?.share, 0, 'one that the tool has called is none of the user')
  t.equal(shareOf([[8, 30], [4, 10]])?.share, 0, 'functions without a caller have no share')
  t.equal(shareOf([[9, 30], [4, 10]])?.share, 0, 'what the function asks of the tool is the work of the tool')
})

t.test('places of several threads add up, and a module that makes functions without end fills no memory', async t => {
  const [one, other] = [new Code(), new Code()]
  one.busyMs = other.busyMs = 100
  one.count('/a.mjs', 1, 'f', 10)
  other.count('/a.mjs', 1, 'f', 30)
  one.add(other.encode())
  t.strictSame(derive(one).userCode, { share: 0.2, places: [{ file: '/a.mjs', line: 1, name: 'f', share: 0.2 }] })
  for (let line = 2; line < 10_000; line++) one.count('/a.mjs', line, 'g', 1)
  t.ok(one.places.size <= 501)
  t.equal(Math.round([...one.places.values()].reduce((sum, { ms }) => sum + ms, 0)), 40 + 9998)
})

t.test('a thread that was not busy has nothing to tell', async t => {
  t.strictSame(derive(new Code()), {})
  t.strictSame(derive(null), {})
})

t.test('a run names the line of a user function that blocks the event loop', async t => {
  const { url } = await serve(t)
  const code = `let sum = 0
function work () {
  for (let i = 0; i < 5e6; i++) sum += Math.sqrt(i)
}
export default async ({ http }) => {
  work()
  await http.get('/?sum=' + sum)
}
`
  const { code: exit, stderr } = await cli(['run', 'slow.mjs', '-a', '20', '-c', '1', url], { cwd: t.testdir({ 'slow.mjs': code }) })
  t.equal(exit, 0)
  t.match(stderr, /\d+(\.\d+)? % of the CPU time of the load generator was spent in user functions, \d+(\.\d+)? % in .*slow\.mjs line 3 \(work\)/)
})
