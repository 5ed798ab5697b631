'use strict'

// Additional connections of user functions, for parallel requests and for WebSockets.

const { makeRule, ofMessages } = require('../checks/rule')
const { INSTRUMENTS } = require('../instruments')
const { within } = require('../requests/place')
const { Template, compileRequest } = require('../templates/template')
const { withCookie } = require('../users/session')
const { Connection } = require('./connection')
const { Functions } = require('./functions')
const { IdlePeers } = require('./idle-peers')

/**
 * @typedef {(lane: import('../functions/sockets/socket-lane').SocketLane, makePeer: (
 *   wanted: import('../protocols/websocket/handshake').Wanted
 * ) => import('../protocols/peer').MakePeer) => import('./function-socket').FunctionSocket} ConnectSocket
 */

/** The limit of unanswered messages on one WebSocket of a user function; more wait. */
const MOST_IN_FLIGHT = 100

class FunctionConnections {
  /** @param {import('./connection-maker').ConnectionMaker} maker */
  constructor (maker) {
    this.maker = maker
    this.shared = maker.shared
  }

  /**
   * @param {import('./user-sources').UserSources} users with functions among them
   * @returns {Functions}
   */
  functionsFor (users) {
    const { shared, maker } = this
    const { plan, means } = maker
    return new Functions({
      plan, shared, awaited: maker.awaited,
      sessions: /** @type {import('../users/session').Sessions} */ (users.sessions),
      ownOf: number => maker.ownOf(number), onRetry: users.onRetry, findings: users.findings,
      connect: (beside, laneOf) => this.connectBeside(beside, laneOf),
      connectSocket: (lane, makePeer) => this.connectSocket(lane, makePeer),
      compile (target, request) {
        const made = compileRequest(request, target, { ...means, sharedValues: null })
        const [bytes, template] = made instanceof Template ? [null, made] : [means.keep?.(made) ?? made, null]
        return { request, target, bytes, template }
      },
      stepOf: (target, request, { name, expect, capture, retries, isMessage = false }) => {
        const base = isMessage ? ofMessages(plan.ruleBase) : plan.ruleBase
        const rule = makeRule({ name, expect }, base, request, target, false)
        const captures = capture === undefined
          ? undefined
          : within('.capture', () => require('../checks/capture').parseCaptures(capture, false))
        const [step] = maker.compile([{
          target,
          request,
          rule,
          keepsBody: true,
          isStream: !isMessage,
          hooks: { setupRequest: undefined, onResponse: undefined, check: undefined, checkEvent: undefined },
          ...captures !== undefined && { captures },
          ...retries !== 0 && { retries }
        }]).steps
        return step
      }
    })
  }

  /**
   * @param {Connection} beside the first connection of a user that sends parallel requests
   * @param {(connection: Connection) => import('../functions/lane').Lane} laneOf
   * @returns {Connection} an additional one
   */
  connectBeside (beside, laneOf) {
    const { group, number, budget } = beside
    const connection = new Connection({ shared: this.shared, budget, group, number })
    // The load does not wait for this connection.
    connection.attempted = true
    this.maker.readersOf(connection)
    connection.idlePeers = new IdlePeers(this.maker.onIdleClosed)
    connection.source = connection.responses.user = laneOf(connection)
    this.shared.join(connection)
    return connection
  }

  /** @type {ConnectSocket} */
  connectSocket (lane, makePeer) {
    const { user, target, request, timeout } = lane
    const { FunctionSocket } = require('./function-socket')
    const beside = /** @type {Connection} */ (user.connection)
    const { home: { session, own } } = user
    session.putCookies(request, target, own, this.shared.now())
    const { authority, authorization } = target
    const { headers } = own.cookies === '' ? request : withCookie(request, own.cookies)
    const { recorder } = this.shared
    const messages = recorder.instruments.websocket ??
      recorder.measure('websocket', new (INSTRUMENTS.websocket.record().Messages)())
    const path = /** @type {string} */ (request.path)
    const peer = makePeer({ authority, path, authorization, headers, protocols: lane.protocols, offer: null })
    const shared = this.shared.forSockets()
    Object.assign(shared, {
      messages, pipelining: MOST_IN_FLIGHT, pushed: null, perSocket: Infinity, protocol: { ...shared.protocol, peer },
      ...timeout !== null && { timeout, connectTimeout: timeout }
    })
    const { budget, group, number } = beside
    const connection = new FunctionSocket({ shared, budget, group, number })
    this.maker.readersOf(connection)
    connection.source = /** @type {any} */ (connection.responses.user = lane)
    this.shared.join(connection)
    return connection
  }
}

module.exports = { FunctionConnections }
