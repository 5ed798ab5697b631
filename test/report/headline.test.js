'use strict'

// The one sentence that a reader takes away: the title of the page, and of the comment in a pull request.

const t = require('tap')
const { exitCodeOf } = require('../../lib/cli/exit-code')
const { headlineOf } = require('../../lib/report/headline')
const { toMarkdown } = require('../../lib/report/markdown/result')
const { printResult } = require('../../lib/report/text')
const { exampleResult, VERDICTS } = require('../helpers/results/example-result')

const [SLOW, FAST, ...OTHERS] = VERDICTS.thresholds

/** @param {Record<string, any>} changes */
const sentenceFor = changes => headlineOf(exampleResult({ seconds: 1, ...changes })).sentence

t.test('the headline names the threshold that failed, and what was measured', async t => {
  const unmeasured = { expression: 'login: errors < 1', actual: null, passed: false, unit: 'count' }
  const more = ['errors == 0', 'timeouts == 0', 'resets == 0'].map((expression, i) => ({ expression, actual: 22 + i, passed: false, unit: 'count' }))
  t.equal(sentenceFor({ thresholds: [SLOW] }), 'p99 < 50ms failed: it was 61.3 ms')
  t.equal(sentenceFor({ thresholds: [FAST, ...OTHERS, SLOW] }), 'p99 < 50ms failed: it was 61.3 ms')
  t.equal(sentenceFor({ thresholds: [FAST, unmeasured] }), 'login: errors < 1 failed: nothing was measured')
  t.equal(sentenceFor({ thresholds: [FAST, SLOW, more[0]] }), '2 of 3 thresholds failed: p99 < 50ms (61.3 ms), errors == 0 (22)')
  t.equal(sentenceFor({ thresholds: [SLOW, ...more] }), '4 of 4 thresholds failed: p99 < 50ms (61.3 ms), errors == 0 (22), timeouts == 0 (23) and 1 more')
  t.equal(sentenceFor({ thresholds: [FAST, ...OTHERS] }), 'All 3 thresholds passed; 2 errors')
})

t.test('so it does with checks and limits', async t => {
  const limits = [{ expression: 'p99 +10%', passed: false, reason: 'beyond the limit' }, { expression: 'rps -5%', passed: true, reason: 'within the limit' }]
  t.equal(sentenceFor({ checks: VERDICTS.checks }), '2 of 3 checks failed: status 2xx (20 times), login: json user.id (2 times)')
  t.equal(sentenceFor({ checks: VERDICTS.checks.slice(1) }), 'The check login: json user.id failed 2 times')
  t.equal(sentenceFor({ comparison: { limits } }), 'p99 +10% failed: beyond the limit')
  t.equal(sentenceFor({ thresholds: [SLOW], checks: VERDICTS.checks.slice(0, 1), comparison: { limits } }),
    'p99 < 50ms failed: it was 61.3 ms; the check status 2xx failed 20 times; p99 +10% failed: beyond the limit')
})

t.test('it never says passed when something could not be judged', async t => {
  const limits = [['p99 +10%', null, 'between −75 % and +214 %'], ['rps -5%', true, 'within the limit'], ['avg +5%', null, 'between −3 % and +9 %'], ['p50 +5%', false, 'beyond the limit']]
    .map(([expression, passed, reason]) => ({ expression, passed, reason }))
  const headline = (/** @type {any} */ limits) => headlineOf(exampleResult({ seconds: 1, comparison: { limits } }))
  t.match(headline(limits.slice(0, 1)), { level: 'warning', sentence: 'p99 +10% is inconclusive: between −75 % and +214 %' })
  t.match(headline(limits.slice(0, 2)), { level: 'warning', sentence: 'p99 +10% is inconclusive: between −75 % and +214 %' })
  t.match(headline(limits.slice(0, 3)), { level: 'warning', sentence: '2 of 3 limits are inconclusive: p99 +10% (between −75 % and +214 %), avg +5% (between −3 % and +9 %)' })
  t.match(headline([limits[0], limits[3]]), { level: 'bad', sentence: 'p50 +5% failed: beyond the limit; p99 +10% is inconclusive: between −75 % and +214 %' })
  const unsent = { expression: 'most of the load is sent', actual: 0.0125, passed: null, unit: 'share', note: '5 of 400 requests that were due were sent', implied: true }
  t.match(headlineOf(exampleResult({ seconds: 1, thresholds: [FAST, unsent] })), { level: 'warning', sentence: unsent.note })
  t.match(headlineOf(exampleResult({ seconds: 1, thresholds: [SLOW, unsent] })), { level: 'bad', sentence: /^p99 < 50ms failed: it was 61.3 ms; most of the load is sent is inconclusive/ })
  const interrupted = exampleResult({ seconds: 1, interrupted: true, thresholds: [{ ...FAST, actual: null, passed: null }] })
  t.match(headlineOf(interrupted), { level: 'warning', sentence: 'Interrupted: no threshold was judged' })
})

t.test('a name that is too long for a headline is cut: the table has all of it', async t => {
  t.equal(sentenceFor({ checks: [{ name: 'x'.repeat(100), passed: 0, failed: 1, reasons: {}, samples: {} }] }), `The check ${'x'.repeat(59)}… failed 1 time`)
})

t.test('a redirect that was not followed is one, and no check of the user', async t => {
  const check = { name: 'redirect', passed: 5, failed: 0, reasons: {}, samples: {} }
  const followed = exampleResult({ bad: 0, redirects: 5, checks: [check] })
  t.match(headlineOf(followed), { level: 'good', sentence: /requests completed, no failures$/ })
  t.equal(exitCodeOf(followed), 0)
  const refused = { ...followed, failures: 3, checks: [{ ...check, failed: 2, reasons: { 'more than 3 redirects': 2 } }, { ...check, request: 'a', failed: 1, reasons: { 'more than 3 redirects': 1 } }] }
  const { level, sentence, notes } = headlineOf(refused)
  t.strictSame([level, sentence], ['bad', '3 redirects were not followed: more than 3 redirects'])
  t.notMatch(notes.join('\n'), 'not followed:', 'which is said once')
  t.match(notes.join('\n'), '3 × redirect that was not followed')
  t.equal(exitCodeOf(refused), 3)
  const text = printResult(refused)
  t.match(text, '3 redirects were not followed: more than 3 redirects.')
  for (const shown of [text, toMarkdown(refused), toMarkdown(followed), printResult(followed)]) t.notMatch(shown, /[Cc]hecks? (passed|failed)|\| Check/)
  const both = { ...refused, checks: [...refused.checks, { ...check, name: 'expect', failed: 4, reasons: { 'status 500': 4 } }] }
  t.equal(headlineOf(both).sentence, 'The check expect failed 4 times; 3 redirects were not followed: more than 3 redirects')
})
