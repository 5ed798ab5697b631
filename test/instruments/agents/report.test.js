'use strict'

// Agents in every report: all of a few, of many those that stand out.

const t = require('tap')
const Ajv = require('ajv/dist/2020').default
const addFormats = require('ajv-formats').default
const schema = require('../../../docs/result.schema.json')
const { derive, healthOfAll } = require('../../../lib/instruments/agents/result')
const { toCsv } = require('../../../lib/report/formats/csv')
const { toHtml } = require('../../../lib/report/html/page')
const { findingsOf } = require('../../../lib/findings/findings')
const { noteOf } = require('../../../lib/words/findings')
const { headlineOf } = require('../../../lib/report/headline')
const { toJunit } = require('../../../lib/report/formats/junit')
const { toMarkdown, toSummary } = require('../../../lib/report/markdown/result')
const { toNdjson } = require('../../../lib/report/formats/ndjson')
const { printResult } = require('../../../lib/report/text')
const { judged } = require('../../../lib/judge/judge')
const { parseThreshold } = require('../../../lib/judge/threshold')
const { agentOutcome } = require('../../helpers/agents/example-agents')
const { exampleResult } = require('../../helpers/results/example-result')

/** @type {(agents: any[], sent: number) => any[]} */
const agentsOf = (agents, sent) => derive(null, /** @type {any} */ ({ outcome: { agents, totals: { sent } } })).agents

/** What the reports of messages read. */
const WEBSOCKET = { refused: {}, closed: {}, unmatched: 0, late: 0, ping: { totalCount: 0 }, age: { totalCount: 0 } }

const LOST = { after: 3.21, reason: 'nothing was heard of it for 30 s', missing: { share: 0.08, requests: 1234 } }

/**
 * @param {any[]} agents
 * @returns {any}
 */
function resultOf (agents) {
  const result = exampleResult({ bad: 0 })
  const sent = agents.reduce((sum, { requests }) => sum + requests.sent, 0)
  const { verdict, cause, saturated, cpu } = healthOfAll(agents, agents.map(({ usage }) => usage), undefined, [])
  const plain = agents.map(({ usage, ...agent }) => agent)
  return { ...result, agents: agentsOf(plain, sent), generator: { ...result.generator, verdict, cause, saturated, cpu }, requests: { ...result.requests, sent } }
}

/** @param {any} result */
const text = result => printResult(result, { outputStream: /** @type {any} */ ({ columns: 120 }) })

const FEW = resultOf([agentOutcome(0), agentOutcome(1, { busy: 9900 }), agentOutcome(2, { lost: LOST, skew: null, name: 'same', host: 'same' })])
const MANY = resultOf(Array.from({ length: 100 }, (_, i) => agentOutcome(i, i === 7 ? { lost: LOST } : i === 50 ? { busy: 9900, sent: 90 } : i === 51 ? { sent: 40 } : i === 52 ? { skew: 12 } : { busy: 3000 + i, skew: i / 100 })))
const LOSS = 'was lost after 3.21 s: nothing was heard of it for 30 s. What it had reported is in the figures; 8 % of the load (1,234 requests) is missing.'

t.test('a threshold over a load that lost agents left out is inconclusive, and the verdict says so', async t => {
  const lost = share => ({ ...resultOf(Array.from({ length: 3 }, (_, i) => agentOutcome(i, i === 1 ? { lost: { after: 4, reason: 'silent.', missing: { share, requests: null } } } : {}))), duration: 10 })
  const withVerdict = (result, ...expressions) => judged(result, expressions.map(parseThreshold), null, null, 'exact')
  const most = withVerdict(lost(0.4), 'p99 < 500s')
  t.match(most.thresholds.map(({ expression, passed }) => [expression, passed]), [['p99 < 500s', true], ['no agent is lost', null]])
  t.equal(headlineOf(most).sentence, '1 of 3 agents was lost, and 40 % of the load is missing, so the target load was not tested')
  const few = withVerdict(lost(0.04), 'p99 < 500s')
  t.strictSame(few.thresholds.length, 1)
  t.match(headlineOf(few), { level: 'warning', sentence: 'The threshold passed; 1 of 3 agents was lost' })
  const allowed = withVerdict(lost(0.4), 'requests >= 1')
  t.match(headlineOf(allowed), { level: 'good', sentence: 'The threshold passed; 1 of 3 agents was lost' })
})

t.test('the finding on a lost agent has a code, and its sentence what the agent said', async t => {
  const told = (/** @type {Record<string, any>} */ lost) => {
    const result = resultOf([agentOutcome(0), agentOutcome(1, { lost: { ...LOST, ...lost } })])
    const found = findingsOf({ ...result, duration: 10 }).find(({ code }) => code === 'lost-agent')
    return [found.facts.reason, noteOf(found, result).text]
  }
  t.match(told({ code: 'silent' }), ['silent', LOSS])
  t.match(told({}), [undefined, LOSS], 'an older version has no code')
})

t.test('of a few agents each has a row', async t => {
  const shown = text(FEW)
  t.match(shown, /│ Agent +│ Threads │ Connections │ Requests │ Share +│ CPU +│ Start skew +│ State +│/)
  t.match(shown, /│ agent-0 \(host-0\) │ 1 +│ 10 +│ 100 +│ 33.3 % +│ 30 % │ 0.400 ms +│ +│/)
  t.match(shown, /│ agent-1 \(host-1\) │ .*│ 99 % │ 0.400 ms +│ at its limit +│/)
  t.match(shown, /│ same +│ .*│ – +│ lost after 3\.21 s │/)
  t.ok(shown.includes(`The agent same ${LOSS}`))
  t.ok(shown.includes('On agent-1 (host-1), which had 33 % of the load, the load generator used 99 % of its core'))
})

