'use strict'

// Options that were not refused as they should have been, each with what it led to.

const trap = () => { throw new Error('a trap') }

module.exports = [
  ['a TypeError of URL', { url: [,], har: { log: { entries: [] } } }], // eslint-disable-line no-sparse-arrays
  ['a message of the engine', { url: 'http://localhost/', har: { log: { entries: [{ request: { method: 'GET', url: 'http://a.aa', headers: [{ name: '__proto__', value: '' }] } }] } } }],
  ['a control character in the message', { url: 'http://localhost/', warmup: { '\0': 0 } }],
  ['the error of a getter', { url: 'http://localhost/', warmup: { get connections () { return trap() } } }],
  ['the error of a getter', { url: 'http://localhost/', headers: { get a () { return trap() } } }],
  ['the error of a getter, in the middle of the run', { url: 'http://localhost/', initialContext: { get a () { return trap() } } }],
  ['the error of toString', { url: 'http://localhost/', input: { toString: trap } }],
  ['a stack that is too deep', { url: 'http://localhost/', input: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) }],
  ['a line of its own in the head of a part', { url: 'http://localhost/', form: { a: { type: 'text', value: 'b', options: { contentType: 'text/x\r\nEvil: 1' } } } }],
  ['a promise taken for no headers', { url: 'http://localhost/', headers: Promise.resolve({ a: 'b' }) }],
  ['a request at the host http', { url: 'http:/localhost' }],
  ['a request at 0.0.0.5', { url: '5' }],
  ['gigabytes of rings', { url: 'http://localhost/', connections: 100_000, pipelining: 10_000 }]
]
