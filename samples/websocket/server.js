'use strict'

// The server of the sample, with the package ws (npm install ws): /echo sends each message back, in one of ten cases 50 ms later, and /ticker
// sends the time every 20 ms. It listens on PORT.

const { WebSocketServer } = require('ws')

const server = new WebSocketServer({ port: process.env.PORT ?? 0, host: '127.0.0.1' })
let received = 0
server.on('connection', (socket, request) => {
  // A frame that breaks RFC 6455 closes its socket, and not the server.
  socket.on('error', () => {})
  if (request.url === '/ticker') {
    const timer = setInterval(() => socket.send(JSON.stringify({ sentAt: Date.now() })), 20)
    return socket.on('close', () => clearInterval(timer))
  }
  socket.on('message', message => setTimeout(() => socket.send(String(message)), ++received % 10 === 0 ? 50 : 0))
})
server.on('listening', () => console.log(`ws://127.0.0.1:${server.address().port}`))
