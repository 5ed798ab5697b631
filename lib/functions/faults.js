'use strict'

// What an error of a user function leads to: its iteration is aborted, a check has failed, or the run ends.

const { types } = require('node:util')
const { isAssertion, reasonOf } = require('../checks/failure')
const { HookError, ProtocolError, codeOf } = require('../core/errors')
const { redactedText } = require('../core/secrets')
const { RequestError } = require('./call')
const { failureOf, hintFor } = require('./habits')
const { IterationCut } = require('./iteration-cut')
const { isMisuse } = require('./misuse')

/** The limit of exceptions that results name. One with an id in it would fill them. */
const MOST_EXCEPTIONS = 20

/** @typedef {import('./function-user').FunctionUser} FunctionUser */

class Faults {
  /**
   * @param {boolean} keepGoing whether an exception ends the iteration and not the run
   * @param {import('../instruments/checks/record').Checks} checks
   * @param {() => void} onFailedCheck
   * @param {(error: Error) => void} fail the run can't go on
   */
  constructor (keepGoing, checks, onFailedCheck, fail) {
    this.keepGoing = keepGoing
    this.checks = checks
    this.onFailedCheck = onFailedCheck
    this.fail = fail
    /** @type {Set<string>} */
    this.exceptions = new Set()
  }

  /**
   * @param {any} error that the function has thrown
   * @param {FunctionUser} user
   * @returns {string} why the iteration is aborted
   */
  reasonOf (error, user) {
    // The prototype trap of a proxy may throw.
    const isError = types.isNativeError(error)
    if (isError && error instanceof RequestError) return codeOf(error)
    if (isError && error instanceof IterationCut) return error.reason
    // A server under load responds with another page than usual: no reason to end the run.
    if (isError && error instanceof ProtocolError) {
      this.count('body', redactedText(reasonOf(error)))
      return `body ${codeOf(error)}`
    }
    if (isAssertion(error)) {
      this.count('assertion', reasonOf(error))
      return 'assertion'
    }
    if (isError && error instanceof HookError) {
      this.fail(error)
    } else if (this.keepGoing) {
      this.countException(error, user)
      return this.exceptionOf(error)
    } else {
      const what = `the function of user ${user.number}`
      this.fail(isMisuse(error) ? HookError.failed(what, error) : failureOf(what, error, user.user.context))
    }
    return 'exception'
  }

  /** A failed check fails a run without thresholds. @param {string} check @param {string} reason */
  count (check, reason) {
    this.checks.of(check, null).fail(reason, null)
    this.onFailedCheck()
  }

  /** @param {any} error @param {FunctionUser} user */
  countException (error, user) {
    this.count('exception', redactedText(reasonOf(error)) + hintFor(error, user.user.context))
  }

  /** @param {unknown} error @returns {string} as the reason of an aborted iteration */
  exceptionOf (error) {
    const reason = redactedText(`exception: ${HookError.wordsOf(error)}`)
    if (!this.exceptions.has(reason) && this.exceptions.size >= MOST_EXCEPTIONS) return 'exception: others'
    this.exceptions.add(reason)
    return reason
  }

  /** @param {Error} error of a wrong call that nothing has waited for @param {FunctionUser} user */
  report (error, user) {
    if (user.closed) return
    if (this.keepGoing) this.countException(error, user)
    else this.fail(HookError.failed(`the function of user ${user.number}`, error))
  }

  /** @param {unknown} error of a listener of the signal */
  threw (error) {
    const failure = HookError.failed('a listener of the signal of a user function', error)
    if (this.keepGoing) this.count('exception', redactedText(failure.message))
    else this.fail(failure)
  }
}

module.exports = { Faults }
