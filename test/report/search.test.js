'use strict'

const t = require('tap')
const { EXIT, exitCodeOf } = require('../../lib/cli/exit-code')
const { plot, searchNotes, searchReason, searchText, sentenceOf, levelOf } = require('../../lib/report/search')
const { formatResult } = require('../../lib/report/formats/format')
const { toJunit } = require('../../lib/report/formats/junit')
const { findKnee } = require('../../lib/experiments/find/knee')
const judgements = require('../../lib/words/judgements')
const { judgeSearch } = require('../../lib/experiments/find/search-result')
const { exampleResult } = require('../helpers/results/example-result')
const { failing, searchOf, stepOf } = require('../helpers/results/example-search')

const color = new Proxy({}, { get: () => text => text })
const SCREEN = { color, columns: 80, wraps: false }

/** A step that came to no certain verdict, and the range that it leaves. */
const UNSURE = stepOf(476, { outcome: 'unsure', certain: false, seconds: 64, p99: 49, thresholds: [{ expression: 'p99 < 50ms', metric: 'p99', actual: 49, passed: true, unit: 'ms' }] })
/** A search whose time was over before its limit was certain. */
const EXPIRED = { best: 430, above: 566, limit: 'inconclusive', expired: true, longest: 1840, steps: [stepOf(430), stepOf(566, { ...failing, certain: false, to: 1850, thresholds: [{ ...failing.thresholds[0], low: 44, high: 90 }] })] }
const OPEN = { best: 430, above: 566, steps: [stepOf(430), stepOf(566, failing), UNSURE, stepOf(430)] }

/** @param {object} search */
const codeOf = search => exitCodeOf({ ...exampleResult(), search: searchOf(search), thresholds: judgeSearch(searchOf(search)) })

