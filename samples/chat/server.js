'use strict'

// The server of the sample, with the package ws (npm install ws): POST /login responds with a cookie, without which /chat
// refuses a WebSocket. In the chat, each message with an id gets its response, and what one says reaches all in its room.
// It listens on PORT.

const http = require('node:http')
const { WebSocketServer } = require('ws')

/** @type {Map<string, Set<import('ws').WebSocket>>} */
const rooms = new Map()

const server = http.createServer((request, response) => {
  const isLogin = request.method === 'POST' && request.url === '/login'
  request.resume().on('end', () => response.writeHead(isLogin ? 204 : 404, isLogin ? { 'set-cookie': 'sid=1' } : {}).end())
})

const chat = new WebSocketServer({
  server, path: '/chat', verifyClient: ({ req }, done) => done(req.headers.cookie === 'sid=1', 401)
})

chat.on('connection', socket => {
  let members = new Set()
  socket.on('close', () => members.delete(socket))
  socket.on('message', bytes => {
    const { id, join, say } = JSON.parse(String(bytes))
    if (join !== undefined) {
      members = rooms.get(join) ?? new Set()
      rooms.set(join, members.add(socket))
    }
    socket.send(JSON.stringify({ id, ok: join !== undefined || members.has(socket) }))
    if (say !== undefined) for (const member of members) member.send(JSON.stringify({ said: say, sentAt: Date.now() }))
  })
})

server.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
