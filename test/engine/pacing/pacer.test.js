'use strict'

// Who sends what is due, with connections that answer when the test says so, and times that it gives.

const t = require('tap')
const { Budget } = require('../../../lib/shapes/budget')
const { ConstantPace } = require('../../../lib/shapes/constant')
const { Slice } = require('../../../lib/shapes/pace')
const { OpenPacer } = require('../../../lib/engine/pacing/open-pacer')
const { RoundRobinPacer } = require('../../../lib/engine/pacing/round-robin-pacer')
const { RisingPace } = require('../helpers/rising-pace')

/** A connection that has sent what is due when it is filled, as far as there is room. */
class FakeConnection {
  /**
   * @param {string} name
   * @param {InstanceType<typeof OpenPacer> | InstanceType<typeof RoundRobinPacer>} pacer
     * @param {World} world
   * @param {number} depth
   */
  constructor (name, pacer, world, depth) {
    this.queue = pacer.queue()
    this.name = name
    this.world = world
    this.depth = depth
    this.exchanges = { count: 0 }
    this.blocked = false
    this.budget = new Budget()
    this.queue.free += depth
  }

  get takesMore () {
    return !this.blocked && this.exchanges.count < this.depth && this.budget.left > 0
  }

  fill () {
    return this.send(this.queue.due(this.world.elapsed))
  }

  send (due) {
    const { world, queue, exchanges } = this
    world.filled.push(this.name)
    const n = this.takesMore ? this.budget.take(Math.min(this.depth - exchanges.count, due)) : 0
    for (let i = 0; i < n; i++) world.sent.push([this.name, queue.take(), world.elapsed])
    exchanges.count += n
    queue.free -= n
    world.elapsed += world.perFill
    return n
  }

  answer () {
    this.exchanges.count--
    this.queue.add(1, this.world.elapsed)
  }
}

/** @param {number} rate of all together, however many they are */
const turns = rate => new RoundRobinPacer(() => new ConstantPace(rate))

/** A pacer with its connections a, b, c … and what they did. */
class World {
  constructor (pacer, connections, depth = 1) {
    this.pacer = pacer
    this.elapsed = 0
    /** How long a connection takes to send, ms. */
    this.perFill = 0
    /** The order in which connections were filled. */
    this.filled = []
    /** Who sent a request, when it was due and when it was sent. */
    this.sent = []
    this.connections = Array.from({ length: connections }, (_, i) => new FakeConnection('abcdefghijklmnopqrstuvwxyz'[i], pacer, this, depth))
    pacer.join(this.connections, -Infinity)
  }

  wake (elapsed) {
    this.elapsed = elapsed
    this.pacer.wake(() => this.elapsed)
  }

  /** @returns {string} who sent since the last time */
  take () {
    return this.sent.splice(0).map(([name]) => name).join('')
  }
}

t.test('in turns', async t => {
  t.test('the connections are woken one after the other, each when its own request is due', async t => {
    const world = new World(turns(1000), 3, 10)
    for (let ms = 0; ms < 7; ms++) {
      t.equal(world.pacer.next(), ms)
      world.wake(ms)
    }
    t.strictSame(world.sent, [['a', 0, 0], ['b', 1, 1], ['c', 2, 2], ['a', 3, 3], ['b', 4, 4], ['c', 5, 5], ['a', 6, 6]])
    t.equal(world.filled.join(''), 'abcabca', 'no connection is woken for nothing')
  })

  t.test('a wake-up that comes early wakes no connection', async t => {
    const world = new World(turns(100), 2)
    world.wake(0)
    world.wake(9.99)
    t.equal(world.filled.join(''), 'a')
    t.equal(world.pacer.next(), 10)
  })

  t.test('a late one wakes each whose turn it was, in order', async t => {
    const world = new World(turns(1000), 5, 10)
    world.wake(1)
    world.wake(4)
    t.equal(world.filled.join(''), 'abcde')
    t.equal(world.pacer.next(), 5)
  })

  t.test('and none twice, however late it is', async t => {
    const world = new World(turns(1000), 3, 10)
    world.wake(0)
    world.wake(10)
    t.equal(world.filled.join(''), 'abca', 'b is the first whose turn it is')
    t.equal(world.sent.length, 11, 'they send all that is due')
    t.equal(world.pacer.next(), 11)
    world.wake(11)
    t.equal(world.filled.join(''), 'abcac', 'it goes on with the turn of the 12th request')
  })

  t.test('the share of one that has no room is not sent by another', async t => {
    const world = new World(turns(1000), 2)
    for (let ms = 0; ms < 6; ms++) {
      world.wake(ms)
      if (ms % 2 === 1) world.connections[1].answer()
    }
    t.equal(world.take(), 'abbb')
    t.equal(world.pacer.next(), 6, 'the turns go on')
  })

  t.test('each connection has a queue of its own', async t => {
    const pacer = turns(1000)
    const world = new World(pacer, 3, 2)
    world.connections[1].budget = new Budget(7)
    const groups = pacer.groups()
    t.strictSame(groups.map(({ queue, left }) => [queue.next(), queue.pace.dueAt(1), queue.free, left]), [[0, 3, 2, Infinity], [1, 4, 2, 7], [2, 5, 2, Infinity]])
    t.equal(new Set(groups.map(({ queue }) => queue)).size, 3)
  })
})

