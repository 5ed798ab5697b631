'use strict'

// How a large file is read line by line.

const t = require('tap')
const { writeFileSync } = require('node:fs')
const path = require('node:path')
const { readLines } = require('../../lib/requests/file')

/** More than is read at once. */
const LONG = 3_000_000

t.test('parts end with lines, wherever chunks end, and a byte order mark is left out', async t => {
  const file = path.join(t.testdir(), 'file')
  for (const text of ['', 'a', 'a\n', '\n\n', '\ufeff', '\ufeffa\nb', 'ab'.repeat(LONG), `${'a'.repeat(LONG)}\n`, `a\n${'b'.repeat(LONG)}\nc`, 'some text\n'.repeat(LONG / 10), `\ufeff${'ä'.repeat(LONG)}\nb\n`]) {
    writeFileSync(file, text)
    const parts = [...readLines(file).parts]
    t.ok(Buffer.concat(parts).toString() === text.replace('\ufeff', ''), `${text.length} characters from ${JSON.stringify(text.slice(0, 10))}`)
    t.ok(parts.slice(0, -1).every(part => part.at(-1) === 10) && parts.every(part => part.length > 0))
  }
})

t.test('a long line is copied a few times, however many chunks it has', async t => {
  const file = path.join(t.testdir(), 'file')
  writeFileSync(file, 'a'.repeat(LONG))
  const { concat } = Buffer
  t.teardown(() => { Buffer.concat = concat })
  let copied = 0
  Buffer.concat = (/** @type {readonly Uint8Array[]} */ ...[list, ...rest]) => {
    const joined = concat(list, ...rest)
    copied += joined.length
    return joined
  }
  t.equal([...readLines(file).parts].length, 1)
  t.ok(copied <= 2 * LONG, `${copied} bytes for ${LONG}`)
})
