'use strict'

// Heat maps of the page: which values are in a cell, and what stands in the table.

const t = require('tap')
const { timeCharts, tableOf } = require('../../../lib/report/html/charts')
const { exampleResult } = require('../../helpers/results/example-result')

/**
 * @param {number} points
 * @param {(i: number) => unknown} bucketsOf
 */
function resultOf (points, bucketsOf) {
  const result = exampleResult({ seconds: 1 })
  const [first] = result.series
  const gapOf = (/** @type {number} */ i) => ({ p50: 20, p95: 21, p99: 22, max: 25, buckets: bucketsOf(i) })
  return {
    ...result,
    duration: points,
    series: Array.from({ length: points }, (_, i) => ({ ...first, time: i * 1000, length: 1000, streams: { events: 8, stalls: 0, firstEvent: null, gap: gapOf(i) } }))
  }
}

/** @param {Record<string, any>} result @param {any} [about] @returns {any} */
const mapOf = (result, about) => timeCharts(result, about).find(({ id }) => id === 'gap-map')

t.test('a cell has the values of its time and length, and empty rows are around them', async t => {
  const map = mapOf(resultOf(3, i => i === 1 ? [[20, 5], [50, 1]] : [[20, 8]]))
  t.strictSame(map.lines.map((/** @type {any} */ { label }) => label), ['15 – 20 ms', '20 – 30 ms', '30 – 50 ms', '50 – 70 ms', '70 – 100 ms'])
  t.strictSame(map.heat, [15, 20, 30, 50, 70, 100])
  t.strictSame(map.runs, [[[0, 1, 2], [0, 0, 0], [8, 5, 8], [0, 0, 0], [0, 1, 0], [0, 0, 0]]])
  t.strictSame(tableOf(map), {
    head: ['Second', 'Values', 'Values by length'],
    rows: [['0', '8', '20 – 30 ms: 8'], ['1', '6', '20 – 30 ms: 5, 50 – 70 ms: 1'], ['2', '8', '20 – 30 ms: 8']]
  })
  const ends = mapOf(resultOf(1, () => [[0, 1], [100_000, 1]]))
  t.match([ends.lines.at(0), ends.lines.at(-1)], [{ label: 'below 0.1 ms' }, { label: 'from 100 s on' }])
})

t.test('many points share columns, whose last one is left out while the run goes on', async t => {
  const result = resultOf(450, () => [[20, 2]])
  const [[x, , counts]] = mapOf(result).runs
  t.equal(x.length, 113)
  t.strictSame([x[1], counts[0], counts.at(-1)], [4, 8, 4])
  t.strictSame(mapOf(result).steps, [4])
  t.equal(mapOf(result, { soFar: true }).runs[0][0].length, 112)
})

t.test('results of older versions have no heat map, and those that were edited have what can be read', async t => {
  t.equal(mapOf(resultOf(3, () => undefined)), undefined)
  t.equal(mapOf(resultOf(3, () => 'many')), undefined)
  t.strictSame(mapOf(resultOf(1, () => [[20, 5], [21, 5], null, [30, 'x'], [30, -1]])).runs[0].flat(), [0, 0, 5, 0])
})

t.test('charts of completions have their first tokens, and not the events with the role', async t => {
  const time = { p50: 20, p95: 21, p99: 22, max: 25, buckets: [[20, 1]] }
  const idsOf = (/** @type {Record<string, any>} */ more) => {
    const result = resultOf(3, () => [[20, 8]])
    const series = result.series.map(point => ({ ...point, streams: { ...point.streams, firstEvent: time, ...more } }))
    return timeCharts({ ...result, series }).map(({ id }) => id).filter(id => id.startsWith('first'))
  }
  t.strictSame(idsOf({}), ['first-event', 'first-event-map'])
  t.strictSame(idsOf({ tokens: 5, firstToken: time, interToken: null }), ['first-token', 'first-token-map'])
})

t.test('where no stream has ended, charts and key figures are about events', async t => {
  const { figuresOf } = require('../../../lib/report/figures')
  const { latency } = exampleResult()
  const result = resultOf(3, () => [[20, 8]])
  const streams = { kind: 'sse', events: 24, eventsPerSecond: 8, firstEvent: latency, gap: latency }
  const namesOf = (/** @type {Record<string, any>} */ one) => [timeCharts(one).map(({ title }) => title).slice(0, 2), figuresOf(one).map(({ name }) => name).slice(0, 3)]
  t.strictSame(namesOf({ ...result, streams }), [['Requests per second', 'Latency'], ['Req/s', 'p50', 'p95']])
  const endless = { ...result, requests: { ...result.requests, total: 0 }, streams }
  t.strictSame(namesOf(endless), [['Events per second', 'Gap between events'], ['Events/s', 'First p50', 'Gap p50']])
  t.strictSame(namesOf({ ...endless, streams: { ...streams, kind: 'messages' } }), [['Messages received per second', 'Gap between messages'], ['Received/s', 'First p50', 'Gap p50']])
})
