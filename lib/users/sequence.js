'use strict'

// A scenario with constant bytes on one connection: it selects the next requests and allocates nothing. Requests in
// flight are in the exchange table of the connection.

/** The next request must not be sent before `readyAt`. */
const NOT_YET = 0
/** There are no more requests. */
const NO_MORE = -1
/** The next request has another target than the connection. */
const ELSEWHERE = -2
/** A value of `readyAt`: until the connection is woken. */
const IDLE = Number.MAX_VALUE

/**
 * The source of requests of one connection. Returned bytes never change: an edit affects later requests only.
 * @typedef {object} Source
 * @property {number} maxRun the limit of requests per call
 * @property {import('../requests/target').Target} target of the next request
 * @property {Buffer} bytes of the last returned requests, joined
 * @property {number} readyAt after NOT_YET: the time of the next request
 * @property {boolean} [inIteration] whether an iteration is not complete; optional
 * @property {() => boolean} [lingers] called when its connection may send no more and has nothing in flight. True keeps
 *   the connection for one more turn, in which the source uses the last response
 * @property {(n: number, rows: Rows, now: () => number) => number} next writes up to n requests into the free rows.
 *   Returns their number, NOT_YET, NO_MORE or ELSEWHERE; throws when a hook fails
 *
 * @typedef {object} Rows the properties of each request
 * @property {number} free the row of the next request
 * @property {(row: number) => number} following returns the row after that
 * @property {Array<import('./compiled-scenario').CompiledStep>} steps
 * @property {number[]} entries the index of the request in its list, for steps of a list
 * @property {Array<ReadonlyArray<string>>} expected the expected texts of the response, for steps with templates there
 * @property {(row: number, step: import('./compiled-scenario').CompiledStep, context:
 *   import('../templates/context').Context, request: import('../requests/request').Request, bytes: Buffer) => void}
 *   write stores a request that was built for this row
 */

/** @implements {Source} */
class Sequence {
  /**
   * @param {import('./compiled-scenario').CompiledScenario} scenario with constant bytes: it has a batch
   * @param {number} [sending] index of the next step
   */
  constructor (scenario, sending = 0) {
    this.scenario = scenario
    this.batch = /** @type {import('../requests/batch').Batch} */ (scenario.batch)
    this.maxRun = this.batch.maxRun
    this.sending = sending
    /** @type {Buffer} */
    this.bytes = NO_BYTES
    this.readyAt = -Infinity
  }

  get target () {
    return this.scenario.steps[this.sending].target
  }

  /** @type {(n: number, rows: Rows) => number} */
  next (n, rows) {
    const { scenario: { steps }, sending } = this
    const { length } = steps
    let row = rows.free
    let step = sending
    for (let i = 0; i < n; i++) {
      rows.steps[row] = steps[step]
      row = rows.following(row)
      if (++step === length) step = 0
    }
    this.sending = step
    this.bytes = this.batch.view(sending, n)
    return n
  }

  get current () {
    return this.scenario.steps[this.sending].request
  }

  /**
   * @param {import('../requests/request').Request} request replaces the next request, in all later iterations as well
   * @returns {Sequence} the sequence to use from now on
   */
  edit (request) {
    return new Sequence(this.scenario.edit(this.sending, request), this.sending)
  }
}

/** The source of a connection that sends nothing and only receives messages. @implements {Source} */
class Listening {
  /** @param {import('../requests/target').Target} target */
  constructor (target) {
    this.target = target
    this.maxRun = 1
    this.bytes = NO_BYTES
    // Never in a pause: a connection that is closed during a pause is not reopened.
    this.readyAt = -Infinity
  }

  next () {
    return NOT_YET
  }
}

const NO_BYTES = Buffer.alloc(0)

module.exports = { Listening, Sequence, NOT_YET, NO_MORE, ELSEWHERE, IDLE }
