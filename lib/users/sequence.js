'use strict'

// A scenario with constant bytes on one connection: chooses the next requests and builds nothing. The exchange table of
// the connection holds the requests in flight.

/** A source has nothing to send yet: not before `readyAt`. */
const NOT_YET = 0
/** It has nothing to send any more. */
const NO_MORE = -1
/** The next request goes to another target than the connection. */
const ELSEWHERE = -2
/** Instead of a time: until the connection is woken. */
const IDLE = Number.MAX_VALUE

/**
 * The requests of one connection in a scenario. Returned bytes never change: a change concerns later requests.
 * @typedef {object} Source
 * @property {number} maxRun the limit of requests per call
 * @property {import('../requests/target').Target} target of the next request
 * @property {Buffer} bytes of the returned requests, in a row
 * @property {number} readyAt when it has returned NOT_YET: until then
 * @property {boolean} [inIteration] whether an iteration has begun that has requests to come; left out where it is not
 *   needed
 * @property {() => boolean} [lingers] called once its connection may send no more and has nothing in flight: whether
 *   the connection is kept for another turn, in which the source uses its last response
 * @property {(n: number, rows: Rows, now: () => number) => number} next how many of the next n requests it has written
 *   into the free rows, NOT_YET, NO_MORE or ELSEWHERE; throws when a hook failed
 *
 * @typedef {object} Rows the properties of each request
 * @property {number} free the row of the request that is sent next
 * @property {(row: number) => number} following the one after that
 * @property {Array<import('./compiled-scenario').CompiledStep>} steps
 * @property {number[]} entries which request of its list it is, where the step has one
 * @property {Array<ReadonlyArray<string>>} expected texts of the response, where the step has such
 * @property {(row: number, step: import('./compiled-scenario').CompiledStep, context:
 *   import('../templates/context').Context, request: import('../requests/request').Request, bytes: Buffer) => void}
 *   write the parts that were unknown beforehand
 */

/** @implements {Source} */
class Sequence {
  /**
   * @param {import('./compiled-scenario').CompiledScenario} scenario whose bytes are known: it has a batch
   * @param {number} [sending] the step that is sent next
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
   * @param {import('../requests/request').Request} request instead of the one that is sent next, and from then on at
   *   each iteration
   * @returns {Sequence} that is sent from now on
   */
  edit (request) {
    return new Sequence(this.scenario.edit(this.sending, request), this.sending)
  }
}

/** A connection that sends nothing: it is opened, and receives messages. @implements {Source} */
class Listening {
  /** @param {import('../requests/target').Target} target */
  constructor (target) {
    this.target = target
    this.maxRun = 1
    this.bytes = NO_BYTES
    // Never in a pause: a connection that was closed in one would not be opened again.
    this.readyAt = -Infinity
  }

  next () {
    return NOT_YET
  }
}

const NO_BYTES = Buffer.alloc(0)

module.exports = { Listening, Sequence, NOT_YET, NO_MORE, ELSEWHERE, IDLE }
