'use strict'

// A scenario with think times on one connection: it determines when the next request may be sent. The inner source
// selects the requests and has no clock.

const { NOT_YET } = require('./sequence')

/**
 * Each request is due one pause after the due time of the previous one. A late request does not delay later ones: they
 * are sent at once until the iteration has caught up. The next iteration begins when there is room for its first
 * request.
 * @typedef {import('./sequence').Source} Source
 * @typedef {import('./sequence').Rows} Rows
 * @typedef {import('./sequence').Sequence | import('./script').Script} Inner
 */

/** @implements {Source} */
class Pausing {
  /**
   * @param {Inner} source of the requests
   * @param {number} phase from 0 up to 1: the part of the first iteration that is skipped
   */
  constructor (source, phase) {
    this.source = source
    this.readyAt = -Infinity
    /** When the last request was due; NaN before the first request of an iteration. */
    this.due = NaN
    /** The skipped part of the first iteration, ms. */
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

  /** @param {import('../requests/request').Request} request replaces the next request, as in the inner source */
  edit (request) {
    this.source = this.source.edit(request)
    return this
  }
}

/**
 * @param {Inner} source is advanced to the first step after the skipped part
 * @param {number} phase 0 to 1
 * @returns {number} ms of the iteration before that step
 */
function skipTo (source, phase) {
  const { steps } = source.scenario
  const from = phase * steps.reduce((sum, { pause }) => sum + pause, 0)
  if (from === 0) return 0
  let step = 0
  let due = steps[0].pause
  while (due < from) due += steps[++step].pause
  source.sending = step
  // The pause of this step began when the previous request was due.
  return from - (due - steps[step].pause)
}

module.exports = { Pausing }
