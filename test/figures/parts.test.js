'use strict'

// Requests without a name are counted with the run alone, so what no named request has is theirs.

const t = require('tap')
const { namelessRequests } = require('../../lib/figures/parts')

const named = { count: 400, failures: 2, errors: 1, statusCodeStats: { 200: { count: 400 } }, latency: {}, ttfb: {} }
const result = { duration: 10, requests: { total: 955 }, errors: 109, failures: 114, non2xx: 4, fates: { timedOut: 9, failed: 90 }, byRequest: { login: named } }

t.test('what no named request has is of those without a name; errors of connections are no request', async t => {
  t.match(namelessRequests(result), [{ name: 'requests without a name', count: 555, perSecond: 55.5, errors: 98, failures: 102, non2xx: 4, latency: { totalCount: 0 } }])
})

t.test('none where all have a name, or none has', async t => {
  t.strictSame(namelessRequests({ ...result, byRequest: {} }), [])
  t.strictSame(namelessRequests({ ...result, requests: { total: 400 }, errors: 1, fates: undefined }), [])
})

t.test('none where redirects and retries are counted with the run, and under the name of the request that they belong to once', async t => {
  for (const more of [{ redirects: 3 }, { retries: 3 }]) t.strictSame(namelessRequests({ ...result, ...more }), [])
})