t.test('one sentence says what it comes to', async t => {
  for (const [search, sentence, level] of [
    [{}, 'holds 4,210 req/s with p99 < 50ms; at 4,270 the p99 was 71.0 ms', 'good'],
    [{ thresholds: ['p99 < 50ms', 'errors == 0'], failBelow: 5000 }, 'holds 4,210 req/s with p99 < 50ms and errors == 0, which is less than 5,000 req/s; at 4,270 the p99 was 71.0 ms', 'bad'],
    [{ steps: [stepOf(4270, { outcome: 'failed', reason: 'growing', growth: 31 })] }, 'holds 4,210 req/s with p99 < 50ms; at 4,270 responses took 31.0 ms longer every second', 'good'],
    [{ steps: [stepOf(4270, { ...failing, thresholds: [{ metric: 'errors', actual: 12, passed: false, unit: 'count' }] })] }, 'holds 4,210 req/s with p99 < 50ms; at 4,270 there were 12 errors', 'good'],
    [{ limit: 'generator', steps: [stepOf(4270, { outcome: 'generator', reason: 'generator', generator: { verdict: 'saturated', cause: 'It was busy.' } })] }, 'holds 4,210 req/s with p99 < 50ms; at 4,270 the load generator was at its limit. This is the limit of the load generator; the server may have a higher one', 'warning'],
    [{ steps: [stepOf(4270, { outcome: 'failed', reason: 'unsent', achieved: 3000 })] }, 'holds 4,210 req/s with p99 < 50ms; at 4,270 only 3,000 req/s were sent', 'good'],
    [{ limit: 'generator', steps: [stepOf(4270, { outcome: 'generator', reason: 'connections' })] }, 'holds 4,210 req/s with p99 < 50ms; at 4,270 all 10 connections were in use, and responses were as fast as at low load, so more connections (-c) are needed. This is the limit of the load generator; the server may have a higher one', 'warning'],
    [{ best: 20_000, above: null, limit: 'range', steps: [stepOf(20_000)] }, 'holds 20,000 req/s with p99 < 50ms, the most that was tried: the limit lies above 20,000 (--to)', 'warning'],
    [{ best: null, above: 100, limit: 'range', steps: [stepOf(100, failing)] }, 'does not hold 100 req/s with p99 < 50ms; at 100 the p99 was 71.0 ms; the limit lies below: try less with --from 10/s', 'bad'],
    [{ best: null, above: 100, limit: 'range', steps: [stepOf(100, { ...failing, thresholds: [{ metric: 'gap p99', actual: null, passed: false, unit: 'ms' }] })] }, 'does not hold 100 req/s with p99 < 50ms; at 100 no response had a value for gap p99', 'bad'],
    [{ best: null, above: null, limit: 'inconclusive', steps: [{ ...UNSURE, completed: 0 }] }, 'Inconclusive: at 476 req/s no response, which is not certain after 64 s', 'warning'],
    [{ best: null, above: 100, limit: 'generator', steps: [stepOf(100, { outcome: 'generator', reason: 'generator', generator: { verdict: 'starved', cause: null } })] }, 'Inconclusive: at 100 req/s the load generator had a high CPU wait; nothing is known of the server with p99 < 50ms', 'warning'],
    [{ best: null, above: 200, silentSince: 8.31, steps: [stepOf(200), stepOf(400, { ...failing, completed: 0 }), stepOf(200, { ...failing, completed: 0 })] }, 'the server has not responded since 8.31 s after the start, at 400 req/s; 200 req/s were held before', 'bad'],
    [{ best: 430, above: 566, steps: [stepOf(430), stepOf(566, failing), stepOf(476, { outcome: 'generator', reason: 'generator', generator: { verdict: 'starved', cause: null } }), stepOf(430)] }, 'holds 430 req/s with p99 < 50ms; at 566 the p99 was 71.0 ms; the range between is inconclusive: at 476 the load generator had a high CPU wait', 'warning'],
    [OPEN, 'holds 430 req/s with p99 < 50ms; at 566 the p99 was 71.0 ms; the range between is inconclusive: at 476 the p99 was 49.0 ms, which is not certain after 64 s', 'warning'],
    [{ ...OPEN, best: 470, above: 482 }, 'holds 470 req/s with p99 < 50ms', 'good'],
    [{ ...OPEN, above: null, limit: 'inconclusive', to: 476 }, 'holds 430 req/s with p99 < 50ms; above it is inconclusive: at 476 the p99 was 49.0 ms, which is not certain after 64 s', 'warning'],
    [{ best: null, above: null, limit: 'inconclusive', steps: [UNSURE] }, 'Inconclusive: at 476 req/s the p99 was 49.0 ms, which is not certain after 64 s', 'warning'],
    [{ best: null, above: 952, limit: 'inconclusive', steps: [UNSURE, stepOf(952, failing)] }, 'Inconclusive: at 476 req/s the p99 was 49.0 ms, which is not certain after 64 s; at 952 the p99 was 71.0 ms', 'warning'],
    [{ ...EXPIRED }, 'Inconclusive after 30 min 50 s: holds 430 req/s with p99 < 50ms (certain); does not hold 566 (not certain): the p99 was 71.0 ms (95 %: 44.0 – 90.0 ms)', 'warning'],
    [{ ...EXPIRED, best: null, above: null, steps: [] }, 'Inconclusive: streams of step 1 did not end; no load was held with p99 < 50ms', 'warning'],
    [{ ...EXPIRED, above: null, steps: [stepOf(430)] }, 'Inconclusive: streams of step 2 did not end; holds 430 req/s with p99 < 50ms', 'warning'],
    [{ ...EXPIRED, longest: 10, best: null, above: null, steps: [UNSURE] }, 'Inconclusive after 10 s: no load was held with p99 < 50ms; at 476 the p99 was 49.0 ms, which is not certain after 64 s', 'warning'],
    [{ ...EXPIRED, longest: 10, above: null, steps: [stepOf(430, { certain: false }), { ...UNSURE, thresholds: [{ expression: 'errors == 0', metric: 'errors', actual: 0, passed: true, unit: 'count' }, { ...UNSURE.thresholds[0], low: 46, high: 53 }] }] }, 'Inconclusive after 10 s: holds 430 req/s with p99 < 50ms (not certain); at 476 the p99 was 49.0 ms (95 %: 46.0 – 53.0 ms), which is not certain after 64 s', 'warning'],
    [{ limit: null, above: null, best: 1600, steps: [stepOf(1600), stepOf(3200, failing)] }, 'interrupted: holds 1,600 req/s with p99 < 50ms so far; at 3,200 the p99 was 71.0 ms', 'warning'],
    [{ limit: null, above: null, best: null, steps: [] }, 'interrupted before any load was held', 'warning'],
    [{ over: 'connections', unit: 'connections', best: 1, above: 2, steps: [stepOf(2, failing)] }, 'holds 1 connection with p99 < 50ms; at 2 the p99 was 71.0 ms', 'good']
  ]) {
    t.equal(sentenceOf(searchOf(search)), sentence)
    t.equal(levelOf(searchOf(search)), level, sentence)
  }
})