t.test('of many those have a row that stand out, and one line tells of all others', async t => {
  const shown = text(MANY)
  const rows = shown.split('\n').filter(line => line.includes('│ agent-'))
  t.strictSame(rows.map(row => row.split(' ')[1]), ['agent-7', 'agent-50', 'agent-51', 'agent-52'])
  t.ok(shown.includes('96 more agents: 1 % of the requests each, CPU 30 % to 31 % of a core, start skew up to 0.990 ms.'), shown)
  const half = resultOf(Array.from({ length: 20 }, (_, i) => agentOutcome(i, i < 9 ? { lost: LOST, sent: 5 } : {})))
  t.ok(text({ ...half, requests: { ...half.requests, sent: 5000 } }).includes('12 more agents: '), 'lost ones do not say what is usual for the others')
  t.ok(text(resultOf(Array.from({ length: 20 }, (_, i) => agentOutcome(i)))).includes('20 agents, none of which stands out: 5 % of the requests each, CPU 30 % of a core, start skew up to 0.400 ms.'))
  const all = text(resultOf(Array.from({ length: 100 }, (_, i) => agentOutcome(i, { lost: { ...LOST, missing: { share: 0.005, requests: null } } }))))
  t.equal(all.split('\n').filter(line => line.includes('│ agent-')).length, 8)
  t.equal(all.split('What it had reported').length - 1, 3)
  t.ok(all.includes('All 100 agents were lost, and with them 50 % of the load.'))
})

t.test('messages over WebSocket are counted as such, and connections that only listen have no share of any', async t => {
  const ofMessages = (/** @type {any[]} */ agents) => text({ ...resultOf(agents), options: { url: 'ws://127.0.0.1/' }, websocket: WEBSOCKET })
  t.match(ofMessages([agentOutcome(0)]), /│ Connections │ Messages │ Share +│.*\n.*\n│ agent-0 \(host-0\) │ 1 +│ 10 +│ 100 +│ 100 % +│/)
  const listening = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => agentOutcome(i, { sent: 0 }))
  t.match(ofMessages(listening(1)), /│ agent-0 \(host-0\) │ 1 +│ 10 +│ 0 +│ – +│/)
  t.match(ofMessages(listening(20)), '20 agents, none of which stands out: CPU 30 % of a core')
})

t.test('a lost agent is the headline where nothing worse happened, and a note in every report', async t => {
  t.match(headlineOf(FEW), { level: 'warning', sentence: '1 of 3 agents was lost' })
  t.match(headlineOf({ ...FEW, errors: 5, failures: 5, errorCodes: { ECONNRESET: 5 } }).sentence, /^5 errors/)
  const html = toHtml(FEW)
  for (const report of [toMarkdown(FEW), html, toJunit(FEW)]) t.ok(report.includes(`The agent same ${LOSS}`))
  t.match(toSummary(FEW), /1 of 3 agents was lost/)
  t.match(html, /<h2 id="agents">Agents<\/h2>.*agent-1 \(host-1\)/s)
  t.match(html, /3 agents/)
  t.match(toMarkdown(FEW), /\| <code>agent-1 \(host-1\)<\/code> \| 1 \| 10 \| 100 \| 33.3 % \| 99 % \| 0.400 ms \| at its limit \|/)
  const [head, row] = toCsv(FEW).split('\r\n').map(line => line.split(','))
  t.strictSame([row[head.indexOf('agents')], row[head.indexOf('agents_lost')]], ['3', '1'])
  t.match(JSON.parse(toNdjson(FEW).trimEnd().split('\n').at(-1) ?? ''), { agents: [{ name: 'agent-0' }, {}, { lost: LOST }] })
})

t.test('a table has the threads of all agents, whatever each was told', async t => {
  const [head, row] = toCsv({ ...FEW, workers: 1 }).split('\r\n').map(line => line.split(','))
  t.equal(row[head.indexOf('workers')], '3')
})

t.test('a search shows who sent its load', async t => {
  const search = { best: null, unit: 'requests/s', limit: null, above: null, knee: null, over: 'rate', from: 100, to: 200, precision: 0.03, step: 10, thresholds: ['p99 < 50ms'], steps: [] }
  t.match(text({ ...FEW, search }), /interrupted before any load was held\n.*│ agent-1 \(host-1\) │/s)
})

t.test('a rate that was not reached for want of an agent is not the fault of the server', async t => {
  const rate = { target: 1000, achieved: 800, ratio: 0.8, sent: 8000, late: 5, unsent: 10, pace: 'even' }
  t.ok(text({ ...FEW, rate }).includes('The rate was 800 of 1,000 req/s: agents were lost.'))
})

t.test('the schema of results knows them', async t => {
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true, allowMatchingProperties: true })
  addFormats(ajv)
  const validate = ajv.compile(schema)
  for (const result of [FEW, MANY]) t.ok(validate(JSON.parse(JSON.stringify(result))), JSON.stringify(validate.errors))
  t.notOk(validate(JSON.parse(JSON.stringify({ ...FEW, agents: [{ ...FEW.agents[0], more: 1 }] }))))
})
