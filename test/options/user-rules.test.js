'use strict'

// What is said of requests and pauses of users that do not do what they look like.

const t = require('tap')
const { readOptions } = require('../../lib/options/read')

const url = 'http://localhost:3000'

function problemsOf (options) {
  try {
    readOptions({ url, ...options })
    return []
  } catch (error) {
    return error.problems
  }
}

t.test('a fragment in a path of users is refused', async t => {
  const data = { users: { rows: [{ email: 'a@b.c' }] } }
  const asked = path => ({ data, scenarios: [{ requests: [{ path: '/' }, { path }] }] })
  for (const [options, problem] of [
    [asked('/x#reviews'), "scenarios[0].requests[1].path: '/x#reviews' has a #, and what is behind it is sent to no server: leave it out, or write %23 for the character"],
    [asked('/{{users.email}}#top'), /^scenarios\[0\]\.requests\[1\]\.path: .* leave it out/],
    [asked('/#{email}'), "scenarios[0].requests[1].path: '/#{email}' has a #, and what is behind it is sent to no server: a value is written as {{email}}"],
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
