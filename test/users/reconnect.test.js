'use strict'

// The wait before a stream is continued. Ids and requests are in test/contract/streams/stream-reconnects.test.js.

const t = require('tap')
const { Reconnect } = require('../../lib/users/reconnect')

t.test('a server may set a wait of up to a minute', async t => {
  const reconnect = new Reconnect(3000, () => { throw new Error('nothing is sent') }, () => {})
  for (const [retry, waitMs] of [[null, 3000], [0, 0], [60_000, 60_000], [60_001, 60_000], [Infinity, 60_000], [null, 60_000]]) {
    t.equal(reconnect.ended({ lastEventId: '', retry }, false, 0, []), retry > 60_000, `retry: ${retry}`)
    t.equal(reconnect.waitMs, waitMs)
  }
})
