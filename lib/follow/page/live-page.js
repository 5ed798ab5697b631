'use strict'

// The content of a live page: renders the run once for all viewers, and sends them the changes. Without viewers it
// renders nothing. It has no sockets.

const { readAmount } = require('../../core/amount')
const { countedAt } = require('../../core/counted')
const { now } = require('../../core/clock')
const { printable, printableData } = require('../../core/foreign-text')
const { formatResult } = require('../../report/formats/format')
const { html } = require('../../report/html/escape')
const { partsOf } = require('../../report/html/parts')
const { MOST, runOf, runsSection } = require('../../report/html/runs')
const { formatLoad } = require('../../report/search')
const { stageNow } = require('../../instruments/stages/report')
const { precisionSoFar } = require('../../report/until')
const { plural } = require('../../core/units')
const { Throttle } = require('../throttle')
const { changesOf } = require('./changes')
const { eventOf } = require('./viewer')

/** The shortest interval between updates, ms. */
const LEAST_GAP = 500
/** Updates take at most 1/COST of the time of a thread that sends requests, */
const COST = 200
/** and this share of a thread that does not, with workers or agents, */
const COST_ASIDE = 20
/** but an open page is updated at least this often, ms. */
const MOST_GAP = 5000

/** After this time without a response a note is shown, ms. */
const QUIET = 2000

/** The limit of shown notices; the last ones are kept. */
const MOST_NOTICES = 20

/**
 * @typedef {Record<string, any>} Result
 * @typedef {import('./viewer').Viewer} Viewer
 * @typedef {{ follow: (follower: import('../followers').Follower) => void, soFar: () => Result | null, opts:
 *   Record<string, any> }} Instance
 *
 * @typedef {object} Status of the run
 * @property {string} phase
 * @property {string} name of the run in a series; empty otherwise
 * @property {number | null} elapsed s; null if no run is active
 * @property {number | null} total expected duration, s
 * @property {number | null} share completed, 0 to 1; null if unknown
 * @property {string[]} notices
 * @property {number} viewers
 * @property {boolean} over whether this is the last event
 */

class LivePage {
  /**
   * @param {{ baseline?: Result, clock?: import('../../core/clock').Clock, setTimeout?: (then: () => void, ms: number)
   *   => { unref: () => void } }} [options]
   */
  constructor ({ baseline, clock = now, setTimeout = globalThis.setTimeout } = {}) {
    this.baseline = baseline
    this.clock = clock
    this.setTimeout = setTimeout
    /** @type {Set<Viewer>} */
    this.viewers = new Set()
    /** @type {Instance | null} the current or last run */
    this.instance = null
    this.phase = 'Waiting'
    this.name = ''
    /** The name of the current run in a series; empty for a single run. */
    this.about = ''
    /** Whether a run has begun that has no sample yet. */
    this.isAhead = false
    /** The precision so far, in a run that ends at a target precision. @type {import('../followers').Known | null} */
    this.known = null
    /** The stage at the last update. */
    this.stage = null
    /** Time without a completed request while requests were waiting, ms, and the number of waiting requests. */
    this.quiet = 0
    this.waiting = 0
    this.number = 0
    /** Which of two compared servers. @type {'base' | 'new' | null} */
    this.side = null
    /** Start of the run on the clock; null if no run is active. */
    this.startedAt = null
    /** The last result: the page shows it until the first sample of the next run. @type {Result | null} */
    this.result = null
    /** @type {import('../../report/html/runs').Run[]} */
    this.runs = []
    this.ended = 0
    /** @type {string[]} */
    this.notices = []
    /** The state that up-to-date viewers have received. @type {import('./changes').Look | null} */
    this.look = null
    this.lookedAt = -Infinity
    this.throttle = new Throttle(LEAST_GAP, MOST_GAP)
    this.isDue = false
    this.over = false
  }

  /**
   * @param {Instance} instance before its start
   * @param {{ side: 'base' | 'new', run: number }} [about]
   */
  follow (instance, about) {
    this.instance = instance
    this.number = 0
    this.side = about?.side ?? null
    this.about = about === undefined ? '' : `${about.side}, run ${about.run}`
    instance.follow({
      notice: sentence => this.note(sentence),
      warmUp: ({ duration }) => this.enter(`Warming up for ${duration} s`),
      start: () => {
        this.number++
        this.startedAt = this.clock()
        // The last run is shown, with its name, until the first sample.
        if (this.result === null) this.run(instance)
        else this.isAhead = true
      },
      tick: ({ until }) => { this.known = until ?? null },
      sample: ({ point, inFlight }) => {
        const hasArrived = point.requests > 0 || (point.streams?.events ?? 0) > 0
        this.quiet = hasArrived || inFlight === 0 ? 0 : this.quiet + point.length
        this.waiting = inFlight
        if (this.isAhead) this.run(instance)
        this.changed()
      },
      step: ({ next }) => {
        this.name = next === null ? '' : stepName(instance, next)
        this.changed()
      },
      done: result => this.finish(
        result.requests === undefined ? instance.soFar() : result, about !== undefined || instance.opts.forever
      ),
      failed: error => this.fail(/** @type {Error & { result?: Result }} */ (error))
    })
  }

