'use strict'

// The WebSockets of one user function that are open, or are about to be.

const { urlOf } = require('../../requests/target')
const { NEVER } = require('../ends')
const { IterationCut } = require('../iteration-cut')
const { watchedSocket } = require('../unawaited')
const { FlowSocket } = require('./flow-socket')
const { readSocketOptions } = require('./socket-options')
const { SocketLane } = require('./socket-lane')

/**
 * @typedef {import('../function-user').FunctionUser} FunctionUser
 * @typedef {import('../iteration').Iteration} Iteration
 * @typedef {import('../call').RequestError} RequestError
 */

class UserSockets {
  /** @param {FunctionUser} user */
  constructor (user) {
    this.user = user
    /** @type {Set<SocketLane>} */
    this.open = new Set()
  }

  /**
   * @param {Iteration} iteration
   * @param {unknown} where
   * @param {unknown} given
   * @returns {Promise<import('./socket').Socket>}
   * @throws {TypeError | RequestError} if the arguments are wrong, or its iteration has ended
   */
  connect (iteration, where, given) {
    const { user } = this
    const { closed, grouped, runtime } = user
    if (closed) return NEVER
    const options = readSocketOptions(given)
    const prepared = runtime.requests.socket(where, options, user.user.home)
    const needs = runtime.sockets()
    needs.checkHeaders(prepared.own)
    const promise = this.add(new SocketLane(user, iteration, prepared, options, needs))
    if (promise === NEVER) return NEVER
    return watchedSocket(grouped === null ? promise : grouped.add(promise))
  }

  /**
   * @param {import('../planned-call').SocketPlace} place in a flow, which has the WebSocket from now on
   * @param {import('../../users/compiled-scenario').CompiledStep} step
   * @param {import('../../requests/request').Request} request of the handshake
   * @param {{ protocols: ReadonlyArray<string>, compressed: boolean, timeoutMs: number | null, keeps: boolean,
   *   as: string }} options
   * @returns {Promise<unknown>}
   * @throws {IterationCut | RequestError}
   */
  connectStep (place, { target }, request, options) {
    return this.step(place, () => {
      const { user } = this
      const prepared = { target, request, own: [], url: urlOf(target, request.path).replace(/^http/, 'ws') }
      const socket = new FlowSocket(user, place.iteration, prepared, options, user.runtime.sockets())
      place.sockets = new Map(place.sockets).set(options.as, socket)
      return this.add(socket)
    })
  }

  /**
   * @param {import('../planned-call').Place} place in a flow
   * @param {() => Promise<unknown>} begin
   * @returns {Promise<unknown>}
   * @throws {IterationCut | RequestError}
   */
  step ({ iteration }, begin) {
    const { user } = this
    if (user.closed) return NEVER
    if (iteration.over) throw new IterationCut('AC_ITERATION_OVER')
    user.refusals = 0
    return begin()
  }

  /** @param {SocketLane} socket @returns {Promise<any>} @throws {RequestError} */
  add (socket) {
    const { connection, runtime } = this.user
    socket.usable()
    // Nothing is sent any more.
    if (connection.budget.left === 0) return NEVER
    this.open.add(socket)
    socket.iteration.change(runtime.now(), 1, 0)
    socket.begin()
    return socket.promise
  }

  /** Whether the function waits for a message of one of them, or for its end. */
  get isAwaited () {
    return [...this.open].some(({ isAwaited }) => isAwaited)
  }

  /** Unwritten messages of an iteration that is aborted are dropped. @param {Iteration} iteration */
  dropQueues (iteration) {
    for (const socket of [...this.open]) socket.dropQueue(iteration)
  }

  /** An iteration has ended. @param {boolean} isSetUp whether the user is: its sockets last as long as it does */
  endIteration (isSetUp) {
    for (const socket of [...this.open]) if (!socket.keeps || !isSetUp) socket.leave()
  }

  /** @returns {boolean} whether all of them have ended: the user sends nothing any more */
  finish () {
    const sockets = [...this.open]
    for (const socket of sockets) if (!socket.connection.ended && !socket.isBusy) socket.connection.finish()
    return sockets.every(({ connection }) => connection.ended)
  }

  /** The run is over. */
  close () {
    for (const socket of this.open) socket.drop()
  }
}

module.exports = { UserSockets }
