'use strict'

// Hooks of scenarios whose promises never settle: the run ends all the same, and says why.

const t = require('tap')
const autocannon = require('../../..')
const { conserves } = require('../../helpers/results/conservation')
const { serve } = require('../../helpers/servers/http-server')

const NEVER = new Promise(() => {})

/** @type {(opts: Record<string, any>) => Promise<any>} */
const run = opts => autocannon({ connections: 2, timeout: 1, ...opts })

t.test('a setupRequest that never settles ends a run by amount once its time is over, with the name of the hook', async t => {
  const { url, requests } = await serve(t)
  for (const amount of [4, '4 iterations']) {
    const flow = [{ path: '/a' }, { path: '/b', setupRequest: async () => NEVER }]
    await t.rejects(run({ url, amount, scenarios: [{ requests: flow }] }), { code: 'AC_HOOK', message: /^setupRequest of request 1 failed: its promise has not settled within 1 s \(timeout\)/ })
  }
  t.ok(requests.length <= 4, 'one request of each user was sent')
})

t.test('setup of a scenario has that time as well', async t => {
  const { url, requests } = await serve(t)
  const scenarios = [{ setup: [{ path: '/token', setupRequest: async () => NEVER }], requests: [{ path: '/' }] }]
  await t.rejects(run({ url, amount: 4, scenarios }), { code: 'AC_HOOK', message: /setup of .*its promise has not settled within 1 s/ })
  t.equal(requests.length, 0)
})

t.test('a check without a verdict in its time has failed, and the run by amount ends', async t => {
  const { url } = await serve(t)
  const result = await run({ url, amount: 4, scenarios: [{ requests: [{ path: '/', check: async () => NEVER }] }] })
  conserves(t, result)
  t.match(result, { '2xx': 4, failures: 4, checks: [{ name: 'check', passed: 0, failed: 4, reasons: { 'no verdict within 1 s (timeout)': 4 } }] })
})

t.test('checks that are open when the time of the run is over are no verdict, and are told', async t => {
  const { url } = await serve(t)
  let n = 0
  const check = async () => ++n <= 2 || NEVER
  const result = await run({ url, duration: 1, timeout: 60, scenarios: [{ requests: [{ path: '/', check }] }] })
  conserves(t, result)
  t.match(result.checks, [{ name: 'check', passed: 2, failed: 0, unjudged: 2 }])
  t.match(result.findings.filter(({ code }) => code === 'unjudged-checks'), [{ severity: 'warning', facts: { unjudged: 2, judged: 2 } }])
})

t.test('what settles in time is as before, in any number and with one timer', async t => {
  const { url } = await serve(t)
  const later = () => new Promise(resolve => setTimeout(resolve, 1))
  const requests = [{ path: '/', setupRequest: async request => { await later(); return request }, check: async () => { await later(); return true } }]
  const result = await run({ url, amount: 200, timeout: 30, scenarios: [{ requests }] })
  conserves(t, result)
  t.match(result, { '2xx': 200, checks: [{ passed: 200, failed: 0, unjudged: undefined }] })
  t.equal(result.findings.some(({ code }) => code === 'unjudged-checks'), false)
})
