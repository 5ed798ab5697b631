'use strict'

// The server of the soak: it answers, does wrong what it is told to do wrong, and counts all of it. It runs in a
// process of its own, which its parent starts with its behaviour as JSON and asks for its counts.

const net = require('node:net')
const { behaviour, headCounter, serve } = require('../served')

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 11\r\n\r\nhello world')
const ERROR = Buffer.from('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy')
const GARBAGE = Buffer.from('what did you say?\r\n\r\n')
const PIECE = Buffer.alloc(1 << 16)

/** What the server does wrong; each is one request's fate. */
const FAULTS = {
  AC_CLOSED: socket => { socket.end() },
  AC_TRUNCATED: socket => { socket.end(ANSWER.subarray(0, -4)) },
  AC_STATUS_LINE: socket => { socket.end(GARBAGE) },
  AC_TIMEOUT: () => {},
  ECONNRESET: socket => {
    // Not resetAndDestroy(): that sends a FIN first.
    Object.assign(socket, { resetAndClosing: true })
    socket.destroy()
  },
  503: socket => { socket.write(ERROR) }
}
const KINDS = Object.keys(FAULTS)

/**
 * @typedef {object} Behaviour
 * @property {number} [faultEvery] each n-th request is answered wrongly, in all ways in turn
 * @property {number} [bodySize] bytes of each answer's body instead of the usual one
 */

class Server {
  constructor ({ faultEvery = Infinity, bodySize = 0 }) {
    this.faultEvery = faultEvery
    this.bodySize = bodySize
    this.counts = { connections: 0, open: 0, broken: 0, requests: 0, answered: 0, /** @type {Record<string, number>} */ faults: {} }
    this.server = net.createServer({ noDelay: true }, socket => this.accept(socket))
  }

  accept (socket) {
    const { counts } = this
    counts.connections++
    counts.open++
    socket.on('error', () => { counts.broken++ })
    socket.on('close', () => { counts.open-- })
    const heads = headCounter()
    socket.on('data', chunk => {
      const due = heads(chunk)
      if (due > 0) this.answer(socket, due)
    })
  }

  answer (socket, due) {
    const { counts } = this
    let right = 0
    for (let i = 0; i < due; i++) {
      counts.requests++
      if (counts.requests % this.faultEvery !== 0) {
        right++
        continue
      }
      const kind = KINDS[counts.requests / this.faultEvery % KINDS.length]
      counts.faults[kind] = (counts.faults[kind] ?? 0) + 1
      FAULTS[kind](socket)
    }
    if (right === 0) return
    counts.answered += right
    if (this.bodySize > 0) this.stream(socket)
    else socket.write(right === 1 ? ANSWER : Buffer.concat(Array(right).fill(ANSWER)))
  }

  stream (socket) {
    let left = this.bodySize
    const more = () => {
      while (left > 0) {
        const piece = left < PIECE.length ? PIECE.subarray(0, left) : PIECE
        left -= piece.length
        if (!socket.write(piece)) return socket.once('drain', more)
      }
    }
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${left}\r\n\r\n`)
    more()
  }
}

const { server, counts } = new Server(behaviour())
serve(server, () => counts)
