'use strict'

const t = require('tap')
const { givenPause, parsePause } = require('../../../lib/options/users/pauses')

/**
 * @param {() => unknown} read
 * @returns {string}
 */
function problemOf (read) {
  try {
    read()
  } catch (error) {
    if (error instanceof TypeError) return error.message
    throw error
  }
  throw new Error('it was accepted')
}

t.test('a pause is a time, two times, a mean or a function', async t => {
  const think = () => 1
  for (const [given, pause] of /** @type {Array<[unknown, object]>} */ ([
    ['1s', { from: 1000, to: 1000 }],
    [0, { from: 0, to: 0 }],
    ['0', { from: 0, to: 0 }],
    [1.5, { from: 1500, to: 1500 }],
    ['1e-3', { from: 1, to: 1 }],
    ['1m30s', { from: 90_000, to: 90_000 }],
    [['500ms', '2s'], { from: 500, to: 2000 }],
    [[1, 2], { from: 1000, to: 2000 }],
    [['1s', '1s'], { from: 1000, to: 1000 }],
    ['500ms-2s', { from: 500, to: 2000 }],
    [' 500ms - 2s ', { from: 500, to: 2000 }],
    ['1-2', { from: 1000, to: 2000 }],
    [{ exponential: '1s' }, { mean: 1000 }],
    [{ exponential: 0.5 }, { mean: 500 }],
    [think, { hook: think }],
    ['./think', { hook: './think' }],
    ['think.mjs', { hook: 'think.mjs' }],
    ['C:\\think.ts', { hook: 'C:\\think.ts' }],
    ['/a-b/think.js', { hook: '/a-b/think.js' }]
  ])) t.strictSame(parsePause(given), pause, JSON.stringify(given) ?? 'a function')
})

t.test('says what is wrong with a pause', async t => {
  const shapes = "expected a time such as 1s, ['500ms', '2s'] for any in between, { exponential: '1s' } or a function of the context, got "
  const time = 'expected seconds or a time such as 500ms, from 0 to 2,000,000 s, got '
  for (const [given, problem] of /** @type {Array<[unknown, string]>} */ ([
    ['soon', shapes + "'soon'"],
    ['', shapes + "''"],
    [-1, shapes + '-1'],
    ['-1s', shapes + "'-1s'"],
    [NaN, shapes + 'NaN'],
    [Infinity, shapes + 'Infinity'],
    [2_000_001, shapes + '2000001'],
    [true, shapes + 'true'],
    [{}, shapes + 'an object with no keys'],
    [{ exponetial: 1 }, shapes + "an object with 'exponetial'"],
    [{ exponential: 1, min: 2 }, shapes + "an object with 'exponential', 'min'"],
    [{ exponential: 'x' }, `exponential: ${time}'x'`],
    [{ exponential: 0 }, 'exponential: expected a mean of more than 0, got 0'],
    [['1s'], "expected two times such as ['500ms', '2s'], got 1"],
    [['1s', 'x'], `[1]: ${time}'x'`],
    [['2s', '1s'], 'expected the shorter time first, got 2 s before 1 s'],
    ['2s-1s', 'expected the shorter time first, got 2 s before 1 s'],
    ['1s-x', `${time}'x' in '1s-x'`]
  ])) t.equal(problemOf(() => parsePause(given)), problem)
})

t.test('a pause is told as a user gives it', async t => {
  for (const given of ['1000ms', ['500ms', '2000ms'], { exponential: '1000ms' }, './think.js']) t.strictSame(givenPause(parsePause(given)), given)
  for (const given of ['1s', 5, null]) t.equal(givenPause(given), given, 'one that has not been read stays as it is')
})
