'use strict'

// The log lines of an agent for a run: its coordinator, the load, a refusal, and how much was sent. Targets are logged
// without path and query, which may contain secrets.

const { REQUESTS, countedAt } = require('../../core/counted')
const { isRecord, oneLine, show } = require('../../core/foreign-text')
const { tryOr } = require('../../core/try-or')
const { plural } = require('../../core/units')
const { decode } = require('../codec')

/** The limit of a name in characters. */
const LONGEST_NAME = 60

/** The limit of an error in characters; hooks or the other side may have written it. */
const LONGEST_MESSAGE = 1000

class SessionLog {
  /** @param {string} run @param {string} name of the agent @param {(sentence: string) => void} notify writes a line */
  constructor (run, name, notify) {
    this.run = `run ${run.slice(0, 8)}`
    this.name = name
    this.notify = notify
    this.counted = REQUESTS
    /** The counts of the generators that begin next. */
    this.connections = 0
    this.where = ''
    /** The line about the last load, which later runs do not repeat. */
    this.shownLoad = ''
    this.requests = 0
    this.hasFailed = false
    notify(`works for ${this.run}`)
  }

  /** @param {unknown} runInfo the message of the coordinator after all agents have connected */
  logRun (runInfo) {
    const { name, host, agents } = /** @type {Record<string, unknown>} */ (isRecord(runInfo) ? runInfo : {})
    if (typeof name !== 'string' || typeof host !== 'string' || !Number.isInteger(agents)) return
    const other = name === this.name ? '' : `; this one is called ${oneLine(name, LONGEST_NAME)} there`
    this.notify(`${this.run} was started on ${oneLine(host, LONGEST_NAME)}, ` +
      `with ${plural(Number(agents), 'agent')}${other}`)
  }

  /** @param {Pick<import('../../options/plan').Plan, 'connections' | 'targets'>} plan of an admitted generator */
  open ({ connections, targets }) {
    if (Number.isInteger(connections)) this.connections += connections
    this.counted = countedAt(targets.map(({ url }) => url))
    const more = targets.length > 1 ? ` and ${plural(targets.length - 1, 'more URL')}` : ''
    this.where = targets.length === 0 ? '' : ` to ${new URL(targets[0].url).origin}${more}`
  }

  /** Counts a generator that begins; they begin one after the other. */
  begin () {
    if (this.connections === 0) return
    const load = `${plural(this.connections, 'connection')}${this.where}`
    this.connections = 0
    if (load !== this.shownLoad) this.notify(`${this.run}: ${load}`)
    this.shownLoad = load
  }

  /** @param {any} message of a generator, encoded */
  report (message) {
    const { type, snapshot, error } = message ?? {}
    if (type === 'snapshot' && Number.isInteger(snapshot?.sent)) this.requests += snapshot.sent
    if (type === 'end' && isRecord(error)) this.fail(errorOf(error), false)
  }

  /**
   * Logs a failure once, because all generators of a run often fail with the same error.
   * @param {Error} error
   * @param {boolean} isRefused whether the agent refused the plan
   */
  fail (error, isRefused) {
    if (!this.hasFailed) {
      this.notify(`${this.run}${isRefused ? ' refused' : ''}: ${oneLine(error.message, LONGEST_MESSAGE)}`)
    }
    this.hasFailed = true
  }

  /** @param {Error | null} reason null if the run releases the agent */
  end (reason) {
    this.notify(`${this.run} has ended${reason === null ? '' : ` (${oneLine(reason.message, LONGEST_MESSAGE)})`}: ` +
      `${plural(this.requests, this.counted.one)}`)
  }
}

/** @param {unknown} given an encoded error: hooks may throw anything */
function errorOf (given) {
  const error = tryOr(new Error('a load generator failed'), () => decode(given))
  return error instanceof Error ? error : new Error(show(error))
}

module.exports = { SessionLog }