t.test('in the open model', async t => {
  t.test('the connections that have nothing to do take turns', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 3, 10)
    const completed = () => { for (const connection of world.connections) if (connection.exchanges.count > 0) connection.answer() }
    for (let ms = 0; ms < 5; ms++) {
      t.equal(world.pacer.next(), ms)
      world.wake(ms)
      completed()
    }
    t.strictSame(world.sent, [['a', 0, 0], ['b', 1, 1], ['c', 2, 2], ['a', 3, 3], ['b', 4, 4]])
    t.equal(world.filled.join(''), 'abcab', 'no connection is woken for nothing')
  })

  t.test('no connection is idle while a request is due', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 3)
    world.wake(0)
    world.wake(1)
    t.equal(world.take(), 'ab')
    world.connections[1].answer()
    for (const [ms, who] of [[2, 'c'], [3, 'b']]) {
      world.wake(ms)
      t.equal(world.take(), who, `a is busy at ${ms} ms`)
    }
    world.connections[2].answer()
    world.wake(4)
    t.equal(world.take(), 'c', 'the only one that has room')
  })

  t.test('a request waits while no slot is free, and goes to the first that is', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 2)
    for (let ms = 0; ms < 5; ms++) world.wake(ms)
    t.equal(world.take(), 'ab')
    t.equal(world.filled.join(''), 'ab', 'none is called while there is no room')
    t.equal(world.pacer.next(), 2, 'it is due all the same')
    world.connections[1].answer()
    t.equal(world.pacer.shared.fullUntil, 4)
    // A connection fills itself after an answer; if it could not, the next wake-up finds it.
    world.wake(4.5)
    t.strictSame(world.sent, [['b', 2, 4.5]], 'with its intended time')
    t.equal(world.pacer.next(), 3)
  })

  t.test('all that is due is sent in one wake-up, as far as there is room', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 3, 2)
    world.wake(99)
    t.equal(world.take(), 'abcabc', 'none gets two while another has nothing to do')
    t.strictSame([world.pacer.shared.free, world.pacer.shared.due(99)], [0, 94])
  })

  t.test('what falls due while it is sent goes out as well, and nothing before it is due', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 2, 100)
    world.perFill = 0.4
    world.wake(10)
    t.strictSame(world.sent.map(([, due]) => due), Array.from({ length: 17 }, (_, i) => i), '11 requests take 4.4 ms, the 4 of those 1.6 ms, the 2 of those 0.8 ms')
    t.ok(world.sent.every(([, due, sent]) => due <= sent))
    t.equal(world.pacer.next(), 17)
    t.ok(world.elapsed < 17)
  })

  t.test('a request goes to the connection that has the least in flight', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 4, 10)
    world.wake(11)
    t.equal(world.take(), 'abcdabcdabcd')
    world.connections[2].answer()
    world.wake(12)
    t.equal(world.take(), 'c')
    for (const i of [0, 0, 1, 3, 3, 3]) world.connections[i].answer()
    // In flight are 1, 2, 3 and 0.
    world.wake(13)
    t.equal(world.take(), 'd')
    world.connections[1].answer()
    // 1, 1, 3 and 1: the turn is with a.
    world.wake(15)
    t.equal(world.take(), 'ab')
  })

  t.test('of many connections it looks at 16, or until it finds one that has room', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 26, 2)
    world.wake(25)
    t.equal(world.take(), 'abcdefghijklmnopqrstuvwxyz')
    world.connections[16].answer()
    world.wake(26)
    t.equal(world.take(), 'a', 'q, the 17th, is not looked at')
    const full = new World(new OpenPacer(new ConstantPace(1000)), 26)
    full.wake(25)
    full.take()
    full.connections[20].answer()
    full.wake(26)
    t.equal(full.take(), 'u')
  })

  t.test('a connection that can not send is passed over', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 3, 10)
    world.connections[0].blocked = true
    world.connections[1].budget = new Budget(1)
    world.wake(4)
    t.equal(world.take(), 'bcccc')
    t.equal(world.filled.join(''), 'bcccc')
    world.connections[2].blocked = true
    world.wake(5)
    t.equal(world.filled.join(''), 'bcccc', 'a wake-up without a connection ends')
    world.connections[0].blocked = false
    world.wake(6)
    t.equal(world.take(), 'aa')
  })

  t.test('a connection that takes nothing although it could does not keep the thread', async t => {
    const world = new World(new OpenPacer(new ConstantPace(1000)), 3)
    for (const connection of world.connections) {
      connection.send = () => {
        world.filled.push(connection.name)
        return 0
      }
    }
    world.wake(5)
    world.wake(6)
    t.equal(world.filled.join(''), 'ab', 'a wake-up ends with it, and the next begins with another')
  })

  t.test('the generators of several threads are phased against each other', async t => {
    const worlds = [0, 1, 2, 3].map(i => new World(new OpenPacer(new Slice(new ConstantPace(1000), i, 4)), 2, 1000))
    for (let ms = 0; ms < 100; ms++) for (const world of worlds) world.wake(ms)
    const times = worlds.flatMap(({ sent }) => sent.map(([, , at]) => at)).sort((a, b) => a - b)
    t.strictSame(times, Array.from({ length: 100 }, (_, ms) => ms))
  })

  t.test('all connections share one queue and what is left of their budgets', async t => {
    const pacer = new OpenPacer(new ConstantPace(1000))
    const world = new World(pacer, 3, 2)
    world.connections.forEach((connection, i) => { connection.budget = new Budget(10 + i) })
    const groups = pacer.groups()
    t.equal(groups.length, 1)
    t.match(groups[0], { queue: { free: 6 }, left: 33 })
  })
})

