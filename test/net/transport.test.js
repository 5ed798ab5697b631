'use strict'

// How sockets are opened, without a load on them.

const t = require('tap')
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { parseTarget } = require('../../lib/requests/target')
const { makeConnect } = require('../../lib/net/transport')
const { rawServer, answer } = require('../helpers/servers/raw-server')

const fixture = name => readFileSync(join(__dirname, '..', 'fixtures', 'tls', name))
const secure = { key: fixture('key.pem'), cert: fixture('cert.pem') }

const onread = () => ({ buffer: Buffer.alloc(1024), callback: () => true })

t.test('over TLS, the protocol says what is offered, and the target says otherwise', async t => {
  const server = await rawServer(t, answer(), { tls: { ...secure, ALPNProtocols: ['h2', 'http/1.1', 'other'] } })
  for (const [alpn, tlsOptions, agreed] of [
    [undefined, {}, 'http/1.1'],
    [['h2'], {}, 'h2'],
    [['h2', 'http/1.1'], {}, 'h2'],
    [['h2'], { ALPNProtocols: ['other'] }, 'other']
  ]) {
    const connect = makeConnect(null, { alpn })
    const socket = await new Promise((resolve, reject) => connect(parseTarget(server.url, { tlsOptions }), onread(), resolve).on('error', reject))
    t.equal(socket.alpnProtocol, agreed)
    socket.destroy()
  }
})
