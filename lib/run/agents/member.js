'use strict'

// The coordinator's side of one agent: the link, and the channels to its generators. All end when the agent is lost.

const { AutocannonError } = require('../../core/errors')
const { now } = require('../../core/clock')
const { oneLine, printable, show } = require('../../core/foreign-text')
const { withTimeout } = require('../../core/timers')
const { tryOr } = require('../../core/try-or')
const { decode, encode } = require('../codec')
const { checkSize } = require('./admission')
const { Link } = require('./link')
const { Mailbox } = require('./mailbox')
const { Signature } = require('./signature')

/** After this number of ticks without a message an agent counts as lost. It has aborted its load by then. */
const MOST_SILENT_TICKS = 32

/** The limit of a load generator's error in characters; it is untrusted. */
const LONGEST_MESSAGE = 1000

/** The timeout for the end of a channel's thread, ms. */
const CLOSE_TIMEOUT = 2000

/**
 * @typedef {object} Identity of an agent in this run
 * @property {string} job
 * @property {string} agent
 * @property {string} nonce
 *
 * @typedef {object} MemberEdge
 * @property {import('./redis').Redis} redis
 * @property {import('./redis-clock').RedisClock} clock
 * @property {string | null} key
 * @property {string} run
 * @property {(member: Member, joined: unknown) => void} onJoined
 * @property {(member: Member, reason: string, how?: 'silent' | 'left' | 'failed') => void} onLost
 * @property {(error: Error) => void} onBadSignature receives an error about a message without our signature
 */

class Member {
  /** @param {Identity} identity @param {MemberEdge} edge */
  constructor (identity, edge) {
    const { redis, key, run } = edge
    const session = { run, agent: identity.agent, nonce: identity.nonce }
    const orders = new Signature(key, { ...session, direction: 'order' })
    const reports = new Signature(key, { ...session, direction: 'report' })
    this.identity = identity
    this.edge = edge
    this.name = 'an agent'
    this.mailbox = new Mailbox(redis, redis.key('run', run, 'to', identity.agent))
    this.link = new Link({
      post: entry => { this.mailbox.postFor(/** @type {any} */ (entry), this.link) },
      deliver: message => this.handle(message),
      now,
      later: action => { setImmediate(() => this.attempt(action)) },
      signature: {
        sign: (number, payload) => orders.sign(number, payload),
        verify: (number, payload, given) => reports.verify(number, payload, given)
      }
    })
    /**
     * By number.
     * @type {Map<number, { transport: import('../messages').Transport, size: number, onClosed: () => void }>}
     */
    this.channels = new Map()
    this.opened = 0
    /** Memory that has been sent, once for all generators, and its number. @type {Map<Uint8Array, number>} */
    this.memory = new Map()
    /** Characters of the memory and of the plans of open channels: all may be unacknowledged at once. */
    this.size = 0
    this.quiet = 0
    this.ended = false
    /** The reason why the run continues without this agent. @type {Error | null} */
    this.loss = null
    /** Receives the reply to `check`. @type {(refusal: Error | null) => void} */
    this.onChecked = () => {}
  }

  /**
   * @param {{ name: string, host: string, agents: number }} runInfo its name in the run, the origin of the run, and the
   *   number of agents
   */
  sendRunInfo (runInfo) {
    this.attempt(() => this.link.send({ runInfo }))
  }

  /**
   * Checks whether the agent would run a plan. If the agent is lost, its generators report that.
   * @param {import('../../options/plan').Plan} plan
   * @throws {Error} the reason of a refusal
   */
  async check (plan) {
    if (this.ended) return
    const answer = new Promise(resolve => { this.onChecked = resolve })
    this.attempt(() => this.link.send({ check: encode(plan) }))
    const refusal = await answer
    if (refusal !== null) throw refusal
  }

  /** @returns {import('../messages').Transport} to a new generator on this agent */
  transport () {
    const c = this.opened++
    const { name } = this
    /** @type {import('../messages').Transport} */
    const transport = {
      name: `a load generator on agent ${name}`,
      shares: true,
      isBehind: () => this.link.isBehind,
      send: message => this.link.send({ c, ...this.toAgent(c, message) }),
      onMessage () {},
      onClose () {},
      explain: error => this.explain(error),
      close: () => this.close(c)
    }
    this.channels.set(c, { transport, size: 0, onClosed () {} })
    // The agent may have been lost between two runs.
    if (this.ended) {
      queueMicrotask(() =>
        transport.onClose(this.loss ?? new AutocannonError('AC_AGENT', `agent ${name} has been let go`)))
    }
    return transport
  }

