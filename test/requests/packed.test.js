'use strict'

const t = require('tap')
const { PackedReader, PackedWriter } = require('../../lib/requests/packed')

t.test('values come back as they were, however often their memory grows', async t => {
  const values = Array.from({ length: 300 }, (_, i) => 'é'.repeat(i * i % 997) + i)
  const writer = new PackedWriter(8, 'values')
  for (const [i, value] of values.entries()) {
    writer.entry()
    writer.value(i % 2 === 0 ? value : Buffer.from(value))
  }
  const { bytes, starts } = writer.packed()
  t.ok(bytes.buffer instanceof SharedArrayBuffer && starts.buffer instanceof SharedArrayBuffer)
  const reader = new PackedReader(bytes)
  t.strictSame(Array.from(starts, at => {
    reader.at = at
    const length = reader.number()
    return Buffer.from(bytes.subarray(reader.at, reader.at + length)).toString()
  }), values)
})
