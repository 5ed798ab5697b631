'use strict'

// The objects and settings that all connections of a generator share.

const { wallNow } = require('../core/clock')
const { INSTRUMENTS } = require('../instruments')
const { requestsThrough } = require('../net/route')
const { makeConnect } = require('../net/transport')

const READ_BUFFER = 64 * 1024

/**
 * @typedef {import('./connection').Connection} Connection
 *
 * @typedef {object} Shared
 * @property {import('../core/clock').Clock} now
 * @property {import('../net/transport').Connect} connect
 * @property {import('../protocols/peer').Protocol} protocol
 * @property {Buffer} readBuffer
 * @property {import('../net/sockets/native-sockets').NativeSockets | null} sockets null for sockets of node:net
 * @property {import('../record/recorder').Recorder} recorder
 * @property {import('../protocols/peer').MessageCounts | null} messages null for a protocol without messages
 * @property {import('../protocols/peer').EventCounts | null} pushed null if unsolicited messages are not measured
 * @property {import('../core/clock').Clock} wallNow ms since 1970
 * @property {Observer} observer
 * @property {number} pipelining
 * @property {number} timeout ms
 * @property {number} connectTimeout ms
 * @property {number} perSocket requests after which the connection is reopened; Infinity for never
 * @property {number} startedAt start of the load on the clock `now`, and origin of a pace; Infinity before
 * @property {boolean} correctsOmission whether latency counts from the intended time
 * @property {(delay: number, action: () => void) => void} after calls `action` after `delay` ms, unless the run ends
 *   first
 * @property {(connection: { wake: (until: number) => void }, until: number) => void} pause wakes the connection at this
 *   time; Infinity: when an iteration is due; IDLE: never
 * @property {() => Shared} forSockets returns the shared objects for WebSockets of user functions
 * @property {(connection: Connection) => void} join adds another connection of a user
 * @property {(line: string) => void} log logs a line of a user function
 * @property {(connection: Connection) => void} withdraw removes a connection that waits for an iteration, after the
 *   loss of its socket
 * @property {(connection: Connection) => void} hold delays the refill of the pipeline
 * @property {(connection: Connection) => void} reopen opens it now, or in a later turn if others use up this one
 * @property {import('./waiting-room').WaitingRoom} waitingRoom for connections without a file descriptor or port
 * @property {(ms: number) => void} onConnected receives the connect time
 * @property {(connection: Connection) => void} onAttempt called once, when the first attempt has succeeded or failed
 * @property {(connection: Connection) => void} onEnd called once, when the connection has no further requests
 * @property {() => void} onUsedUp called once, during a write, when data is used up: no further iteration begins
 * @property {() => void} onLastIteration called once, during a write: no further iteration begins
 * @property {(error: Error) => void} onFailure receives the failure of a hook, which ends the run
 * @property {(streams: number) => void} onStreamLimit called if a server allows fewer streams per connection than
 *   configured
 * @property {(connection: Connection) => import('../response/client').Client} makeClient
 */

/**
 * Listeners to single requests. A function is null without a listener. The connection is null if it is in another
 * thread.
 * @typedef {object} Observer
 * @property {((connection: Connection | null, status: number, size: number, ms: number) => void) | null} response
 * @property {((error: Error & { code?: string }) => void) | null} requestError
 * @property {((body: string) => void) | null} mismatch receives the body of a response that was not as expected
 */

/**
 * @param {import('./generator').Generator} generator
 * @param {Pick<Shared, 'protocol' | 'observer' | 'after' | 'makeClient'> & { edge: import('./generator').Edge,
 *   refills: import('./pacing/refills').Refills }} needs
 * @returns {Shared}
 */
function sharedBy (generator, { edge, protocol, observer, after, refills, makeClient }) {
  const { plan, now, recorder, sockets, traits } = generator
  const onHandshake = handshakeCounter(generator)
  const onProxied = proxyCounter(generator)
  /** @type {(alpn: ReadonlyArray<string>, tunnels: true | undefined) => import('../net/transport').Connect} */
  const connectBy = (alpn, tunnels) => {
    const connect = edge.connect ?? makeConnect(plan.network, {
      lookup: edge.lookup, alpn, resumes: plan.tls?.sessionReuse, now, onHandshake,
      timeout: plan.connectTimeout, tunnels, onProxied, sockets
    })
    return sockets === null ? connect : sockets.takeOver(connect)
  }
  /** Connects WebSockets of user functions; null before the first. @type {import('../net/transport').Connect | null} */
  let connectSocket = null
  /** @type {Shared} */
  const shared = {
    now,
    after,
    startedAt: Infinity,
    connect: connectBy(protocol.alpn, traits.tunnels),
    forSockets: () => {
      connectSocket ??= connectBy(['http/1.1'], true)
      return Object.assign(Object.create(generator.shared), {
        protocol, onConnected: shared.onConnected, connect: connectSocket
      })
    },
    readBuffer: Buffer.allocUnsafeSlow(READ_BUFFER),
    protocol,
    sockets,
    recorder,
    messages: recorder.instruments.websocket,
    pushed: plan.websocket?.receives ? recorder.instruments.streams : null,
    wallNow,
    observer,
    pipelining: plan.pipelining,
    timeout: plan.timeout,
    connectTimeout: plan.connectTimeout,
    perSocket: Math.min(plan.reconnectRate, protocol.perSocket ?? Infinity),
    correctsOmission: !plan.ignoreCoordinatedOmission,
    makeClient,
    onConnected: ms => recorder.distributions.current.connect.record(ms),
    onFailure: error => generator.fail(error),
    onStreamLimit: streams => recorder.limitStreams(streams),
    pause: (connection, until) => generator.pause(connection, until),
    join: connection => generator.connections.addBeside(connection),
    log: line => generator.sinks.log?.(line),
    withdraw: connection => generator.pacer?.withdraw?.(connection),
    hold: connection => refills.add(connection),
    reopen: connection => generator.opening.add([connection]),
    waitingRoom: generator.waitingRoom,
    onAttempt: connection => generator.connections.attempted(connection),
    onEnd: connection => generator.onEnd(connection),
    onUsedUp: () => {
      generator.usedUp = true
      generator.shared.onLastIteration()
    },
    onLastIteration: () => {
      generator.connections.over = true
      after(0, () => { if (generator.connections.endAfterIterations()) generator.stop() })
    }
  }
  return shared
}

/**
 * Null without TLS, or with a dispatcher, which does not report handshakes.
 * @type {(generator: import('./generator').Generator) =>
 *   ((socket: import('node:tls').TLSSocket, ms: number) => void) | null}
 */
function handshakeCounter ({ plan, recorder }) {
  const { isIn, record } = INSTRUMENTS.handshakes
  if (!isIn(plan)) return null
  const handshakes = recorder.measure('handshakes', new (record().Handshakes)())
  return (socket, ms) =>
    handshakes.count(ms, socket.isSessionReused(), `${socket.getProtocol()} ${socket.getCipher().name}`)
}

/**
 * Undefined without a proxy.
 * @type {(generator: import('./generator').Generator) => ((ms: number) => void) | undefined}
 */
function proxyCounter ({ plan, recorder, traits }) {
  const { isIn, record } = INSTRUMENTS.proxied
  if (!isIn(plan)) return undefined
  const through = traits.tunnels ? null : requestsThrough(plan.network)
  const { connect } = recorder.measure(
    'proxied',
    new (record().Proxied)(through !== null && plan.targets.some(target => through(target) !== null))
  )
  return ms => connect.record(ms)
}

module.exports = { sharedBy }