t.test('what has to be known beside it', async t => {
  t.strictSame(searchNotes({ search: searchOf() }), [])
  const cause = 'The load generator used 99 % of its core.'
  t.strictSame(searchNotes({
    search: searchOf({
      limit: 'generator',
      knee: { value: 3200, p99: 9 },
      implied: 'failure rate < 1%',
      above: 4500,
      steps: [stepOf(4210), stepOf(4350, { ...UNSURE, value: 4350 }), ...[1, 2].map(attempt => stepOf(4270, { attempt, outcome: 'generator', reason: 'generator', generator: { verdict: 'saturated', cause } }))]
    })
  }), [
    'The knee is at 3,200 req/s: p99 is 9.00 ms there, and grows faster than the load beyond.',
    '64 s were too short for a certain verdict, or latencies swung too slowly: use longer steps (--step 30s).',
    'No threshold limits 4xx and 5xx responses and errors together, so the search also requires failure rate < 1%.',
    cause
  ])
  const [near] = UNSURE.thresholds
  /** @param {object} ends */
  const noteOf = ends => searchNotes({ search: searchOf({ ...OPEN, steps: [stepOf(430), { ...UNSURE, thresholds: [{ ...near, ...ends }] }, stepOf(430)] }) })[0]
  t.match(noteOf({ low: 44, high: 56 }), /^The figures next to the limit are too close to it/)
  t.match(noteOf({ low: 44, high: 48 }), /^64 s were too short/, 'the limit is far away')
})

t.test('a search whose time was over judges what was certain by then, says so with exit code 4, and what to do', async t => {
  const note = 'the time of the search was over before this was certain'
  t.strictSame(judgeSearch(searchOf(EXPIRED)).map(({ expression, passed, note }) => [expression, passed, note]), [['p99 < 50ms', true, undefined], ['limit', null, note]])
  t.equal(codeOf(EXPIRED), EXIT.unsure)
  for (const [failBelow, passed] of [[430, true], [431, null], [5000, null]]) t.match(judgeSearch(searchOf({ ...EXPIRED, failBelow })).at(-1), { passed }, String(failBelow))
  t.equal(codeOf({ ...EXPIRED, failBelow: 430 }), EXIT.good)
  const unsure = { ...EXPIRED, steps: [stepOf(430, { certain: false }), EXPIRED.steps[1]] }
  t.match(judgeSearch(searchOf({ ...unsure, failBelow: 400 })), [{ passed: null, note }, { passed: null, note }], 'what held without certainty has not passed')
  t.match(judgeSearch(searchOf({ ...EXPIRED, best: null, above: 100, steps: [stepOf(100, { ...failing, certain: false })] })), [{ passed: null, note }, { expression: 'limit >= 100/s', passed: null, note }])
  t.equal(searchReason(searchOf(EXPIRED)), 'the time of the search was over before the limit was certain')
  t.strictSame(searchNotes({ search: searchOf(EXPIRED) }), ['A search takes at most 30 min 40 s, which follows from --from, --to, --precision and --step. Go on in this range with --from 430/s --to 566/s, use longer steps (--step 30s), a wider --precision, or a quieter machine.'])
})

t.test('a search whose streams do not end is inconclusive, and says what closes them', async t => {
  const stuck = { ...EXPIRED, best: null, above: null, steps: [] }
  t.match(judgeSearch(searchOf(stuck)), [{ expression: 'limit >= 100/s', passed: null }])
  t.equal(codeOf(stuck), EXIT.unsure)
  t.equal(searchReason(searchOf(stuck)), 'streams of step 1 did not end')
  t.match(searchNotes({ search: searchOf(stuck) }), [/: --stream-for or --events closes streams in order\.$/])
})

t.test('the reasons of its verdicts are data, with the sentence of each', async t => {
  const of = (/** @type {Record<string, any>} */ search) => judgeSearch(searchOf(search))
  t.match(of(EXPIRED).at(-1), { finding: { code: 'search-expired', severity: 'warning', facts: {} } })
  t.match(of({ best: null, above: 100, limit: 'range', steps: [stepOf(100, failing)], failBelow: 5000 }).at(-1), { finding: { code: 'lowest-failed', severity: 'error' } })
  for (const judged of [EXPIRED, { ...OPEN, above: null, limit: 'inconclusive', to: 476 }].flatMap(of)) t.equal(judged.note, judged.finding && judgements.sentenceOf(judged.finding))
  const generator = of({ best: null, above: null, limit: 'generator', failBelow: 5000, steps: [stepOf(100, { ...failing, outcome: 'generator', reason: 'generator', thresholds: [{ expression: 'p99 < 50ms', passed: false, actual: 71, unit: 'ms', note: 'another', finding: { code: 'late-reads' } }] })] })
  t.match(generator, [{ passed: null, note: 'the load generator was at its limit', finding: { code: 'client-limit', facts: { where: 'load' } } }, { finding: { code: 'client-limit', facts: { where: 'limit' } } }], 'and not those of the threshold')
})

