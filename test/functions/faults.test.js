'use strict'

// What an error of a user function leads to.

const t = require('tap')
const assert = require('node:assert/strict')
const { HookError, ProtocolError } = require('../../lib/core/errors')
const { RequestError } = require('../../lib/functions/call')
const { Faults } = require('../../lib/functions/faults')
const { IterationCut } = require('../../lib/functions/iteration-cut')
const { misuse } = require('../../lib/functions/misuse')

const USER = { number: 3, closed: false, user: { context: {} } }

function faultsOf ({ keepGoing = false } = {}) {
  const seen = { checks: {}, failedChecks: 0, failures: [] }
  const checks = { of: name => ({ fail: reason => { (seen.checks[name] ??= []).push(reason) } }) }
  return { seen, faults: new Faults(keepGoing, checks, () => seen.failedChecks++, error => seen.failures.push(error)) }
}

function thrownBy (call) {
  try {
    return call()
  } catch (error) {
    return error
  }
}

const request = { method: 'GET', url: 'http://localhost/', name: undefined }
const assertion = thrownBy(() => assert.equal(1, 2))

t.test('what is no error of the function aborts its iteration and never ends the run', async t => {
  for (const keepGoing of [false, true]) {
    for (const [error, reason, check] of [
      [new RequestError('ECONNREFUSED', 'refused', request), 'ECONNREFUSED'],
      [new IterationCut('value'), 'value'],
      [new ProtocolError('AC_JSON'), 'body AC_JSON', 'body'],
      [assertion, 'assertion', 'assertion']
    ]) {
      const { seen, faults } = faultsOf({ keepGoing })
      t.equal(faults.reasonOf(error, USER), reason)
      t.strictSame(Object.keys(seen.checks), check === undefined ? [] : [check])
      t.strictSame([seen.failures.length, seen.failedChecks], [0, check === undefined ? 0 : 1])
    }
  }
})

t.test('an exception ends the run, in words that say what kind it is', async t => {
  for (const [error, message] of [
    [new Error('of the user'), /^the function of user 3 .*of the user/],
    [misuse(new TypeError('a wrong call')), /^the function of user 3 .*a wrong call/],
    [new HookError('ours'), /^ours$/],
    [undefined, /^the function of user 3 /],
    [new Proxy(new Error('a proxy'), { getPrototypeOf () { throw new Error('a trap') } }), /^the function of user 3 /]
  ]) {
    const { seen, faults } = faultsOf()
    t.equal(faults.reasonOf(error, USER), 'exception')
    t.equal(seen.failures.length, 1)
    t.match(seen.failures[0], { name: 'HookError', message })
  }
})

t.test('with keepGoing an exception is a failed check, of limited names', async t => {
  const { seen, faults } = faultsOf({ keepGoing: true })
  t.match(faults.reasonOf(new Error('number 0'), USER), /^exception: .*number 0/)
  for (let i = 1; i < 20; i++) faults.reasonOf(new Error(`number ${i}`), USER)
  t.equal(faults.reasonOf(new Error('number 20'), USER), 'exception: others')
  t.match(faults.reasonOf(new Error('number 0'), USER), /number 0/, 'a known one keeps its name')
  faults.report(new TypeError('a wrong call'), USER)
  faults.threw(new Error('of a listener'))
  t.strictSame([seen.checks.exception.length, seen.failedChecks, seen.failures.length], [24, 24, 0])
})

t.test('a wrong call that nothing waits for ends the run, but not after its end', async t => {
  const { seen, faults } = faultsOf()
  faults.report(new TypeError('late'), { ...USER, closed: true })
  t.equal(seen.failures.length, 0)
  faults.report(new TypeError('a wrong call'), USER)
  faults.threw(new Error('of a listener'))
  t.match(seen.failures, [/the function of user 3 .*a wrong call/, /a listener of the signal of a user function .*of a listener/])
})
