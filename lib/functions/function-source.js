'use strict'

// The source of a connection of a user function, for requests of HTTP or messages of a WebSocket.

const { Sender } = require('../users/sender')

/**
 * @abstract
 * @template {{ ended: boolean, conclude: () => void }} C
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
      this.user.runtime.later(() => {
        this.lingering = false
        // It may have ended with the last iteration of the run.
        if (!this.connection.ended) this.connection.conclude()
      })
    }
    return this.lingering
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