t.test('a search whose time was over fails what was certain not to hold by then', async t => {
  const certain = { ...EXPIRED, steps: [stepOf(430), stepOf(566, failing), stepOf(566, { ...failing, attempt: 2 }), { ...UNSURE }] }
  for (const [failBelow, passed] of [[430, true], [431, null], [565, null], [566, false], [5000, false]]) t.match(judgeSearch(searchOf({ ...certain, failBelow })).at(-1), { passed }, String(failBelow))
  t.equal(codeOf({ ...certain, failBelow: 5000 }), EXIT.failed)
  t.notOk('note' in judgeSearch(searchOf({ ...certain, failBelow: 5000 })).at(-1))
  t.match(judgeSearch(searchOf({ ...EXPIRED, steps: certain.steps.slice(0, 2), failBelow: 5000 })).at(-1), { passed: null }, 'a hiccup does not come twice')
  const none = { ...certain, best: null, above: 566, from: 566, steps: certain.steps.slice(1) }
  t.match(judgeSearch(searchOf(none)), [{ expression: 'p99 < 50ms', passed: false }, { expression: 'limit >= 566/s', actual: null, passed: false }])
})

t.test('the plot has a line for each load, on a logarithmic scale', async t => {
  t.equal('\n' + plot(searchOf({ steps: [stepOf(100), stepOf(1000), stepOf(4270, failing), stepOf(4210, { p50: 8, p99: 48, achieved: 4000, failureRate: 0.005 })] }), { color, columns: 60 }), `
req/s                 10.0 ms             achieved  failed
  100   o      x                   |         100 %     0 %
1,000   o      x                   |         100 %     0 %
4,210               o              x          95 %   0.5 %
4,270                          o   |  x      100 %     0 %
       o p50  x p99  | threshold`)
  t.equal(plot(searchOf({ steps: [stepOf(100)] }), SCREEN), '', 'one point is no curve')
})