  /** @param {Instance} instance that has a sample now */
  run (instance) {
    this.isAhead = false
    if (instance.opts.forever) this.name = `run ${this.number}`
    else if (this.about !== '') this.name = this.about
    else if (instance.opts.over !== undefined) this.name = stepName(instance, { value: instance.opts.from, attempt: 1 })
    this.enter('Running')
  }

  /** @param {string} sentence */
  note (sentence) {
    this.notices = [...this.notices, printable(sentence)].slice(-MOST_NOTICES)
    this.changed()
  }

  /** @param {string} phase */
  enter (phase) {
    this.phase = phase
    this.changed()
  }

  /** @type {(result: Result | null, isOneOfMany: boolean) => void} */
  finish (result, isOneOfMany) {
    if (this.isAhead && this.instance !== null) this.run(this.instance)
    this.quiet = 0
    this.result = result
    this.startedAt = null
    this.phase = 'Ended'
    if (this.side === 'base') this.baseline = result ?? undefined
    if (result !== null && isOneOfMany) {
      this.runs = [...this.runs, runOf(this.name, printableData(result))].slice(-MOST)
      this.ended++
    }
    this.changed()
  }

  /**
   * Shows the final report: the last run of each server, and their comparison.
   * @param {{ base: Result, new: Result, comparison: Record<string, any>, names: { base: string, new: string } }} last
   */
  compare ({ base, new: next, comparison, names }) {
    this.baseline = base
    this.result = { ...next, comparison, versus: names }
    this.side = null
    this.name = ''
    this.changed()
  }

  /** @param {Error & { result?: Result }} error */
  fail ({ message, result }) {
    this.result = result ?? this.instance?.soFar() ?? null
    this.startedAt = null
    this.phase = 'Failed'
    this.note(message)
  }

  /** Schedules an update: at once, or after the minimum interval. */
  changed () {
    if (this.viewers.size === 0 || this.isDue || this.over) return
    const wait = this.lookedAt + this.throttle.gap - this.clock()
    if (wait <= 0) return this.show()
    this.isDue = true
    this.setTimeout(() => {
      this.isDue = false
      if (this.viewers.size > 0 && !this.over) this.show()
    }, wait).unref()
  }

  /** Whether the run sends requests from this thread. */
  get sends () {
    const { workers, agents } = this.instance?.opts ?? {}
    return workers === undefined && agents === undefined
  }

  show () {
    const known = this.look
    const look = this.take()
    const status = this.status()
    const change = eventOf('change', { status, ...changesOf(known, look) })
    const whole = this.whole(status)
    for (const viewer of this.viewers) viewer.send(change, whole)
    this.throttle.took(this.clock() - this.lookedAt, this.sends ? COST : COST_ASIDE)
  }

  /** @returns {import('./changes').Look} the current state */
  take () {
    this.lookedAt = this.clock()
    const { result, soFar } = this.current()
    this.stage = soFar && result !== null ? stageNow(result) : null
    const { parts, charts } = result === null
      ? { parts: {}, charts: [] }
      : partsOf(shownOf(result), {
        baseline: this.other === undefined ? undefined : shownOf(this.other), live: true, soFar
      })
    const shown = { ...parts, runs: runsSection(this.runs, this.ended) }
    const expected = soFar ? this.expected() ?? 0 : 0
    this.look = {
      parts: Object.fromEntries(Object.entries(shown).map(([name, part]) => [name, html`${part}`.toString()])),
      charts: charts.map(chart =>
        chart.kind === 'time' ? { ...chart, until: Math.max(chart.until ?? 0, expected) } : chart)
    }
    return this.look
  }

  /** @returns {Result | undefined} the baseline of the run; for the new server, the result of base */
  get other () {
    return this.side === 'base' ? undefined : this.baseline
  }

  /** @returns {{ result: Result | null, soFar: boolean }} result: the current one; soFar: whether it is partial */
  current () {
    const soFar = this.startedAt === null ? null : this.instance?.soFar() ?? null
    return soFar === null ? { result: this.result, soFar: false } : { result: soFar, soFar: true }
  }

