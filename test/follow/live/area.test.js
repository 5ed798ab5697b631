'use strict'

// Lines that are drawn over, on a terminal of the test's own: the screen and its scrollback.

const t = require('tap')
const { TestScreen } = require('../../helpers/processes/screen')
const { Area } = require('../../../lib/follow/live/area')
const { randomFrom } = require('../../../lib/core/random')

/**
 * @param {TestScreen} screen
 * @param {{ others?: any[], clock?: () => number, timers?: any }} [how]
 */
const areaOn = (screen, { others = [], ...surroundings } = {}) => new Area(/** @type {any} */ (screen), [screen, ...others], surroundings)

t.test('lines are drawn in place of those before, fewer and more, and nothing stays of them', async t => {
  const screen = new TestScreen(40, 10)
  screen.write('$ autocannon\n')
  const area = areaOn(screen)
  for (const lines of [['one', 'two', 'three'], ['a longer one'], ['1', '2', '3', '4'], [''], ['x', 'y']]) {
    area.show(lines)
    t.strictSame(screen.all, ['$ autocannon', ...lines].join('\n').trimEnd().split('\n'))
  }
  area.end()
  area.end()
  t.strictSame(screen.all, ['$ autocannon'])
  screen.write('report\n')
  t.strictSame(screen.all, ['$ autocannon', 'report'])
})

t.test('at the bottom of the screen it scrolls once, and what is above stays in the scrollback', async t => {
  const screen = new TestScreen(40, 6)
  for (let i = 0; i < 9; i++) screen.write(`line ${i}\n`)
  const area = areaOn(screen)
  for (let i = 0; i < 20; i++) area.show([`${i}`, 'b', 'c'])
  t.strictSame(screen.all, [...Array.from({ length: 9 }, (_, i) => `line ${i}`), '19', 'b', 'c'])
})

t.test('one that is as high as the terminal leaves no copy in the scrollback', async t => {
  const screen = new TestScreen(40, 4)
  let ms = 0
  const area = areaOn(screen, { clock: () => ms })
  area.show(['a', 'b', 'c'])
  for (let i = 0; i < 5; i++) {
    ms += 1000
    screen.write(`${i}\n`)
    area.show(['a', 'b', `c${i}`])
  }
  t.strictSame(screen.all, ['0', '1', '2', '3', '4', 'a', 'b', 'c4'])
  area.end()
  t.strictSame(screen.all, ['0', '1', '2', '3', '4'])
})

t.test('what others write stands above it, line by line, on either stream', async t => {
  const screen = new TestScreen(40, 12)
  const stdout = { isTTY: true, write: (/** @type {string} */ text) => TestScreen.prototype.write.call(screen, text) }
  let ms = 0
  const area = areaOn(screen, { others: [stdout, stdout, { isTTY: false, write () {} }], clock: () => ms })
  area.show(['a', 'b'])
  screen.write('autocannon: a notice\n')
  t.strictSame(screen.all, ['autocannon: a notice', 'a', 'b'])
  ms += 1000
  stdout.write('half of')
  t.strictSame(screen.all, ['autocannon: a notice', 'a', 'b'], 'a line that has not ended waits')
  ms += 1000
  stdout.write(' a line\nand mo')
  t.strictSame(screen.all, ['autocannon: a notice', 'half of a line', 'a', 'b'])
  area.show(['c'])
  area.end()
  t.strictSame(screen.all, ['autocannon: a notice', 'half of a line', 'and mo'], 'at the end nothing is lost')
  stdout.write('re\n')
  t.strictSame(screen.all.at(-1), 'and more')
})

t.test('a line that does not end is broken, so that what is kept of it has a bound, and all of it is written', async t => {
  let written = ''
  const stream = { isTTY: true, columns: 80, rows: 24, write: (/** @type {string} */ text) => { written += text } }
  let ms = 0
  const area = new Area(/** @type {any} */ (stream), [(stream)], { clock: () => ms })
  for (let i = 0; i < 20_000; i++, ms++) stream.write('.')
  t.strictSame(written.split('\n').map(line => line.length), [8193, 8193, 0])
  stream.write('end\n')
  area.end()
  t.strictSame(written.split('\n').map(line => line.length), [8193, 8193, 20_000 - 2 * 8193 + 3, 0])
})

t.test('bytes of a character that come apart are one', async t => {
  const screen = new TestScreen(40, 12)
  const area = areaOn(screen)
  const bytes = Buffer.from('größer\n')
  for (const byte of bytes) screen.write(Buffer.from([byte]))
  t.strictSame(screen.all, ['größer'])
  area.end()
})