t.test('text, Markdown and page show all steps, and not the figures of all loads together', async t => {
  const search = searchOf()
  const result = { ...exampleResult(), search, thresholds: judgeSearch(search) }
  const text = searchText(result, SCREEN)
  t.equal(text.match(/│ [✓✗] ?│ [\d,]+ *│/g).length, 4)
  t.ok(text.includes(sentenceOf(search)))
  const md = formatResult(result, 'md')
  t.match(md, /^### ✅ .*holds 4,210/)
  t.equal(md.match(/^\| [✓✗]/gm)?.length, 5, 'four steps and a threshold')
  t.notMatch(md, /\| Req\/s \|/)
  const page = formatResult(result, 'html')
  t.equal(page.match(/<svg class="curve" /g).length, 2)
  t.equal(page.match(/class="p99 full"/g).length, 1, 'the load that was not held is marked')
  t.match(page, /class="limit"[^]*<title>threshold: p99 &lt; 50ms<\/title>[^]*>p99 &lt; 50ms<\/text>/)
  t.equal(page.match(/highest load held: 4,210</g).length, 2, 'each chart names the best load')
  for (const axis of ['Latency, log scale', 'Share of the load']) t.match(page, new RegExp(`<text class="axis"[^>]*>${axis}</text>`))
  t.equal(page.match(/<text class="axis"[^>]*>Load, req\/s, log scale<\/text>/g).length, 2)
  const charts = page.split('<svg class="curve" ').slice(1).map(chart => chart.split('</svg>')[0])
  for (const chart of charts) {
    t.ok(chart.match(/text-anchor="end">[\d.]+ (ms|%)</g).length >= 3, 'there are enough ticks on the y axis')
    t.ok(chart.match(/text-anchor="middle">[\d,]+</g).length >= 3, 'and on the x axis')
  }
  t.notMatch(page, /class="tiles"/)
  const connections = formatResult({ ...result, search: { ...search, over: 'connections', unit: 'connections' } }, 'html')
  t.match(connections, /Requests per second by load/)
})

t.test('the thresholds of the result are those at the best load, and the gate', async t => {
  t.match(judgeSearch(searchOf()), [{ expression: 'p99 < 50ms', passed: true }])
  t.match(judgeSearch(searchOf({ failBelow: 5000 }))[1], { expression: 'limit >= 5000/s', actual: 4210, passed: false, unit: 'requests/s' })
  t.match(judgeSearch(searchOf({ failBelow: 4000 }))[1], { passed: true })
  t.match(judgeSearch(searchOf({ failBelow: 5000, limit: 'generator' }))[1], { passed: null, note: 'the load generator was at its limit, and not the server' })
  t.match(judgeSearch(searchOf({ failBelow: 5000, limit: null }))[1], { passed: null, note: 'the search was interrupted' })
  t.match(judgeSearch(searchOf({ best: null, above: 100, limit: 'range', steps: [stepOf(100, failing)], failBelow: 5000 })), [{ passed: false }, { actual: null, passed: false, note: 'not even the lowest load was held' }])
  t.strictSame(judgeSearch(searchOf({ best: null, above: null, limit: null, steps: [] })), [])
})

t.test('of a search that was interrupted nothing is judged, whatever its steps held', async t => {
  /** @param {object} search */
  const of = search => judgeSearch(searchOf({ limit: null, ...search }), { interrupted: true }).map(({ expression, passed, note }) => [expression, passed, note])
  t.strictSame(of({}), [['p99 < 50ms', null, undefined]])
  t.strictSame(of({ failBelow: 4000 }), [['p99 < 50ms', null, undefined], ['limit >= 4000/s', null, undefined]])
  t.strictSame(of({ best: null, steps: [stepOf(100, failing)] }), [['p99 < 50ms', null, undefined]])
  t.strictSame(of({ best: null, above: null, steps: [] }), [['limit >= 100/s', null, undefined]])
  const result = { ...exampleResult(), interrupted: true, search: searchOf({ limit: null }), thresholds: judgeSearch(searchOf({ limit: null }), { interrupted: true }) }
  t.match(toJunit(result), '<skipped message="the run was interrupted"/>')
})

t.test('what is asked for where it can\'t be told is not judged', async t => {
  const search = { best: 430, above: 566, steps: [stepOf(430), stepOf(566, failing), stepOf(476, { outcome: 'generator', reason: 'generator', generator: { verdict: 'starved', cause: null } }), stepOf(430)] }
  for (const [failBelow, passed] of [[430, true], [440, null], [565, null], [566, false]]) t.match(judgeSearch(searchOf({ ...search, failBelow })).at(-1), { passed }, String(failBelow))
  // Without --fail-below the limit itself is asked for.
  t.match(judgeSearch(searchOf(search)), [{ passed: true }, { expression: 'limit', actual: 430, passed: null, note: 'the load generator was at its limit in the range above' }])
  t.equal(codeOf(search), EXIT.unsure)
  t.equal(codeOf({ ...search, failBelow: 430 }), EXIT.good)
  t.match(judgeSearch(searchOf({ ...search, best: 470, above: 480, steps: [...search.steps, stepOf(470)] })).map(({ passed }) => passed), [true], 'within the precision it is known')
  t.equal(codeOf({ ...search, best: 470, above: 480, steps: [...search.steps, stepOf(470)] }), EXIT.good)
})

t.test('a limit of which nothing is certain is inconclusive, and so is a lowest load', async t => {
  const note = 'the figures are too close to the limit for a certain verdict'
  t.match(judgeSearch(searchOf(OPEN)), [{ expression: 'p99 < 50ms', passed: true }, { expression: 'limit', actual: 430, passed: null, note }])
  for (const [failBelow, passed] of [[430, true], [440, null], [565, null], [566, false]]) t.match(judgeSearch(searchOf({ ...OPEN, failBelow })).at(-1), { passed }, String(failBelow))
  t.strictSame(judgeSearch(searchOf({ ...OPEN, best: 470, above: 482, steps: [...OPEN.steps, stepOf(470)] })).map(({ passed }) => passed), [true], 'within the precision')
  const lowest = { best: null, above: null, limit: 'inconclusive', from: 476, steps: [UNSURE] }
  t.strictSame(judgeSearch(searchOf(lowest)).map(({ expression, passed }) => [expression, passed]), [['p99 < 50ms', null], ['limit >= 476/s', null]])
  t.equal(searchReason(searchOf(lowest)), 'the limit is inconclusive')
  t.equal(searchReason(searchOf(OPEN)), 'the limit is only known as a range')
  t.equal(searchReason(searchOf({ ...OPEN, above: null, limit: 'inconclusive', failBelow: 476 })), 'whether 476 req/s hold is inconclusive')
})

t.test('a server that answers no more has failed', async t => {
  t.match(judgeSearch(searchOf({ best: null, above: 200, silentSince: 8.31, steps: [stepOf(200), stepOf(400, { ...failing, completed: 0 }), stepOf(200, { ...failing, completed: 0 })] })), [{ expression: 'p99 < 50ms', passed: false }])
  t.match(judgeSearch(searchOf({ best: null, above: 200, silentSince: 8.31, failBelow: 100, steps: [stepOf(200), stepOf(400, { ...failing, completed: 0 })] })).at(-1), { passed: false, note: 'the server no longer responds' })
})

t.test('a limit that is not known, and a lowest load that is not held, are never good', async t => {
  const none = { best: null, above: 100, steps: [stepOf(100, { outcome: 'failed', reason: 'growing', growth: 31 })] }
  t.match(judgeSearch(searchOf({ ...none, limit: 'range' })), [{ expression: 'limit >= 100/s', actual: null, passed: false, note: 'not even the lowest load was held' }], 'a queue grew, and the thresholds were kept')
  t.match(judgeSearch(searchOf({ ...none, limit: 'generator' })), [{ expression: 'limit >= 100/s', passed: null, note: 'the load generator was at its limit, and not the server' }])
  t.match(judgeSearch(searchOf({ limit: 'generator' })), [{ expression: 'p99 < 50ms', passed: true }, { expression: 'limit', actual: 4210, passed: null, note: 'the load generator was at its limit, and not the server' }])
  t.match(judgeSearch(searchOf({ limit: 'generator', failBelow: 4000 })), [{ passed: true }, { expression: 'limit >= 4000/s', passed: true }], 'who asked for less has it')
  t.equal(judgeSearch(searchOf({ limit: 'range' })).length, 1)
})

t.test('the knee is where a curve is farthest below the line between its ends', async t => {
  const curve = ys => ys.map((y, i) => ({ x: i + 1, y }))
  t.match(findKnee(curve([1, 1, 1, 1, 1, 10, 100])), { x: 6, y: 10 })
  t.match(findKnee(curve([1, 1, 1, 1, 1, 10, 100]).reverse()), { x: 6 }, 'in any order')
  t.equal(findKnee(curve([1, 2, 3, 4, 5, 6])), null, 'a line has none')
  t.equal(findKnee(curve([3, 3, 3, 3, 3, 3])), null, 'nor what does not rise')
  t.equal(findKnee(curve([1, 1, 100])), null, 'nor a few points')
  t.equal(findKnee(curve([60.8, 55, 48, 28.1, 40, 71])), null, 'nor what falls first')
  t.equal(findKnee(curve([30, 22, 24, 20, 25, 31])), null, 'nor what varies by chance')
  t.equal(findKnee(curve([2, 2, 2, 9, 2, 2, 9])), null, 'nor what falls behind it')
  t.match(findKnee(curve([5.1, 4.2, 4.8, 4.4, 5, 30, 71])), { x: 5 }, 'what varies before it changes nothing')
})

t.test('the last line has the reason of the exit code, and not the sentence again', async t => {
  const range = { best: 430, above: 566, steps: [stepOf(430), stepOf(566, failing), stepOf(476, { outcome: 'generator', reason: 'generator', generator: { verdict: 'starved', cause: null } })] }
  for (const [given, reason] of /** @type {Array<[any, string]>} */ ([
    [{}, 'the limit is known'],
    [{ limit: 'range' }, 'the limit lies above --to'],
    [{ limit: null }, 'interrupted'],
    [{ limit: 'generator' }, 'the limit of the server was not reached'],
    [{ best: null }, 'the lowest load does not hold'],
    [{ failBelow: 4000 }, 'at least 4,000 req/s hold'],
    [{ failBelow: 5000 }, 'less than 5,000 req/s hold'],
    [{ ...range, failBelow: 500 }, '500 req/s lie in the range that is inconclusive'],
    [{ ...range, failBelow: 600 }, 'less than 600 req/s hold'],
    [range, 'the limit is only known as a range'],
    [{ ...range, above: 440 }, 'the limit is known'],
    [{ silentSince: 3 }, 'the server stopped responding']
  ])) t.equal(searchReason(searchOf(given)), reason)
})
