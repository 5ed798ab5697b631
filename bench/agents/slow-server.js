'use strict'

// A server over TLS whose latencies are spread widely and have a long tail, and which fails now and then: what agents report of it is as much as of
// most servers. It runs in a process of its own.

const fs = require('node:fs')
const https = require('node:https')
const path = require('node:path')
const { randomFrom } = require('../../lib/core/random')
const { behaviour, serve } = require('../served')

const TLS = path.join(__dirname, '../../test/fixtures/tls')

/** ms: half of the answers take longer. */
const MEDIAN = 20

/** Of the logarithm: one in a hundred takes longer than 200 ms, and one in a thousand longer than 440. */
const SPREAD = 1

const random = randomFrom(behaviour())
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
serve(https.createServer({ key: fs.readFileSync(path.join(TLS, 'key.pem')), cert: fs.readFileSync(path.join(TLS, 'cert.pem')) }, (request, response) => {
  const fate = random()
  setTimeout(() => {
    if (fate < 0.002) return request.socket.destroy()
    response.statusCode = fate < 0.01 ? 503 : 200
    response.end('hello')
  }, MEDIAN * Math.exp(SPREAD * normal()))
}))
