'use strict'

// What is said of requests and pauses of users that do not do what they look like.

const t = require('tap')
const { readOptions } = require('../../../lib/options/read')
const { problemsIn } = require('../../helpers/options/problems')

const url = 'http://localhost:3000'

const problemsOf = options => problemsIn(() => readOptions({ url, ...options }))

t.test('a fragment in a path of users is refused', async t => {
  const data = { users: { rows: [{ email: 'a@b.c' }] } }
  const asked = path => ({ data, scenarios: [{ requests: [{ path: '/' }, { path }] }] })
  for (const [options, problem] of [
    [asked('/x#reviews'), "scenarios[0].requests[1].path: '/x#reviews' has a #, and the text after it is never sent: omit it, or write %23 for the character"],
    [asked('/{{users.email}}#top'), /^scenarios\[0\]\.requests\[1\]\.path: .* omit it/],
    [asked('/#{email}'), "scenarios[0].requests[1].path: '/#{email}' has a #, and the text after it is never sent: a value is written as {{email}}"],
    [asked('/x%23'), undefined],
    [asked("/{{pick '#' b}}"), undefined],
    [{ pause: '1s', requests: [{ path: '/x#' }] }, /^requests\[0\]\.path: /],
    [{ requests: [{ path: '/x#reviews' }] }, undefined]
  ]) {
    const found = problemsOf(options)
    t.equal(found.length, problem === undefined ? 0 : 1, found.join('\n'))
    if (problem !== undefined) typeof problem === 'string' ? t.equal(found[0], problem) : t.match(found[0], problem)
  }
})

t.test('a pause that lasts as long as the run is told', async t => {
  const requests = [{ path: '/' }, { pause: [50, 100] }]
  const own = pause => ({ name: `p${pause}`, pause, requests: [{ path: '/' }] })
  for (const [options, place] of [
    [{ duration: 1, scenarios: [{ requests }] }, 'scenarios[0].requests[1].pause: a user who comes to a pause of at least 50 s in a run of 1 s sends nothing more: a number is seconds, milliseconds are written as in 50ms'],
    [{ duration: 1, requests: [{ path: '/', pause: 5 }] }, 'requests[0].pause: a user who comes to a pause of 5 s'],
    [{ duration: 5, pause: 5 }, 'pause: a user who comes to a pause of 5 s'],
    [{ duration: 5, pause: 500, scenarios: [own('1s'), { ...own('2s'), pause: undefined }] }, 'pause: a user'],
    [{ duration: 5, pause: 500, scenarios: [own('1s')] }],
    [{ duration: 5, scenarios: [own('1s'), own('6s')] }, 'scenarios[1].pause: a user'],
    [{ duration: 5, rate: '5 iterations/s', scenarios: [{ requests }] }, 'scenarios[0].requests[1].pause: a user'],
    [{ duration: 5, pause: 4.999 }],
    [{ duration: 5, pause: [1, 100] }],
    [{ duration: 5, pause: { exponential: 100 } }],
    [{ duration: 5, pause: () => 100 }],
    [{ duration: 5, every: 100 }],
    [{ duration: 5, amount: 3, pause: 5 }],
    [{ duration: 5, until: 'p50 ±5%', pause: 5 }],
    [{ stages: '5s:10', pause: 5 }]
  ]) {
    const { warnings } = readOptions({ url, ...options })
    t.equal(warnings.length, place === undefined ? 0 : 1, warnings.join('\n'))
    if (place !== undefined) t.equal(warnings[0].slice(0, place.length), place)
  }
})
