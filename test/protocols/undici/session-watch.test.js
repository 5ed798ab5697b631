'use strict'

const t = require('tap')
const { SessionWatch, sessionOf } = require('../../../lib/protocols/undici/session-watch')

/** A socket and its session, which writes PINGs or is dead. */
function pair ({ isDead = false, takesPings = true, queued = 0 } = {}) {
  const socket = { bytesWritten: 100, _handle: { writeQueueSize: queued } }
  const session = {
    pings: 0,
    destroyed: false,
    closed: false,
    connecting: false,
    ping () {
      if (!takesPings) return false
      session.pings++
      if (!isDead && queued === 0) socket.bytesWritten += 17
      return true
    }
  }
  return { socket, session }
}

/** Looks every 100 ms. @returns {number} when the session was found dead; -1 for never */
function watch ({ socket, session }, until, readAt = () => 5) {
  const watch = new SessionWatch()
  for (let at = 0; at <= until; at += 100) if (watch.look(socket, session, at, readAt(at))) return at
  return -1
}

t.test('a session that does not write its PING is dead', async t => {
  t.equal(watch(pair({ isDead: true }), 1000), 300)
})

t.test('a slow server keeps its session, and receives few PINGs', async t => {
  const one = pair()
  t.equal(watch(one, 20_000), -1)
  t.equal(one.session.pings, 4)
})

t.test('there is no PING while responses arrive, and none while nothing is in flight', async t => {
  for (const readAt of [at => at, () => -1]) {
    const one = pair({ isDead: true })
    t.equal(watch(one, 5000, readAt), -1)
    t.equal(one.session.pings, 0)
  }
})

t.test('there is no verdict without a PING on its way', async t => {
  t.equal(watch(pair({ isDead: true, queued: 1 }), 5000), -1, 'the peer does not read')
  t.equal(watch(pair({ isDead: true, takesPings: false }), 5000), -1, 'too many PINGs are unanswered')
  for (const key of ['destroyed', 'closed', 'connecting']) {
    const one = pair({ isDead: true })
    one.session[key] = true
    t.equal(watch(one, 5000), -1, key)
  }
  t.equal(watch({ ...pair(), session: null }, 5000), -1, 'undici has made no session yet')
})

t.test('a socket without a session of undici has none', async t => {
  t.equal(sessionOf({}), null)
})
