'use strict'

// The link between a coordinator and an agent, over mailboxes that lose, repeat and reorder what lies in them.

const t = require('tap')
const fc = require('fast-check')
const { Link } = require('../../../lib/run/agents/link')
const { Signature } = require('../../../lib/run/agents/signature')

/** @typedef {import('../../../lib/run/agents/link').Entry} Entry */

/**
 * Two sides in a world without time of its own: each tick is 250 ms, and what lies in the mailboxes is handed over by a test.
 * @param {{ here?: string | null, there?: string | null }} [keys]
 */
function pair ({ here = null, there = here } = {}) {
  let time = 0
  const session = { run: 'r', agent: 'a', nonce: 'n' }
  const make = (/** @type {string | null} */ key, /** @type {'order' | 'report'} */ says, /** @type {'order' | 'report'} */ hears) => {
    const [mine, theirs] = [says, hears].map(direction => new Signature(key, { ...session, direction }))
    const side = {
      /** @type {Entry[]} */
      mailbox: [],
      /** @type {unknown[]} */
      got: [],
      /** @type {Array<() => void>} */
      turn: [],
      link: /** @type {Link} */ (/** @type {unknown} */ (null)),
      endTurn () { for (const action of side.turn.splice(0)) action() }
    }
    side.link = new Link({
      // As Redis keeps it: what is changed later is not changed there.
      post: entry => { side.mailbox.push({ ...entry }) },
      deliver: message => { side.got.push(message) },
      now: () => time,
      later: action => { side.turn.push(action) },
      signature: { sign: (number, payload) => mine.sign(number, payload), verify: (number, payload, given) => theirs.verify(number, payload, given) }
    })
    return side
  }
  const [near, far] = [make(here, 'order', 'report'), make(there, 'report', 'order')]
  const sides = [near, far]
  return {
    near,
    far,
    tick () {
      time += 250
      for (const side of sides) side.endTurn()
      for (const { link } of sides) link.tick()
    },
    /** @param {(entries: Entry[]) => Entry[]} [fate] what becomes of what lies in a mailbox */
    deliver (fate = entries => entries) {
      for (const [one, other] of [[near, far], [far, near]]) for (const entry of fate(one.mailbox.splice(0))) other.link.receive(entry)
    }
  }
}

/** Redis loses what lies there, a command that was sent twice repeats it, and a restart brings back what was taken. */
const mishaps = fc.record({
  losses: fc.double({ min: 0, max: 0.7, noNaN: true }),
  repeats: fc.double({ min: 0, max: 0.5, noNaN: true }),
  shuffles: fc.boolean(),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 2 })
})

/** @param {number} seed */
function randomOf (seed) {
  let state = seed
  return () => (state = state * 48271 % 2147483647) / 2147483647
}

t.test('whatever mailboxes lose, repeat and reorder: each message arrives once, in the order in which it was sent', async t => {
  const text = fc.oneof({ arbitrary: fc.string({ maxLength: 20 }), weight: 12 }, { arbitrary: fc.integer({ min: 100_000, max: 600_000 }).map(length => 'ä"\\'.repeat(length / 3)), weight: 1 })
  const sent = fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 12 })
  fc.assert(fc.property(sent, sent, mishaps, (orders, reports, { losses, repeats, shuffles, seed }) => {
    const world = pair({ here: seed % 2 === 0 ? 'a key that is long enough' : null })
    const random = randomOf(seed)
    const fate = (/** @type {Entry[]} */ entries) => {
      const left = entries.flatMap(entry => random() < losses ? [] : random() < repeats ? [entry, entry] : [entry])
      return shuffles ? left.map(entry => ({ entry, at: random() })).sort((a, b) => a.at - b.at).map(({ entry }) => entry) : left
    }
    for (let turn = 0; turn < Math.max(orders.length, reports.length); turn++) {
      for (const message of orders[turn] ?? []) world.near.link.send(message)
      for (const message of reports[turn] ?? []) world.far.link.send(message)
      world.tick()
      world.deliver(fate)
    }
    // Then nothing is lost any more.
    for (let i = 0; i < 40; i++) {
      world.tick()
      world.deliver()
    }
    return JSON.stringify(world.far.got) === JSON.stringify(orders.flat()) && JSON.stringify(world.near.got) === JSON.stringify(reports.flat())
  }), { seed: 1, numRuns: 40 })
})

