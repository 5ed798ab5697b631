'use strict'

const t = require('tap')
const zlib = require('node:zlib')
const { Recorder } = require('../../lib/record/recorder')
const { Decoder } = require('../../lib/response/decoder')

t.test('the last body of a step is decoded once, whatever comes between from other steps, and counted each time', async t => {
  const recorder = new Recorder()
  const decoder = new Decoder(recorder)
  const [one, other] = [{}, {}]
  const [a, b] = ['a'.repeat(100), 'b'.repeat(200)].map(text => zlib.gzipSync(text))
  const first = decoder.decode(one, 'gzip', a)
  t.equal(first.text, 'a'.repeat(100))
  t.equal(decoder.decode(other, 'gzip', b).text, 'b'.repeat(200))
  t.equal(decoder.decode(one, 'gzip', Buffer.from(a)), first)
  t.equal(decoder.decode(one, 'gzip', b).text, 'b'.repeat(200))
  t.not(decoder.decode(one, 'gzip', a), first)
  t.throws(() => decoder.decode(one, 'br', a), { code: 'AC_CONTENT_ENCODING' }, 'the same bytes in another coding are another body')
  t.match(recorder, { decodings: 5, encodedBytes: 3 * a.length + 2 * b.length, decodedBytes: 3 * 100 + 2 * 200 })
})

t.test('what is read into the same buffer later changes nothing', async t => {
  const decoder = new Decoder(new Recorder())
  const step = {}
  const buffer = Buffer.from(zlib.gzipSync('first'))
  const first = decoder.decode(step, 'gzip', buffer)
  zlib.gzipSync('other').copy(buffer)
  t.equal(decoder.decode(step, 'gzip', buffer).text, 'other')
  t.equal(first.text, 'first')
})

t.test('all that is kept has room in 32 MiB', async t => {
  const decoder = new Decoder(new Recorder())
  const body = zlib.gzipSync(Buffer.alloc(6 * 1024 * 1024))
  const steps = [{}, {}, {}]
  const [first, second] = steps.map(step => decoder.decode(step, 'gzip', body))
  t.equal(decoder.decode(steps[0], 'gzip', body), first)
  t.not(decoder.decode(steps[1], 'gzip', body), second)
  t.equal(decoder.decode(steps[0], 'gzip', zlib.gzipSync('small')).text, 'small')
  const again = decoder.decode(steps[1], 'gzip', body)
  t.equal(decoder.decode(steps[1], 'gzip', body), again, 'where another one was smaller, there is room again')
})
