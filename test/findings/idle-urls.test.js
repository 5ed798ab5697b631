'use strict'

const t = require('tap')
const { idleUrlsOf } = require('../../lib/findings/idle-urls')
const { noteOf } = require('../../lib/words/findings')

const urls = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => `http://${'abcdefgh'[i]}`)

t.test('says which URLs get no request, and what to do', async t => {
  /** @type {Array<[Record<string, any>, string | null]>} */
  const cases = [
    [{ connections: 1, url: urls(2) }, '1 connection, 2 URLs: http://b gets no requests; use -c 2 or more'],
    [{ connections: 1, url: urls(3) }, '1 connection, 3 URLs: http://b and http://c get no requests; use -c 3 or more'],
    [{ connections: 2, url: urls(8) }, '2 connections, 8 URLs: http://c, http://d, http://e and 3 others get no requests; use -c 8 or more'],
    [{ connections: 10, amount: 1, url: urls(2) }, '1 request, 2 URLs: http://b gets no requests; use -a 2 or more'],
    [{ connections: 1, stages: [{ connections: 1 }, { rate: '5/s' }], url: urls(2) }, '1 connection, 2 URLs: http://b gets no requests; use -c 2 or more'],
    [{ connections: 1, stages: [{ connections: 4 }], url: urls(2) }, null],
    [{ connections: 1, workers: 2, url: urls(2) }, null],
    [{ connections: 1, agents: 2, workers: 2, url: urls(2) }, '1 connection, 2 URLs: http://b gets no requests; use -c 2 or more'],
    [{ connections: 1, url: ['http://a', 'http://a'] }, null],
    [{ connections: 1, url: ['http://a'] }, null],
    [{ connections: 2, url: urls(2) }, null],
    [{ connections: 1, pipelining: 2, url: urls(2) }, '1 connection, 2 URLs: http://b gets no requests; use -c 2 or more'],
    // Users over HTTP/2 share a connection, and go to the URLs in turn.
    [{ connections: 1, pipelining: 2, scenarios: [{}], url: urls(2) }, null],
    [{ connections: 1, scenarios: [{ connections: 2 }], url: urls(2) }, null],
    [{ url: urls(2) }, null],
    [{}, null]
  ]
  for (const [options, sentence] of cases) t.equal(idleUrlsOf(options) === null ? null : noteOf(idleUrlsOf(options)).lead, sentence)
})