t.test('callbacks are called, once each', async t => {
  /** @type {string[]} */
  const called = []
  const stream = { isTTY: true, columns: 40, write (/** @type {any} */ text, /** @type {any} */ encoding, /** @type {any} */ done) { done?.(); return true } }
  const area = new Area(/** @type {any} */ (stream))
  const write = /** @type {any} */ (stream.write).bind(stream)
  write('a\n', () => called.push('a'))
  write('b\n', 'utf8', () => called.push('b'))
  write('c', () => called.push('c'))
  area.end()
  await new Promise(resolve => setImmediate(resolve))
  t.strictSame(called.sort(), ['a', 'b', 'c'])
})

t.test('who writes a lot has it drawn ten times a second, not each time', async t => {
  const screen = new TestScreen(40, 12)
  /** @type {Array<() => void>} */
  const due = []
  let ms = 0
  const area = areaOn(screen, { clock: () => ms, timers: { setTimeout: (/** @type {() => void} */ call) => due.push(call), clearTimeout () {} } })
  area.show(['drawn'])
  const draws = () => screen.written.split('drawn').length - 1
  ms = 500
  for (let i = 0; i < 1000; i++) screen.write(`${i}\n`)
  t.equal(draws(), 2, 'the first time at once')
  t.equal(due.length, 1)
  due[0]()
  t.equal(draws(), 3)
  t.strictSame(screen.all.slice(-2), ['999', 'drawn'])
  area.end()
})

t.test('what comes soon after others wrote waits a moment, and is on the screen with the lines below it: nothing flickers', async t => {
  const screen = new TestScreen(40, 12)
  const stdout = { isTTY: true, write: (/** @type {string} */ text) => TestScreen.prototype.write.call(screen, text) }
  /** @type {Array<() => void>} */
  const due = []
  const area = areaOn(screen, { others: [stdout], clock: () => 500, timers: { setTimeout: (/** @type {() => void} */ call) => due.push(call), clearTimeout () {} } })
  area.show(['drawn'])
  screen.write('1\n')
  t.strictSame(screen.all, ['1', 'drawn'])
  screen.write('2\n')
  stdout.write('3\n')
  screen.write('4\n')
  t.strictSame(screen.all, ['1', 'drawn'])
  due[0]()
  t.strictSame(screen.all, ['1', '2', '3', '4', 'drawn'], 'in their order')
  screen.write('5\n')
  area.show(['drawn again'])
  t.strictSame(screen.all, ['1', '2', '3', '4', '5', 'drawn again'], 'with the next drawing')
  screen.write('6\n')
  area.end()
  t.strictSame(screen.all, ['1', '2', '3', '4', '5', '6'], 'at the end nothing is lost')
  const loud = areaOn(screen, { clock: () => 500, timers: { setTimeout () {}, clearTimeout () {} } })
  for (let i = 0; i < 2; i++) screen.write('x\n'.repeat(40_000))
  t.equal(screen.all.length, 80_006, 'no more than 64 KiB wait')
  loud.end()
})

t.test('a terminal that is made narrower or wider keeps nothing of it, and loses nothing above', async t => {
  for (let seed = 1; seed <= 100; seed++) {
    const next = randomFrom(seed)
    const screen = new TestScreen(100, 30)
    screen.write('above\n')
    const area = areaOn(screen)
    const lines = Array.from({ length: 1 + Math.floor(next() * 9) }, () => 'x'.repeat(Math.floor(next() * 99)))
    area.show(lines)
    for (let i = 0; i < 5; i++) screen.resize(40 + Math.floor(next() * 80))
    const drawn = lines.map(line => line.slice(0, screen.columns - 1))
    area.show(drawn)
    t.strictSame(screen.all, ['above', ...drawn].join('\n').trimEnd().split('\n'), `seed ${seed}`)
    area.end()
    t.strictSame(screen.all, ['above'])
  }
})

t.test('after the process was stopped it is drawn below what came meanwhile', async t => {
  const screen = new TestScreen(40, 12)
  const area = areaOn(screen)
  area.show(['a', 'b'])
  TestScreen.prototype.write.call(screen, '$ ls\nfile\n$ fg\n')
  area.forget()
  area.show(['a', 'c'])
  t.strictSame(screen.all, ['a', 'b', '$ ls', 'file', '$ fg', 'a', 'c'])
})
