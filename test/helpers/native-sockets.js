'use strict'

// Native sockets without a load generator around them: a server of raw sockets, a group, and connections that it has taken over from node:net.

const { once } = require('node:events')
const net = require('node:net')
const { now } = require('../../lib/core/clock')
const { RunningClock } = require('../../lib/engine/pacing/running-clock')
const { NativeSockets } = require('../../lib/net/sockets/native-sockets')

/** Who is told of a native socket, as one is of those of node:net. */
class Listening {
  /** @param {(size: number, buffer: Buffer, start: number, arrival?: number, seen?: number) => unknown} onRead */
  constructor (onRead) {
    this.onRead = onRead
    /** @type {Record<string, (error?: any) => void>} */
    this.on = { end () {}, error () {}, drain () {}, full () {} }
  }

  /** @type {import('../../lib/net/sockets/native-socket').Listener['received']} */
  received (socket, ...read) {
    this.onRead(...read)
  }

  drained () { this.on.drain() }
  filled () { this.on.full() }
  /** @type {import('../../lib/net/sockets/native-socket').Listener['lost']} */
  lost (socket, error) { error === null ? this.on.end() : this.on.error(error) }
}

/** @param {() => boolean} condition */
async function until (condition) {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 1))
}

/**
 * @param {any} t
 * @param {(socket: net.Socket) => void} onConnection
 * @returns {Promise<{ port: number, peers: net.Socket[] }>}
 */
async function serveSockets (t, onConnection) {
  /** @type {net.Socket[]} */
  const peers = []
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    peers.push(socket.on('error', () => {}))
    onConnection(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const peer of peers) peer.destroy()
  })
  return { port: /** @type {net.AddressInfo} */ (server.address()).port, peers }
}

/**
 * @param {any} t
 * @param {import('../../lib/net/sockets/binding').Binding} binding
 * @param {{ arrivals?: boolean, batches?: boolean }} [options]
 */
function openGroup (t, binding, { arrivals = true, batches = true } = {}) {
  const sockets = new NativeSockets(binding, { clock: new RunningClock(now), arrivals, batches })
  t.teardown(() => sockets.close())
  return sockets
}

/**
 * @param {NativeSockets} sockets
 * @param {number} port
 * @param {(bytes: Buffer, arrival?: number, seen?: number) => void} [onBytes]
 * @returns {Promise<{ socket: any, events: string[], on?: Listening['on'] }>} socket: null where it could not be taken over
 */
async function connectOver (sockets, port, onBytes = () => {}) {
  const socket = net.connect(port, '127.0.0.1').pause()
  await once(socket, 'connect')
  const listening = new Listening((size, buffer, start, arrival, seen) => onBytes(Buffer.from(buffer.subarray(start, start + size)), arrival, seen))
  const adopted = sockets.adopt(socket, listening)
  if (adopted === null) {
    socket.destroy()
    return { socket: null, events: [] }
  }
  /** @type {string[]} */
  const events = []
  for (const event of ['end', 'drain', 'full']) listening.on[event] = () => events.push(event)
  listening.on.error = error => events.push(error.code)
  return { socket: adopted, events, on: listening.on }
}

module.exports = { Listening, connectOver, openGroup, serveSockets, until }
