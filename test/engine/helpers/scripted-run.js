'use strict'

// A run on the fake clock against a server that does what a script says, request by request.

const { FakeSocket, generatorOf, nobody } = require('./fake-load')

const answer = (status, headers = '', body = 'hi') => Buffer.from(`HTTP/1.1 ${status} X\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`)

/**
 * A run whose connections are there at once, against a server that does one thing of a script for each request, and then answers 200 in 1 ms.
 * @param {Record<string, unknown>} opts
 * @param {Array<(socket: any) => void>} script
 * @param {object} [observer]
 */
function runOf (opts, script, observer) {
  const sent = []
  const server = {
    refuses: 0,
    serve (socket, bytes) {
      sent.push({ at: socket.time.ms, bytes: bytes.toString() })
      const next = script.shift() ?? says(200)
      next(socket)
    }
  }
  const sockets = []
  const connect = (target, onread, onReady) => {
    const { time } = log
    const socket = new FakeSocket(onread, onReady, time)
    sockets.push(socket)
    socket.write = bytes => {
      server.serve(socket, bytes)
      return true
    }
    if (server.refuses-- > 0) time.at(time.ms, () => socket.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })))
    else time.at(time.ms, () => { if (!socket.destroyed) onReady(socket) })
    return socket
  }
  const log = generatorOf(opts, observer ?? nobody, {}, { connect })
  return Object.assign(log, { sent, server, sockets, retries: () => log.totals.retries })
}

/** @param {number} status */
const says = (status, headers, body, ms = 1) => socket => socket.time.at(socket.time.ms + ms, () => { if (!socket.destroyed) socket.read(answer(status, headers, body)) })
/** Inside a response, so that the request is not sent again. */
const resets = socket => socket.time.at(socket.time.ms + 1, () => {
  if (socket.destroyed) return
  socket.read(Buffer.from('H'))
  socket.emit('error', Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
})
const closes = socket => socket.time.at(socket.time.ms + 1, () => { if (!socket.destroyed) socket.emit('end') })
const isSilent = () => {}

/** @param {any} log */
function finish (log, ms = 1000) {
  log.generator.start()
  log.time.pass(ms)
  if (log.ends === 0) log.generator.stop()
  log.time.pass(10)
  return log.result()
}

module.exports = { closes, finish, isSilent, resets, runOf, says }