  /** Returns a function that renders the full state as an event, once. @type {(status: Status) => () => string} */
  whole (status) {
    /** @type {string | null} */
    let text = null
    return () => {
      text ??= eventOf('whole', { status, ...changesOf(null, /** @type {import('./changes').Look} */ (this.look)) })
      return text
    }
  }

  /** @returns {number | null} the expected duration, s; null if unknown */
  expected () {
    const { amount, duration, until, over } = this.instance?.opts ?? {}
    return amount === undefined && until === undefined && over === undefined && typeof duration === 'number'
      ? duration
      : null
  }

  /** @returns {Status} */
  status () {
    const { phase, name, startedAt, notices, viewers, over } = this
    const elapsed = startedAt === null || this.isAhead ? null : (this.clock() - startedAt) / 1000
    const total = this.expected()
    const { amount } = this.instance?.opts ?? {}
    const completed = elapsed === null || amount === undefined ? null : shareOf(amount, this.instance?.soFar() ?? {})
    const share = elapsed === null ? null : completed ?? (total === null ? null : Math.min(1, elapsed / total))
    return {
      phase, name: [name, ...this.present()].filter(part => part !== '').join(', '), elapsed, total, share, notices,
      viewers: viewers.size, over
    }
  }

  /** @returns {string[]} notes about the current run: its stage, and missing responses */
  present () {
    if (this.phase !== 'Running') return []
    const { one, many } = countedAt(this.instance?.opts.url)
    return [
      ...this.stage === null ? [] : [`stage ${this.stage}`],
      ...this.known === null ? [] : [precisionSoFar(this.known)],
      ...this.quiet < QUIET
        ? []
        : [
        `no response for ${Math.floor(this.quiet / 1000)} s, ` +
          plural(this.waiting, `${one} waits`, `${many} wait`)
          ]
    ]
  }

  /** @param {Viewer} viewer a new one */
  join (viewer) {
    // A new viewer receives the state that up-to-date viewers have.
    const isDue = this.viewers.size === 0 && this.clock() - this.lookedAt >= this.throttle.gap
    if (this.look === null || isDue) this.take()
    this.viewers.add(viewer)
    viewer.onReady = () => this.changed()
    viewer.gone.then(() => { this.viewers.delete(viewer) })
    viewer.send('', this.whole(this.status()))
    this.changed()
  }

  /**
   * @returns {string | null} the report as a file, of the current state or of the ended run; null before the first
   *   sample
   */
  report () {
    const { result, soFar } = this.current()
    return result === null ? null : formatResult(result, 'html', { baseline: this.other, soFar })
  }

  /** @returns {string} the file name, with the server and the time */
  get fileName () {
    const { url, start } = this.current().result ?? {}
    const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(String([url ?? ''].flat()[0]))?.[1] ?? ''
    const when = start === undefined ? '' : new Date(start).toISOString().slice(0, 19)
    return `${['autocannon', ...host.split(/[^\w.]+/), ...when.split(':')].filter(part => part !== '').join('-')}.html`
  }

  /** @returns {Promise<unknown>} ends the page; resolves when every viewer has received the report or disconnected */
  end () {
    if (this.viewers.size > 0) this.take()
    this.over = true
    if (this.phase !== 'Failed') this.phase = 'Ended'
    if (this.viewers.size === 0) return Promise.resolve()
    const last = eventOf('end', {
      status: { ...this.status(), elapsed: null },
      ...changesOf(null, /** @type {import('./changes').Look} */ (this.look)), report: this.report(),
      file: this.fileName
    })
    return Promise.all([...this.viewers].map(viewer => viewer.end(last)))
  }
}

/**
 * @param {Instance} instance of a search
 * @param {{ value: number, attempt: number }} trial
 * @returns {string} the value of the trial
 */
function stepName ({ opts }, { value, attempt }) {
  const search = { unit: opts.over === 'rate' ? 'requests/s' : 'connections', counted: countedAt(opts.url) }
  const load = formatLoad(search, value)
  return attempt > 1 ? `${load} once more` : load
}

/**
 * @param {Result} result
 * @returns {Result} the result with printable texts. The series is skipped, because the page shows only its numbers:
 *   2,000 points would take 30 ms
 */
function shownOf (result) {
  const { series } = result
  return { ...printableData({ ...result, series: [] }), series }
}

/**
 * @param {unknown} amount of the run
 * @param {Record<string, any>} result so far
 * @returns {number} the completed share
 */
function shareOf (amount, { requests, iterations }) {
  const { number, unit } = readAmount(amount)
  const { completed = 0, cut = 0 } = iterations ?? {}
  return Math.min(1, (unit === 'iterations' ? completed + cut : requests?.total ?? 0) / number)
}

module.exports = { LivePage }
