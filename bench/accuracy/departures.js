'use strict'

// How far from their schedule requests are written, seen from outside of the tool: the sockets of this process say when
// somebody writes to them. Beside it, on the same core, a loop that does nothing but wait for the clock, and one that writes as well.

const { once } = require('node:events')
const { writeSync } = require('node:fs')
const net = require('node:net')

/** The first byte of a request. */
const G = 'G'.charCodeAt(0)

/**
 * @param {() => Promise<unknown>} run that sends requests by GET, each in one write
 * @param {number} interval ms between two requests
 * @returns {Promise<number[]>} by how much each was later than the one that was the least late, ms
 */
async function latenessOf (run, interval) {
  const writes = []
  const { write } = net.Socket.prototype
  net.Socket.prototype.write = function (/** @type {any} */ chunk, /** @type {any[]} */ ...rest) {
    if (chunk[0] === G) writes.push(performance.now())
    return write.call(this, chunk, ...rest)
  }
  try {
    await run()
  } finally {
    net.Socket.prototype.write = write
  }
  const starts = writes.map((at, n) => at - n * interval)
  const start = starts.reduce((earliest, at) => Math.min(earliest, at), Infinity)
  return starts.map(at => at - start)
}

/**
 * @param {number} ms how long it lasts
 * @param {number} interval ms
 * @param {() => void} [act] what is done each time
 * @returns {number[]} by how much each look at the clock that was due was late, ms
 */
function latenessOfLoop (ms, interval, act = () => {}) {
  const late = []
  const start = performance.now()
  for (let due = start; due < start + ms; due += interval) {
    let at = performance.now()
    while (at < due) at = performance.now()
    late.push(at - due)
    act()
  }
  return late
}

/**
 * The same with a request each time: what the system needs for a write, which wakes the server, and nothing of the tool. Answers are not read.
 * @param {number} interval ms
 * @returns {Promise<number[]>} ms
 */
async function latenessOfWrites (url, connections, ms, interval) {
  const { host, hostname, port } = new URL(url)
  const request = Buffer.from(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: keep-alive\r\n\r\n`)
  const sockets = Array.from({ length: connections }, () => net.connect({ host: hostname, port: Number(port), noDelay: true }).pause())
  try {
    await Promise.all(sockets.map(socket => once(socket, 'connect')))
    // A write of a socket would be done later, in the event loop, when it can't be done at once.
    const files = sockets.map(socket => /** @type {any} */ (socket)._handle.fd)
    let turn = 0
    return latenessOfLoop(ms, interval, () => writeSync(files[turn++ % connections], request))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

module.exports = { latenessOf, latenessOfLoop, latenessOfWrites }
