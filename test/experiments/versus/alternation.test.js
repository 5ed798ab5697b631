'use strict'

// The order of the runs of two servers, and when there are enough.

const t = require('tap')
const { VersusProgress } = require('../../../lib/follow/versus-progress')
const { alternate, orderOf } = require('../../../lib/experiments/versus/alternation')

/**
 * @param {number} runs
 * @param {{ certainAfter?: number, stopAt?: number }} [events]
 */
async function play (runs, { certainAfter = Infinity, stopAt = Infinity } = {}) {
  let order = ''
  const asked = []
  const { results, ended } = await alternate(runs, {
    measure: async (side, run) => {
      if (order.length === stopAt) return null
      order += side === 'base' ? 'A' : 'B'
      return { side, run }
    },
    isCertain: ({ base, new: next }) => {
      asked.push([base.length, next.length])
      return base.length >= certainAfter
    }
  })
  return { order, ended, asked, results }
}

t.test('base and new take turns in being first', async t => {
  t.equal((await play(5)).order, 'ABBAABBAAB')
  t.strictSame([1, 2, 3].map(orderOf), [['base', 'new'], ['new', 'base'], ['base', 'new']])
})

t.test('each side has its results, in the order of the runs', async t => {
  const { results, ended } = await play(4)
  t.equal(ended, 'done')
  t.strictSame(results.base, [1, 2, 3, 4].map(run => ({ side: 'base', run })))
  t.strictSame(results.new, [1, 2, 3, 4].map(run => ({ side: 'new', run })))
})

t.test('a certain verdict ends them, after three runs at the earliest', async t => {
  const { order, ended, asked } = await play(9, { certainAfter: 0 })
  t.strictSame([order, ended, asked], ['ABBAAB', 'certain', [[3, 3]]])
  t.equal((await play(9, { certainAfter: 5 })).order.length, 10)
  t.strictSame((await play(3, { certainAfter: 0 })).ended, 'done', 'nothing is left to be spared')
})

t.test('a run that is not whole ends them, and is no result', async t => {
  const { order, ended, results } = await play(5, { stopAt: 3 })
  t.strictSame([order, ended, results.base.length, results.new.length], ['ABB', 'stopped', 1, 2])
})

t.test('the time that is told is that of load: what servers take to start is named beside it', async t => {
  const said = (/** @type {boolean} */ starts) => {
    let text = ''
    new VersusProgress({ sides: { base: 'a', new: 'b' }, runs: 5, seconds: 2, starts }, /** @type {any} */ ({ write: (/** @type {string} */ more) => { text += more } })).begin()
    return text
  }
  t.match(said(false), /^5 runs of base and of new, 2 s each, alternating, at most 20 s of load\n/m)
  t.match(said(true), /at most 20 s of load and the starts of the servers\n/)
})
