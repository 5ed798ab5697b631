'use strict'

const t = require('tap')
const { randomFrom } = require('../../lib/core/random')
const { TraceParent } = require('../../lib/templates/trace-parent')

/** What is random, from a seed. */
const drawFrom = (/** @type {number} */ seed) => {
  const random = randomFrom(seed)
  return (/** @type {Buffer} */ bytes) => { for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(256 * random()) }
}

/** @param {TraceParent} trace */
const next = trace => {
  const bytes = Buffer.alloc(trace.size + 4, '#')
  trace.write(null, bytes, 2)
  if (bytes.toString('latin1', 0, 2) + bytes.toString('latin1', trace.size + 2) !== '####') t.fail('it keeps to its place')
  return bytes.toString('latin1', 2, trace.size + 2)
}

t.test('is what was drawn, byte by byte', async t => {
  const drawn = []
  const draw = drawFrom(1)
  const trace = new TraceParent(1, bytes => {
    draw(bytes)
    drawn.push(Buffer.from(bytes))
  })
  const made = Array.from({ length: 400 }, () => next(trace))
  const all = Buffer.concat(drawn)
  t.strictSame(made, made.map((_, i) => `00-${all.toString('hex', 24 * i, 24 * i + 16)}-${all.toString('hex', 24 * i + 16, 24 * i + 24)}-01`))
  t.equal(drawn.length, 3, 'for many at once')
})

t.test('each is another one', async t => {
  const trace = new TraceParent(0.5)
  t.equal(new Set(Array.from({ length: 5000 }, () => next(trace).slice(3, 52))).size, 5000)
})

t.test('a share is sampled, by the end of the id of the trace', async t => {
  for (const [share, from, to] of [[0, 0, 0], [0.01, 60, 140], [0.5, 4800, 5200], [1, 10_000, 10_000]]) {
    const trace = new TraceParent(share, drawFrom(7))
    const made = Array.from({ length: 10_000 }, () => next(trace))
    const sampled = made.filter(value => value.endsWith('-01'))
    t.ok(sampled.length >= from && sampled.length <= to, `${share}: ${sampled.length}`)
    const ends = made.map(value => [parseInt(value.slice(21, 33), 16) / 2 ** 48, value.endsWith('-01')])
    for (const [end, isSampled] of ends) if (isSampled !== (end >= 1 - share)) t.fail('it goes by the id')
  }
})

t.test('a header of the request itself is respected, however it is written', async t => {
  const trace = new TraceParent(1)
  t.ok(trace.isFor([['accept', 'text/html'], ['tracestate', 'x=1']]))
  for (const name of ['traceparent', 'Traceparent', 'TraceParent']) t.notOk(trace.isFor([['accept', '*/*'], [name, 'x']]))
})
