'use strict'

// A server that is a queue as theory knows it: it works on one request at a time, in the order in which they come, and takes for
// each what a seeded list says, to the microsecond. When an answer is due is computed when its request comes; the event loop
// turns until then, so that reading, writing and turning cost none of the time that the list knows of.
//
// The path of a request is the seed of the list, which begins with the first request that has it; 0 answers at once.

const net = require('node:net')
const { spin } = require('../../lib/core/clock')
const { waited } = require('./core-waits')
const { exponential } = require('./single-queue')
const { behaviour, serve } = require('../served')

const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok')

/** How long a turn lasts at least, ms. */
const TURN = 0.002

class Queue {
  /** @param {{ mean: number, n: number }} behaviour ms, and how many requests there are at the most */
  constructor ({ mean, n }) {
    this.mean = mean
    this.n = n
    this.connections = 0
    this.onTurn = () => this.turn()
    this.begin(0)
  }

  accept (socket) {
    if (++this.connections === 1) setImmediate(this.onTurn)
    socket.on('error', () => {})
    socket.on('close', () => { this.connections-- })
    // A connection has one request at a time, which comes in one piece.
    socket.on('data', chunk => this.arrive(socket, parseInt(chunk.toString('latin1', 5, 15))))
  }

  arrive (socket, seed) {
    if (seed !== this.seed) this.begin(seed)
    const service = this.seed === 0 ? 0 : this.services[this.count++]
    this.free = Math.max(this.free, performance.now()) + service
    this.sockets.push(socket)
    this.ends.push(this.free)
  }

  /** @param {number} seed of a new run */
  begin (seed) {
    this.seed = seed
    this.services = exponential(this.n, this.mean, seed)
    this.count = 0
    this.free = 0
    /** @type {net.Socket[]} that wait, and when each is answered */
    this.sockets = []
    this.ends = []
    this.answered = 0
  }

  turn () {
    for (; this.answered < this.ends.length && this.ends[this.answered] <= performance.now(); this.answered++) {
      const socket = this.sockets[this.answered]
      if (!socket.destroyed) socket.write(ANSWER)
    }
    // Fewer turns leave less to collect: its pauses would be in the answers.
    spin(TURN)
    if (this.connections > 0) setImmediate(this.onTurn)
  }
}

const queue = new Queue(behaviour())
serve(net.createServer({ noDelay: true }, socket => queue.accept(socket)), waited)
