'use strict'

// The source of a connection of a user function, for requests of HTTP or messages of a WebSocket.

const { Sender } = require('../users/sender')

/** Turns of the event loop until a wrong call is rejected and its iteration has ended: it may be repeated for ever. */
const REPORTED = 2

/**
 * @abstract
 * @template {{ ended: boolean, conclude: () => void, checkDeadline: (at: number) => void }} C
 */
class FunctionSource extends Sender {
  /**
   * @param {import('./function-user').FunctionUser} user
   * @param {C} connection that it is the source of
   * @param {import('../users/sender').SenderNeeds} needs
   */
  constructor (user, connection, needs) {
    super(needs)
    this.user = user
    this.connection = connection
    /** Whether its last request has an outcome that the function may not have seen. */
    this.isNews = false
    this.lingering = false
    /** When the timer for its own timeouts fires. */
    this.watchesAt = Infinity
  }

  get inIteration () {
    return this.user.iteration !== null
  }

  woken () {}

  /**
   * The function goes on in microtasks after its last response: it may check that, and end its iteration.
   * @type {NonNullable<import('../users/sequence').Source['lingers']>}
   */
  lingers () {
    if (this.isNews) {
      this.isNews = false
      this.lingering = true
      this.linger(REPORTED)
    }
    return this.lingering
  }

  /** @param {number} most further turns, if the run would end before a wrong call is reported */
  linger (most) {
    const { user, connection } = this
    user.runtime.later(() => {
      if (most > 0 && user.wrong > 0) return this.linger(most - 1)
      this.lingering = false
      // It may have ended with the last iteration of the run.
      if (!connection.ended) connection.conclude()
    })
  }

  /**
   * Sets a timer for its own timeouts: the interval of the sweep depends on the timeout of the run.
   * @param {number} until a request may time out
   */
  watch (until) {
    const { user: { runtime }, connection } = this
    // One timer for all its requests: a timer for each would keep the request in memory until the timeout.
    if (this.watchesAt <= until) return
    this.watchesAt = until
    runtime.sleep(until, {
      wake: () => {
        if (this.watchesAt !== until) return
        this.watchesAt = Infinity
        if (!this.isWatched) return
        connection.checkDeadline(runtime.now())
        const next = this.isWatched ? this.nextDeadline() : Infinity
        if (next !== Infinity) this.watch(Math.max(runtime.now() + 1, next))
      }
    })
  }

  /** Whether it may have its own timeout. @abstract @returns {boolean} */
  get isWatched () {
    throw new Error('each source knows its timeouts')
  }

  /** @abstract @returns {number} until when something in flight has to have a response; Infinity for nothing */
  nextDeadline () {
    throw new Error('each source knows its timeouts')
  }

  /** The run ends while the request has no response. @type {(since: number, at: number) => void} */
  abandoned (since, at) {
    this.user.abandoned(since, at)
  }

  /** @returns {never} */
  get current () {
    return this.user.user.current
  }

  edit () {
    return this.current
  }

  replace () {
    return this.current
  }
}

module.exports = { FunctionSource }
