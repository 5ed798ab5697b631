'use strict'

// A scenario with think times on one connection: when the next request may be sent. The inner source chooses the
// requests and has no clock.

const { NOT_YET } = require('./sequence')

/**
 * An iteration keeps time: each request is due one pause after the due time of the one before it. A late one does not
 * move later ones, which follow at once until the iteration has caught up. The next iteration begins when there is room
 * for its first request.
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./sequence').Sequence | import('./script').Script} Inner
 */

/** @implements {Source} */
class Pausing {
  /**
   * @param {Inner} source with the due requests
   * @param {number} phase 0 to 1: which part of the first iteration is over when it begins
   */
  constructor (source, phase) {
    this.source = source
    this.readyAt = -Infinity
    /** When the last request was due; nothing before the first of an iteration. */
    this.due = NaN
    /** Of the first iteration, how many ms are over before its start. */
    this.skipped = skipTo(source, phase)
  }

  get target () {
    return this.source.target
  }

  get inIteration () {
    return 'inIteration' in this.source && this.source.inIteration
  }

  get maxRun () {
    return this.source.maxRun
  }

  get bytes () {
    return this.source.bytes
  }

  get current () {
    return this.source.current
  }

  /** @type {(n: number, rows: Rows, now: () => number) => number} */
  next (n, rows, now) {
    const at = now()
    const { source } = this
    const { scenario: { steps } } = source
    let step = source.sending
    let due = Number.isNaN(this.due) ? at - this.skipped : this.due
    this.due = due
    this.skipped = 0
    let run = 0
    for (; run < n; run++) {
      const next = due + steps[step].pause
      if (next > at) {
        this.readyAt = next
        break
      }
      due = next
      if (++step < steps.length) continue
      step = 0
      due = at
    }
    if (run === 0) return NOT_YET
    this.due = step === 0 ? NaN : due
    return source.next(run, rows)
  }

  /**
   * @param {import('../requests/request').Request} request instead of the one that is sent next, as in the source
   *   inside
   */
  edit (request) {
    this.source = this.source.edit(request)
    return this
  }
}

/**
 * @param {Inner} source is moved on to the first step that is due after that part of its iteration
 * @param {number} phase 0 to 1
 * @returns {number} ms from the start of the iteration
 */
function skipTo (source, phase) {
  const { steps } = source.scenario
  const from = phase * steps.reduce((sum, { pause }) => sum + pause, 0)
  if (from === 0) return 0
  let step = 0
  let due = steps[0].pause
  while (due < from) due += steps[++step].pause
  source.sending = step
  // Its pause has begun when the one before it was due.
  return from - (due - steps[step].pause)
}

module.exports = { Pausing }
