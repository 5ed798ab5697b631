'use strict'

// Random servers: a raw server that answers, delays, splits, resets, closes and lies as a seed tells it, and a run against
// it that has to end in time, with exactly one fate for each request. The seed decides what is done; when it happens is the
// machine's: a failure may need several rounds to come again.

const assert = require('node:assert/strict')
const net = require('node:net')
const { once } = require('node:events')
const autocannon = require('../..')
const { conserves } = require('../helpers/results/conservation')

/** Seconds that a run may take beyond what its options say. */
const PATIENCE = 20

/**
 * @param {number} seed
 * @returns {() => number} the same numbers from 0 to 1 for the same seed (mulberry32)
 */
function randomFrom (seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

class Dice {
  /** @param {number} seed */
  constructor (seed) {
    this.random = randomFrom(seed)
  }

  /** @param {number} n */
  below (n) {
    return Math.floor(this.random() * n)
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  of (list) {
    return list[this.below(list.length)]
  }

  /** @param {number} probability */
  happens (probability) {
    return this.random() < probability
  }
}

const STATUSES = [200, 200, 200, 201, 204, 304, 404, 500, 999]
const GARBAGE = ['\r\n', '\0', 'SSH-2.0-OpenSSH\r\n', '\x15\x03\x01\x00\x02\x02\x28', 'HTTP/1.1 20x OK\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', 'HTTP/2.0 200 OK\r\n\r\n', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`]

/**
 * @param {Dice} dice
 * @returns {string} mostly a whole answer
 */
function makeAnswer (dice) {
  const status = dice.of(STATUSES)
  const body = 'b'.repeat(dice.of([0, 1, 5, 100, 5000]))
  const interim = dice.happens(0.1) ? 'HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n' : ''
  const head = `${interim}HTTP/1.${dice.happens(0.1) ? 0 : 1} ${status} ${dice.of(['OK', '', 'M\xf6'])}\r\n${dice.happens(0.15) ? 'Connection: close\r\n' : ''}`
  if (status === 204 || status === 304) return head + '\r\n'
  const lie = dice.happens(0.05) ? dice.of([-1, 1, 1000]) : 0
  switch (dice.below(4)) {
    case 0: return `${head}Transfer-Encoding: chunked\r\n\r\n${body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`}0\r\n\r\n`
    case 1: return dice.happens(0.3) ? `${head}\r\n${body}` : `${head}Content-Length: ${body.length}\r\n\r\n${body}`
    default: return `${head}Content-Length: ${Math.max(0, body.length + lie)}\r\n\r\n${body}`
  }
}

/** A connection of the server: does what the dice say with each request. */
class Moody {
  /**
   * @param {net.Socket} socket
   * @param {Dice} dice
   * @param {number} wickedness 0 to 1
   */
  constructor (socket, dice, wickedness) {
    this.socket = socket
    this.dice = dice
    this.wickedness = wickedness
    this.rest = ''
    this.work = Promise.resolve()
    this.received = 0
    socket.on('error', () => {})
    if (dice.happens(wickedness * 0.1)) return this.leave()
    if (dice.happens(wickedness * 0.05)) socket.write(dice.of(GARBAGE), 'latin1')
    socket.on('data', data => this.read(data.toString('latin1')))
    if (dice.happens(0.5)) socket.on('end', () => socket.end())
  }

  /** @param {string} data of requests without bodies */
  read (data) {
    this.rest += data
    const heads = this.rest.split('\r\n\r\n')
    this.rest = /** @type {string} */ (heads.pop())
    this.received += heads.length
    for (let i = 0; i < heads.length; i++) this.work = this.work.then(() => this.answer())
  }

  leave () {
    const { socket, dice } = this
    if (dice.happens(0.5)) socket.end()
    else socket.resetAndDestroy()
  }

  async answer () {
    const { socket, dice, wickedness } = this
    if (!socket.writable) return
    let bytes = makeAnswer(dice)
    if (dice.happens(wickedness)) {
      switch (dice.below(8)) {
        case 0: return
        case 1: return this.leave()
        case 2: bytes = bytes.slice(0, dice.below(bytes.length)); break
        case 3: await this.write(bytes.slice(0, dice.below(bytes.length))); return this.leave()
        case 4: bytes = dice.of(GARBAGE); break
        case 5: bytes += makeAnswer(dice); break
        case 6: { const at = dice.below(bytes.length); bytes = bytes.slice(0, at) + String.fromCharCode(dice.below(256)) + bytes.slice(at + 1); break }
        case 7: await pause(dice.below(150))
      }
    }
    if (dice.happens(0.5)) return this.write(bytes)
    for (let cuts = dice.below(4); cuts >= 0 && bytes !== ''; cuts--) {
      const at = cuts === 0 ? bytes.length : dice.below(bytes.length + 1)
      await this.write(bytes.slice(0, at))
      bytes = bytes.slice(at)
      if (dice.happens(0.2)) await pause(dice.below(10))
    }
  }

  /** @param {string} bytes */
  async write (bytes) {
    if (bytes === '' || !this.socket.writable) return
    this.socket.write(bytes, 'latin1')
    await pause(0)
  }
}

/** @param {number} ms */
const pause = ms => new Promise(resolve => { if (ms === 0) setImmediate(resolve); else setTimeout(resolve, ms) })

/** @param {Dice} dice */
function makeOptions (dice) {
  const ends = dice.below(4)
  return {
    connections: 1 + dice.below(6),
    pipelining: dice.of([1, 1, 2, 3, 8]),
    timeout: dice.of([0.03, 0.08, 0.15]),
    method: dice.of(['GET', 'GET', 'GET', 'HEAD', 'POST', 'CONNECT']),
    sampleInt: dice.of([20, 1000]),
    ...ends === 0 ? { duration: 0.05 + dice.random() * 0.2 } : { amount: 1 + dice.below(30), duration: 60 },
    ...ends === 2 && { bailout: 1 + dice.below(5) },
    ...dice.happens(0.2) && { reconnectRate: 1 + dice.below(4) },
    ...dice.happens(0.2) && { [dice.of(['rate', 'overallRate', 'connectionRate'])]: 100 + dice.below(2000) },
    ...dice.happens(0.15) && { expectBody: 'b' },
    ...dice.happens(0.15) && { idReplacement: true, requests: [{ path: '/[<id>]' }, { path: '/2', onResponse () {} }] },
    ...dice.happens(0.1) && { excludeErrorStats: true }
  }
}

/**
 * @param {number} seed
 * @returns {Promise<{ sent: number, errors: number }>} rejects when the run breaks a law
 */
async function runAgainstRandomServer (seed) {
  const dice = new Dice(seed)
  // Both kinds of sockets, one after the other.
  const options = { ...makeOptions(dice), ...seed % 2 === 0 && { sockets: 'node' } }
  const wickedness = dice.of([0, 0.1, 0.3, 0.8])
  /** @type {Set<net.Socket>} */
  const sockets = new Set()
  /** @type {Moody[]} */
  const connections = []
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    connections.push(new Moody(socket, new Dice(seed * 31 + connections.length), wickedness))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {net.AddressInfo} */ (server.address())
  const instance = autocannon({ url: `http://127.0.0.1:${port}/`, ...options })
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  try {
    const { amount } = /** @type {{ amount?: number }} */ (options)
    // At worst each request of an amount waits for its timeout, one after the other, and each connection for its pause.
    const limit = (amount === undefined ? options.duration : amount * (options.timeout + 0.3)) + PATIENCE
    const late = new Promise((resolve, reject) => { timer = setTimeout(() => reject(new Error(`the run did not end within ${limit} s`)), limit * 1000) })
    const result = /** @type {Record<string, any>} */ (await Promise.race([instance, late]))
    check(result, options, connections.reduce((sum, { received }) => sum + received, 0))
    return { sent: result.requests.sent, errors: result.errors }
  } catch (error) {
    throw new Error(`${/** @type {Error} */ (error).message}\nseed ${seed}, wickedness ${wickedness}, options ${JSON.stringify(options)}`, { cause: error })
  } finally {
    clearTimeout(timer)
    instance.stop()
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
}

/**
 * @param {Record<string, any>} result
 * @param {Record<string, any>} options
 * @param {number} received requests that the server has seen
 */
function check (result, options, received) {
  const { fates, errors, resent } = result
  const neverSent = errors - fates.timedOut - fates.failed
  assert.ok(neverSent >= 0, 'each failed request is an error')
  // Not all latencies are recorded then.
  if (!options.excludeErrorStats) conserves({ strictSame: assert.deepEqual, equal: assert.equal, ok: assert.ok }, result, { neverSent })
  assert.equal(fates.sent, fates.completed + fates.timedOut + fates.failed + fates.abandoned)
  assert.ok(fates.completed <= received, `${fates.completed} completed of ${received} that arrived`)
  assert.ok(received <= fates.sent + resent, `${received} arrived of ${fates.sent} that were sent and ${resent} that were sent again`)
  if (options.amount !== undefined && options.bailout === undefined) assert.ok(fates.sent <= options.amount, `${fates.sent} sent of ${options.amount}`)
  for (const [key, value] of Object.entries(result.latency)) if (typeof value === 'number') assert.ok(Number.isFinite(value) && value >= 0, `latency.${key} is ${value}`)
}

module.exports = { runAgainstRandomServer }
