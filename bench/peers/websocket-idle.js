'use strict'

// The server of idle WebSocket connections: it accepts them and responds to pings. It prints its port.

const { WebSocketServer } = require('ws')

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', backlog: 16384, perMessageDeflate: false, clientTracking: false })
server.on('listening', () => console.log(server.address().port))
