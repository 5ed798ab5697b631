'use strict'

// The promise of a response that is taken for the response itself: what a promise does not have is undefined in
// JavaScript, so a condition on its status is never true, and nothing says why.

const { OF_RESPONSE } = require('./habits')

/** The limit of observed requests of a thread: a missing await shows in the first iterations. */
const MOST_WATCHED = 1000

/** What a function reads of a response. What it calls is an error of JavaScript already. */
const READ = ['status', 'ok', 'headers', 'body', 'url', 'timings', ...Object.keys(OF_RESPONSE)]

const PROPERTIES = Object.fromEntries(READ.map(name => {
  const get = () => {
    const error = new TypeError(`a promise has no ${name}: is an await missing, as in await http.get(path)?`)
    Error.captureStackTrace(error, get)
    throw error
  }
  return [name, { get, configurable: true }]
}))

/** @type {<P extends Promise<any>>(promise: P) => P} the same, on which these properties throw */
const watched = promise => Object.defineProperties(promise, PROPERTIES)

module.exports = { MOST_WATCHED, watched }