  /** @param {number} c @param {any} message an order, encoded, or memory @returns {Record<string, unknown>} */
  toAgent (c, message) {
    if (message.memory !== undefined && message.type === undefined) {
      return { memory: message.memory.map((/** @type {import('../memory').Memory} */ one) => this.keep(one)) }
    }
    const channel = this.channels.get(c)
    if (message.type === 'open' && channel !== undefined) {
      channel.size = JSON.stringify(message).length
      this.grow(channel.size)
    }
    return { m: message.type === 'begin' ? { ...message, at: this.edge.clock.toRedis(message.at) } : message }
  }

  /**
   * @param {number} size
   * @throws {AutocannonError} above the limit
   */
  grow (size) {
    this.size += size
    checkSize(this.size)
  }

  /**
   * Sends memory once for all generators of the agent, and returns its number.
   * @type {(memory: import('../memory').Memory) => number}
   */
  keep ({ bytes, starts }) {
    const known = this.memory.get(bytes)
    if (known !== undefined) return known
    const id = this.memory.size
    this.memory.set(bytes, id)
    // As base64.
    this.grow((bytes.byteLength + starts.byteLength) * 4 / 3)
    this.link.send({ keep: id, memory: encode({ bytes: bytes.slice(), starts: starts.slice() }) })
    return id
  }

  /** Resolves when the thread has ended, or after a timeout. @type {(c: number) => Promise<void>} */
  async close (c) {
    const channel = this.channels.get(c)
    if (channel === undefined) return
    channel.transport.onMessage = channel.transport.onClose = () => {}
    if (!this.ended) {
      await withTimeout(CLOSE_TIMEOUT, new Promise(resolve => {
        channel.onClosed = () => resolve(undefined)
        this.link.send({ c, close: true })
      }))
    }
    this.size -= channel.size
    this.channels.delete(c)
  }

  tick () {
    if (this.ended) return
    if (++this.quiet > MOST_SILENT_TICKS) return this.edge.onLost(this, 'it has not been heard of for 8 s', 'silent')
    this.attempt(() => this.link.tick())
  }

  /** @param {() => void} action of the link; it throws if the other side violates the protocol */
  attempt (action) {
    try {
      action()
    } catch (error) {
      // Not a lost agent: no other agent could replace it.
      if (/** @type {AutocannonError} */ (error).code === 'AC_KEY') {
        return this.edge.onBadSignature(/** @type {Error} */ (error))
      }
      this.edge.onLost(this, /** @type {Error} */ (error).message)
    }
  }

  /** @param {Record<string, string>} entry */
  take (entry) {
    const { link } = this
    if (this.ended) return
    const before = link.received
    this.attempt(() => link.receive(entry))
    if (link.received > before) this.quiet = 0
  }

  /** @param {any} message from the agent */
  handle (message) {
    const { c, m, x, joined, left, checked } = message ?? {}
    if (joined !== undefined) return this.edge.onJoined(this, joined)
    if (left !== undefined) {
      return this.edge.onLost(this, typeof left === 'string' ? printable(left) : 'it has left', 'left')
    }
    if (checked !== undefined) return this.onChecked(checked === null ? null : this.errorOf(checked))
    const channel = this.channels.get(c)
    if (channel === undefined) return
    if (message.closed === true) return channel.onClosed()
    if (x !== undefined) return channel.transport.onClose(this.errorOf(x))
    channel.transport.onMessage(m?.type === 'began' ? { ...m, at: this.edge.clock.toHere(m.at) } : m)
  }

  /** @param {unknown} given an encoded error, untrusted */
  errorOf (given) {
    const error = tryOr(null, () => decode(given))
    return this.explain(error instanceof Error ? error : new Error(show(given)))
  }

  /**
   * @param {Error} error of one of its generators
   * @returns {Error} the error with the name of the agent
   */
  explain (error) {
    const message = `agent ${this.name}: ${oneLine(error.message, LONGEST_MESSAGE)}`
    return error instanceof AutocannonError
      ? Object.assign(error, { message })
      : new AutocannonError('AC_WORKER', message)
  }

  /** Ends the session with the agent. @param {Error | null} error null if the run releases the agent */
  end (error) {
    if (this.ended) return
    this.ended = true
    this.loss = error
    this.onChecked(null)
    try {
      this.link.send(error === null ? { release: true } : { lost: error.message })
      this.link.flush()
    } catch {
      // The agent may be unable to receive this message.
    }
    this.link.end()
    for (const { transport, onClosed } of [...this.channels.values()]) {
      onClosed()
      if (error !== null) transport.onClose(error)
    }
  }
}

module.exports = { Member }