t.test('rounding never puts off a request that is due, nor sends one too many', async t => {
  for (const Pacer of [RoundRobinPacer, OpenPacer]) {
    for (const rate of [0.5, 3, 7, 333, 1000 / 7, 9999, 200_000]) {
      const pacer = Pacer === RoundRobinPacer ? turns(rate) : new OpenPacer(new ConstantPace(rate))
      const world = new World(pacer, 3, Infinity)
      // Woken exactly when it asks to be.
      for (let n = 0; n < 3000; n++) {
        const at = pacer.next()
        world.wake(at)
        if (world.sent.length !== n + 1) {
          t.fail(`${Pacer.name} at ${rate}/s has sent ${world.sent.length} requests instead of ${n + 1} at ${at} ms`)
          break
        }
      }
      t.ok(Math.abs(world.elapsed - 2999 * 1000 / rate) < 1e-6 * world.elapsed, `${Pacer.name} at ${rate}/s`)
    }
  }
})

t.test('a pace that rises is kept in turns and in the open model: each request is due when it says', async t => {
  const pace = new RisingPace(100, 2000)
  for (const Pacer of [RoundRobinPacer, OpenPacer]) {
    const world = new World(Pacer === RoundRobinPacer ? new RoundRobinPacer(() => pace) : new OpenPacer(pace), 3, Infinity)
    for (let n = 0; n < 2000; n++) world.wake(world.pacer.next())
    t.strictSame(world.sent.map(([, due, at]) => [due, at]), Array.from({ length: 2000 }, (_, n) => [pace.dueAt(n), pace.dueAt(n)]), Pacer.name)
    t.equal(world.sent.map(([name]) => name).join(''), 'abc'.repeat(667).slice(0, 2000))
  }
})
