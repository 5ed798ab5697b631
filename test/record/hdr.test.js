'use strict'

// What is read of a histogram that we wrote, against hdr-histogram-js.

const t = require('tap')
const hdr = require('hdr-histogram-js')
const { randomFrom } = require('../../lib/core/random')
const { decode } = require('../../lib/record/hdr')
const { Histogram } = require('../../lib/record/histogram')

/** @param {string} base64 */
function theirs (base64) {
  const iterator = /** @type {any} */ (hdr.decodeFromCompressedBase64(base64, 64, false)).recordedValuesIterator
  const values = []
  for (iterator.reset(); iterator.hasNext();) {
    const { valueIteratedTo, countAddedInThisIterationStep } = iterator.next()
    values.push([valueIteratedTo, countAddedInThisIterationStep])
  }
  return values
}

t.test('what we wrote is read as the library reads it', async t => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = randomFrom(seed)
    const histogram = new Histogram()
    for (let i = Math.floor(next() * 300); i > 0; i--) histogram.record(0.001 * 3.6e9 ** next(), next() < 0.1 ? 1 + Math.floor(2 ** (50 * next())) : 1)
    const base64 = histogram.toBase64()
    t.strictSame(decode(base64), theirs(base64), `seed ${seed}`)
  }
})

t.test('other parameters are read as well', async t => {
  const other = /** @type {any} */ (hdr.build({ lowestDiscernibleValue: 1, highestTrackableValue: 1e6, numberOfSignificantValueDigits: 2, useWebAssembly: false }))
  for (const value of [1, 5, 5, 12_345]) other.recordValue(value)
  const base64 = hdr.encodeIntoCompressedBase64(other)
  t.strictSame(decode(base64), theirs(base64))
})

t.test('what is cut is refused', async t => {
  const histogram = new Histogram()
  for (const ms of [1, 2, 3000]) histogram.record(ms)
  const bytes = Buffer.from(histogram.toBase64(), 'base64')
  for (let length = 0; length < bytes.length - 4; length++) t.throws(() => decode(bytes.subarray(0, length).toString('base64')), `${length} bytes`)
})
