'use strict'

// Messages that no entry of a scenario has taken: bounded by number, by bytes, and together with those of other WebSockets.

const t = require('tap')
const { Inbox } = require('../../../lib/functions/sockets/inbox')

/** @param {Inbox} inbox */
const texts = inbox => inbox.list.map(String)

t.test('it keeps the last 1,000, 1 MiB, and one that is larger', async t => {
  const backlog = { bytes: 0 }
  const inbox = new Inbox(backlog)
  for (let i = 0; i < 3000; i++) inbox.put(Buffer.from(String(i)))
  t.strictSame([texts(inbox).length, texts(inbox)[0], texts(inbox)[999]], [1000, '2000', '2999'])
  for (let i = 0; i < 20; i++) inbox.put(Buffer.alloc(100_000))
  t.strictSame([inbox.list.length, inbox.bytes], [10, 10 * 100_200])
  inbox.put(Buffer.alloc(5_000_000))
  t.strictSame([inbox.list.length, inbox.bytes, backlog.bytes], [1, 5_000_200, 5_000_200])
  inbox.close()
  inbox.put(Buffer.from('late'))
  t.strictSame([inbox.list.length, backlog.bytes], [0, 0])
})

t.test('where all of them have much, each keeps its last one', async t => {
  const backlog = { bytes: 300 * 1024 * 1024 }
  const inbox = new Inbox(backlog)
  for (const text of ['a', 'b', 'c']) inbox.put(Buffer.from(text))
  t.strictSame(texts(inbox), ['c'])
})

t.test('those that are taken are gone, and others stay in their order', async t => {
  const inbox = new Inbox({ bytes: 0 })
  for (const text of ['a1', 'b1', 'a2', 'b2', 'a3']) inbox.put(Buffer.from(text))
  /** @type {(letter: string) => (heard: import('../../../lib/functions/sockets/received-message').ReceivedMessage) => boolean} */
  const of = letter => ({ text }) => text.startsWith(letter)
  t.equal(String(inbox.take(of('a'), 2)), 'a2')
  t.strictSame(texts(inbox), ['b1', 'b2', 'a3'])
  t.equal(inbox.take(of('a'), 2), null, 'fewer than wanted')
  t.strictSame(texts(inbox), ['b1', 'b2'])
  t.equal(inbox.bytes, 2 * 202)
})
