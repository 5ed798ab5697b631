'use strict'

// The content of a live page: reads the run once for all viewers, and sends them the changes. Without viewers it reads
// nothing. It has no sockets.

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

/** No look comes sooner after another one, ms; */
const LEAST_GAP = 500
/** looks take at most 1/COST of the time of a thread that sends requests, */
const COST = 200
/** and of one that does not, because workers or agents do; */
const COST_ASIDE = 20
/** but a page that is open is updated at least this often, ms. */
const MOST_GAP = 5000

/** A server without a response for this time is reported, ms. */
const QUIET = 2000

/** The last of them are shown. */
const MOST_NOTICES = 20

/**
 * @typedef {Record<string, any>} Result
 * @typedef {import('./viewer').Viewer} Viewer
 * @typedef {{ follow: (follower: import('../followers').Follower) => void, soFar: () => Result | null, opts:
 *   Record<string, any> }} Instance
 *
 * @typedef {object} Status how the run stands
 * @property {string} phase
 * @property {string} name of the run, where several follow each other; empty otherwise
 * @property {number | null} elapsed s; null when it does not go on
 * @property {number | null} total s that it is expected to take
 * @property {number | null} share the completed share; null when unknown
 * @property {string[]} notices
 * @property {number} viewers
 * @property {boolean} over whether nothing more comes
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
    /** @type {Instance | null} that runs, or ran last */
    this.instance = null
    this.phase = 'Waiting'
    this.name = ''
    /** Which run of several the next samples are of; empty for one. */
    this.about = ''
    /** Whether a run has begun of which nothing is to be seen yet. */
    this.isAhead = false
    /** How well the figure is known at which the run is to end. @type {import('../followers').Known | null} */
    this.known = null
    /** In which stage it is, as of the last look. */
    this.stage = null
    /** For how long nothing was completed while requests waited, ms, and how many wait. */
    this.quiet = 0
    this.waiting = 0
    this.number = 0
    /** Which of two compared servers. @type {'base' | 'new' | null} */
    this.side = null
    /** On the clock; null when nothing goes on. */
    this.startedAt = null
    /** Of the run that ended last: the page shows it until there is something of the next. @type {Result | null} */
    this.result = null
    /** @type {import('../../report/html/runs').Run[]} */
    this.runs = []
    this.ended = 0
    /** @type {string[]} */
    this.notices = []
    /** The state that viewers without lag have. @type {import('./changes').Look | null} */
    this.look = null
    this.lookedAt = -Infinity
    this.throttle = new Throttle(LEAST_GAP, MOST_GAP)
    this.isDue = false
    this.over = false
  }

  /**
   * @param {Instance} instance that is about to run
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
        // Until the first sample, the last run is shown, and named so.
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

  /** @param {Instance} instance of whose run something is to be seen */
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
   * All runs have ended: the report is the last run of each server, and their comparison.
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

  /** Something is to be seen: at once, or when it is time for another look. */
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

  /** Whether the run sends its requests from this thread. */
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

  /** @returns {import('./changes').Look} at the run as it is now */
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

  /** @returns {Result | undefined} the baseline of the run: of two servers, base is that of new */
  get other () {
    return this.side === 'base' ? undefined : this.baseline
  }

  /** @returns {{ result: Result | null, soFar: boolean }} the current state, and whether the run goes on */
  current () {
    const soFar = this.startedAt === null ? null : this.instance?.soFar() ?? null
    return soFar === null ? { result: this.result, soFar: false } : { result: soFar, soFar: true }
  }

  /** Returns all that there is, as an event; made once. @type {(status: Status) => () => string} */
  whole (status) {
    /** @type {string | null} */
    let text = null
    return () => {
      text ??= eventOf('whole', { status, ...changesOf(null, /** @type {import('./changes').Look} */ (this.look)) })
      return text
    }
  }

  /** @returns {number | null} s that the run is expected to take */
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

  /** @returns {string[]} notes on a run that goes on, beside its figures: its stage, and a server without responses */
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

  /** @param {Viewer} viewer that has come */
  join (viewer) {
    // All viewers without lag have the same state.
    const isDue = this.viewers.size === 0 && this.clock() - this.lookedAt >= this.throttle.gap
    if (this.look === null || isDue) this.take()
    this.viewers.add(viewer)
    viewer.onReady = () => this.changed()
    viewer.gone.then(() => { this.viewers.delete(viewer) })
    viewer.send('', this.whole(this.status()))
    this.changed()
  }

  /**
   * @returns {string | null} the report as a file: as it is now, or that of the run that has ended; null before there
   *   is anything
   */
  report () {
    const { result, soFar } = this.current()
    return result === null ? null : formatResult(result, 'html', { baseline: this.other, soFar })
  }

  /** @returns {string} the name of that file: which server, and when */
  get fileName () {
    const { url, start } = this.current().result ?? {}
    const host = /^[a-z]+:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(String([url ?? ''].flat()[0]))?.[1] ?? ''
    const when = start === undefined ? '' : new Date(start).toISOString().slice(0, 19)
    return `${['autocannon', ...host.split(/[^\w.]+/), ...when.split(':')].filter(part => part !== '').join('-')}.html`
  }

  /** @returns {Promise<unknown>} nothing more comes: once all viewers have the report, or are gone */
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
 * @returns {string} the value that it tries
 */
function stepName ({ opts }, { value, attempt }) {
  const search = { unit: opts.over === 'rate' ? 'requests/s' : 'connections', counted: countedAt(opts.url) }
  const load = formatLoad(search, value)
  return attempt > 1 ? `${load} once more` : load
}

/**
 * @param {Result} result
 * @returns {Result} whose texts can be shown. Of its series the page shows numbers alone: 2,000 points would take 30 ms
 *   to go through
 */
function shownOf (result) {
  const { series } = result
  return { ...printableData({ ...result, series: [] }), series }
}

/**
 * @param {unknown} amount after which the run ends
 * @param {Record<string, any>} result so far
 * @returns {number} which share of it has ended
 */
function shareOf (amount, { requests, iterations }) {
  const { number, unit } = readAmount(amount)
  const { completed = 0, cut = 0 } = iterations ?? {}
  return Math.min(1, (unit === 'iterations' ? completed + cut : requests?.total ?? 0) / number)
}

module.exports = { LivePage }
