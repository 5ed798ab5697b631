'use strict'

// The progress of versus: what stands above the rounds.

const t = require('tap')
const { PassThrough } = require('node:stream')
const { RoundsProgress } = require('../../lib/follow/rounds')

t.test('the report begins on a line of its own, below a blank one', async t => {
  const race = { sides: { base: 'a', new: 'b' }, rounds: 5, seconds: 2, starts: false }
  for (const [isTTY, isInterrupted, end] of [[true, false, '\n'], [true, true, '\n\n'], [false, true, null]]) {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 80 })
    new RoundsProgress(race, stream).end(isInterrupted)
    t.equal(stream.read()?.toString() ?? null, end)
  }
})

t.test('the head is broken between words at a terminal, and one line in a pipe', async t => {
  const race = { sides: { base: 'node old.js', new: 'node new.js' }, rounds: 5, seconds: 2, starts: true }
  const written = (/** @type {object} */ more) => {
    const stream = Object.assign(new PassThrough(), more)
    new RoundsProgress(race, stream).begin()
    return String(stream.read())
  }
  t.match(written({}), '5 rounds, each a run of 2 s of base and of new, alternating, at most 20 s of load and the starts of the servers\n')
  const lines = written({ isTTY: true, columns: 80 }).split('\n')
  t.ok(lines.every(line => line.length <= 80), lines.join('\n'))
  t.match(lines.join(' '), 'and the starts of the servers')
})
