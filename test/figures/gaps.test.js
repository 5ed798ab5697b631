'use strict'

// A server that stood still in the middle of a run and came back.

const t = require('tap')
const { gapsOf } = require('../../lib/figures/gaps')

/**
 * @param {Array<Record<string, any>>} points what is unlike others
 * @returns {Record<string, any>} of a server that answers in 2 ms
 */
const resultOf = points => ({
  latency: { p50: 2 },
  series: points.map((point, i) => ({ time: i * 1000, length: 1000, requests: 500, errors: 0, max: 5, runDelay: 0.01, blocked: 0, ...point }))
})
const empty = { requests: 0, max: null }

t.test('a gap is a time without an answer in which a request waited', async t => {
  t.strictSame(gapsOf(resultOf([{}, empty, empty, { max: 2800 }, {}])), [{ from: 1000, to: 3000, longest: 2800 }])
  t.strictSame(gapsOf(resultOf([{}, empty, { max: 1900 }, {}, empty, empty, { max: 2500 }])).map(({ from, to }) => [from, to]), [[1000, 2000], [4000, 6000]])
  t.strictSame(gapsOf(resultOf([{}, { ...empty, runDelay: null, blocked: undefined }, { max: 1500 }])).length, 1, 'where the system does not tell of the generator')
})

t.test('it is none', async t => {
  for (const [why, points] of /** @type {Array<[string, any[]]>} */ ([
    ['when nothing waited: nothing was due', [{}, empty, empty, { max: 5 }]],
    ['when it is short', [{}, { ...empty, length: 900 }, { max: 950 }]],
    ['before the first answer', [empty, empty, { max: 2500 }, {}]],
    ['after the last one: that is silence', [{}, empty, empty]],
    ['when errors came', [{}, { ...empty, errors: 3 }, { ...empty, errors: 1 }, { max: 2500 }]],
    ['when the generator had no core', [{}, { ...empty, runDelay: 0.7 }, { ...empty, runDelay: 0.5 }, { max: 2500 }]],
    ['when it was blocked', [{}, { ...empty, blocked: 0.9 }, { ...empty, blocked: 0.6 }, { max: 2500 }]]
  ])) t.strictSame(gapsOf(resultOf(points)), [], why)
  t.strictSame(gapsOf({ ...resultOf([{}, empty, empty, { max: 2800 }]), latency: { p50: 300 } }), [], 'when answers take as long as that anyway')
  t.strictSame(gapsOf({ latency: { p50: 1 } }), [], 'of a result without a series')
})
