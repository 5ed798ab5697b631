'use strict'

// The promise of a response or a WebSocket that is taken for the thing itself: what a promise does not have is
// undefined in JavaScript, so a condition on its status is never true, and nothing says why.

const { OF_RESPONSE } = require('./habits')

/** The limit of observed requests of a thread: a missing await shows in the first iterations. */
const MOST_WATCHED = 1000

/** What a function reads of a response. What it calls is an error of JavaScript already. */
const READ = ['status', 'ok', 'headers', 'body', 'url', 'timings', ...Object.keys(OF_RESPONSE)]

/** @type {(names: string[], example: string) => PropertyDescriptorMap} */
const throwing = (names, example) => Object.fromEntries(names.map(name => {
  const get = () => {
    const error = new TypeError(`a promise has no ${name}: is an await missing, as in ${example}?`)
    Error.captureStackTrace(error, get)
    throw error
  }
  return [name, { get, configurable: true }]
}))

const OF_RESPONSES = throwing(READ, 'await http.get(path)')
const OF_STREAMS = throwing(READ, 'await http.stream(path)')
const OF_SOCKETS = throwing(['request', 'send', 'ping', 'close', 'closed', 'protocol', 'url'], 'await ws(path)')

/** @type {<P extends Promise<any>>(promise: P) => P} the same, on which properties of a response throw */
const watched = promise => Object.defineProperties(promise, OF_RESPONSES)

/** @type {<P extends Promise<any>>(promise: P) => P} the same, on which properties of a stream throw */
const watchedStream = promise => Object.defineProperties(promise, OF_STREAMS)

/** @type {<P extends Promise<any>>(promise: P) => P} the same, on which properties of a WebSocket throw */
const watchedSocket = promise => Object.defineProperties(promise, OF_SOCKETS)

module.exports = { MOST_WATCHED, watched, watchedSocket, watchedStream }