t.test('what is on its way at a time is bounded, and goes when the other side has it', async t => {
  const world = pair()
  for (let i = 0; i < 500; i++) {
    world.near.link.send(i)
    world.near.endTurn()
  }
  t.ok(world.near.mailbox.length <= 32, `${world.near.mailbox.length} entries`)
  let most = 0
  for (let i = 0; i < 200; i++) {
    world.tick()
    most = Math.max(most, world.near.mailbox.length)
    world.deliver()
  }
  t.ok(most <= 64, `and what is sent again is not more: ${most}`)
  t.equal(world.far.got.length, 500)
  t.ok(world.near.link.unacknowledged.length <= 2, 'beats')
  t.ok(world.near.link.length < 10)
})

t.test('two sides that have nothing to say do not keep each other awake: a beat per second and side', async t => {
  const world = pair()
  let entries = 0
  for (let i = 0; i < 400; i++) {
    world.tick()
    entries += world.near.mailbox.length + world.far.mailbox.length
    world.deliver()
  }
  t.ok(entries <= 2 * 400 / 4 + 2, `${entries} entries in 100 s`)
})

t.test('what is not signed, signed with another key, changed or sent back does not pass', async t => {
  const keys = { here: 'a key that is long enough' }
  for (const there of [null, 'another key, long enough']) {
    const world = pair({ ...keys, there })
    world.near.link.send('order')
    world.tick()
    t.throws(() => world.deliver(), { message: /AUTOCANNON_KEY/ })
    t.strictSame(world.far.got, [])
  }
  fc.assert(fc.property(fc.constantFrom(/** @type {const} */ ('n', 'a', 'p', 'f', 's')), fc.constantFrom('', '1', '2', '+', '[3]'), (field, value) => {
    const world = pair(keys)
    world.near.link.send('order')
    world.tick()
    const [entry] = world.near.mailbox
    fc.pre(entry[field] !== value)
    try {
      world.far.link.receive({ ...entry, [field]: value })
    } catch {}
    return world.far.got.length === 0
  }), { seed: 1 })
  const world = pair(keys)
  world.near.link.send('order')
  world.tick()
  t.throws(() => world.near.link.receive(world.near.mailbox[0]), 'one of its own')
})

t.test('garbage is told as that, and never delivered', async t => {
  const entry = fc.record({ n: fc.oneof(fc.string(), fc.nat().map(String)), a: fc.oneof(fc.string(), fc.constant('0')), p: fc.oneof(fc.string(), fc.json()), f: fc.constantFrom('', '+', 'x'), s: fc.string() }, { requiredKeys: [] })
  fc.assert(fc.property(fc.array(entry, { maxLength: 5 }), entries => {
    const world = pair({ here: 'a key that is long enough' })
    for (const one of entries) {
      try {
        world.far.link.receive(/** @type {any} */ (one))
      } catch (error) {
        if (!/^AC_/.test(/** @type {any} */ (error).code)) throw error
      }
    }
    return world.far.got.length === 0
  }), { seed: 1 })
  for (const [given, words] of /** @type {const} */ ([[{}, /an entry of a mailbox is not valid/], [{ n: '1', a: '7', p: '', f: '', s: '' }, /what was not sent/], [{ n: '1', a: '0', p: '{', f: '', s: '' }, /a message is not valid/]])) t.throws(() => pair().far.link.receive(/** @type {any} */ (given)), { message: words })
})

t.test('what a mailbox refuses is sent again at the next look at the time', async t => {
  const world = pair()
  world.near.link.send('order')
  world.near.endTurn()
  world.deliver(() => [])
  world.tick()
  t.strictSame(world.near.mailbox, [], 'what may only be late is not sent twice')
  world.near.link.refused()
  world.tick()
  world.deliver()
  t.strictSame(world.far.got, ['order'])
  world.tick()
  world.deliver()
  world.near.mailbox.length = 0
  world.near.link.refused()
  world.tick()
  t.strictSame(world.near.mailbox, [], 'with nothing on its way there is nothing to send')
})

t.test('behind its end a link says, delivers and keeps nothing', async t => {
  const world = pair()
  world.near.link.send('last')
  world.near.link.flush()
  world.near.link.end()
  world.near.link.send('too late')
  world.tick()
  world.deliver()
  t.strictSame(world.far.got, ['last'])
  t.equal(world.near.link.unacknowledged.length, 0)
})
