'use strict'

// Users over HTTP/2 with exact times: the clock and the server's end of each connection belong to the test.

const { conserves } = require('../../helpers/results/conservation')
const { http2 } = require('../../../lib/protocols/http2/peer')
const { Http2Server, frame } = require('../../helpers/servers/http2-server')
const { generatorOf, nobody } = require('./fake-load')

const REQUESTS = [{ path: '/a' }, { path: '/b' }]

/** @returns {any} a run of users, and the server's end of each connection */
function usersOf (opts, observer = nobody) {
  const log = generatorOf({ http: '2', scenarios: [{ name: 'browse', requests: REQUESTS }], duration: 10, ...opts }, observer, {}, { protocol: http2() })
  const servers = []
  return Object.assign(log, {
    servers,
    /** The i-th connection is made; its server has not sent SETTINGS yet. */
    connect (i) {
      const socket = log.sockets[i]
      const server = new Http2Server(socket)
      server.writes = 0
      server.times = []
      socket.write = bytes => {
        server.writes++
        server.receive(bytes)
        while (server.times.length < server.requests.length) server.times.push(log.time.ms)
        return socket.writableLength === 0
      }
      servers[i] = server
      socket.ready()
      return server
    },
    /** The i-th connection is made, and its server takes requests. */
    ready (i = servers.length, settings = '') {
      const server = this.connect(i)
      server.greet(settings)
      return server
    },
    start () {
      log.generator.start()
      log.time.pass(1)
      return log.sockets.map((_, i) => this.ready(i))
    }
  })
}

const answer = (server, ...requests) => server.socket.read(Buffer.concat(requests.map(request => Buffer.concat([server.begin(request, 'hi'), server.end(request)]))))
const answerAll = server => answer(server, ...server.waiting)
const goaway = (last, code = 0) => {
  const payload = Buffer.alloc(8)
  payload.writeUInt32BE(last, 0)
  payload.writeUInt32BE(code, 4)
  return frame(7, 0, 0, payload)
}
const paths = server => server.requests.map(({ fields }) => fields[':path'])

/** Ends the run and gives its result, in which every request has one fate, and was seen by a server unless said. */
function end (t, log, ms = 10_000, { neverSent = 0, neverSeen = 0 } = {}) {
  log.time.pass(ms)
  t.equal(log.ends, 1)
  const result = log.result()
  conserves(t, result, { neverSent, arrived: log.servers.reduce((sum, { requests }) => sum + requests.length, neverSeen) })
  return result
}

module.exports = { REQUESTS, usersOf, answer, answerAll, goaway, paths, end }
