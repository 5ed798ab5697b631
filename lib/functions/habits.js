'use strict'

// What functions of k6 and Locust call that is called otherwise here, or that a function is given as its argument.

/** Methods of http. @type {Readonly<Record<string, string>>} */
const OF_HTTP = Object.freeze({
  batch: "use await Promise.all([http.get('/a'), http.get('/b')])",
  del: 'use http.delete(path)',
  asyncRequest: 'use http.request(method, path), which returns a promise',
  options: "use http.request('OPTIONS', path)"
})

/** Names that are no variables here. @type {Readonly<Record<string, string>>} */
const OF_ALL = Object.freeze({
  sleep: "use await pause('1s'), which a user function is given, as in async ({ http, pause }) => { … }",
  __VU: 'use user.number, which a user function is given, as in async ({ http, user }) => { … }',
  __ITER: 'use iteration, which a user function is given, as in async ({ http, iteration }) => { … }',
  __ENV: 'use process.env'
})

/** What a function is given. */
const GIVEN = new Set([
  'http', 'pause', 'check', 'group', 'data', 'random', 'context', 'setup', 'user', 'iteration', 'signal', 'log'
])

/**
 * @param {unknown} error that a function has thrown
 * @returns {string} what to write in place of a name that there is not; empty for another error
 */
function hintFor (error) {
  if (!(error instanceof ReferenceError)) return ''
  // Node.js has no other place for the name.
  const [, name = ''] = /^([\w$]+) is not defined$/.exec(error.message) ?? []
  if (Object.hasOwn(OF_ALL, name)) return `: ${OF_ALL[name]}`
  return GIVEN.has(name) ? `: a user function is given it, as in async ({ ${name} }) => { … }` : ''
}

module.exports = { OF_ALL, OF_HTTP, hintFor }
