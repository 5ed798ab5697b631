'use strict'

// Owns `autocannon versus`: it measures two servers in turn, saves each run, and compares them.

const { AutocannonError, OptionsError } = require('../errors')
const { RoundsProgress } = require('../follow/rounds')
const { printable, printableData, printableLines } = require('../foreign-text')
const { VERSUS, byName } = require('../options/table')
const { badNewsOf } = require('../report/headline')
const { ANSWERS, WHOLE, comparisonJunit } = require('../report/junit')
const { hints } = require('../report/notes')
const { REFUSED } = require('../report/proxy')
const { countsOf } = require('../report/verdicts')
const { inRounds } = require('../run/rounds')
const { compare } = require('../verdict/comparison')
const { EARLY_CONFIDENCE, isCertain } = require('../verdict/early-stop')
const { errorWords } = require('../figures/error-words')
const { isRefusedByProxy } = require('../figures/refused')
const { findBroken, findSilence } = require('../verdict/premise')
const { formatInteger, plural } = require('../units')
const { compareRuns, outcomeOf } = require('./comparison')
const { EXIT, SIGNALS } = require('./exit-code')
const { measured, startServer } = require('./measure')
const { runValues } = require('./run-values')
const { SavedRuns } = require('./saved-runs')
const { readVersus } = require('./versus-options')
const { openViews } = require('./views')

/**
 * @typedef {import('../run/rounds').Side} Side
 * @typedef {import('./subcommand').Outcome} Outcome
 * @typedef {import('./subcommand').Surroundings} Surroundings
 * @typedef {import('./versus-options').Versus} Versus
 * @typedef {Record<string, any>} Result
 *
 * @typedef {object} Trouble why the rounds ended early
 * @property {number} code
 * @property {string} reason one sentence, which names the side
 * @property {string} [lastWords] what else is known, in lines
 * @property {boolean} [isOurs] whether it is not the server's doing, such as an agent that is not there
 */

/**
 * @param {string[]} argv behind `versus`
 * @param {Surroundings} surroundings
 * @returns {Promise<Outcome>}
 * @throws {AutocannonError}
 */
async function runVersus (argv, surroundings) {
  const versus = await readVersus(argv, surroundings.env)
  return versus === null ? { text: help(), code: EXIT.good } : new Race(versus, surroundings).run()
}

class Race {
  /**
   * @param {Versus} versus
   * @param {Surroundings} surroundings
   */
  constructor (versus, surroundings) {
    this.versus = versus
    this.surroundings = surroundings
    const { values, own: { rounds, save, saveBase, saveNew }, servers } = versus
    this.saved = save ? new SavedRuns({ base: saveBase, new: saveNew }, surroundings.onUnwritten) : null
    const sides = { base: servers.base.name, new: servers.new.name }
    const seconds = values.amount === undefined ? values.duration + (values.warmup === undefined ? 0 : values.warmup.duration ?? values.duration) : null
    this.progress = values.json || !values.progress ? null : new RoundsProgress({ sides, rounds, seconds, starts: servers.base.command !== null }, surroundings.stderr)
    /** @type {import('./views').View | null} */
    this.views = null
    /** @type {Trouble | null} */
    this.trouble = null
    this.startedAt = Date.now()
  }

  /** @returns {Promise<Outcome>} */
  async run () {
    const { own, same, hints } = this.versus
    for (const hint of hints) this.say(hint)
    this.views = await openViews(this.versus.values, this.surroundings)
    if (same) this.say('base and new are the same: this is an A/A test, which shows how much equal servers seem to differ here')
    this.progress?.begin()
    try {
      const { results, ended } = await inRounds(own.rounds, {
        run: (side, round) => this.runSide(side, round),
        isCertain: ({ base, new: next }) => this.trouble === null && isCertain(compare(base, next, own.failIf, { confidence: EARLY_CONFIDENCE }))
      })
      await this.saved?.end()
      return this.outcome(results, ended)
    } finally {
      await Promise.all([this.saved?.end(), this.views?.end()])
    }
  }

  /**
   * @param {Side} side
   * @param {number} round
   * @returns {Promise<Result | null>} null when it ends the rounds
   */
  async runSide (side, round) {
    const { surroundings: { interrupt }, versus: { servers: { [side]: server } } } = this
    if (this.trouble !== null) return null
    try {
      const result = await this.measure(side, round)
      if (interrupt.signal !== null && result.interrupted) return null
      this.trouble = troubleOf(`${side} (${server.name})`, result)
      if (this.trouble?.code === EXIT.impossible) return null
      this.saved?.save(side, result)
      this.progress?.ended(side, round, result)
      return result
    } catch (error) {
      if (error === interrupt) return null
      if (!(error instanceof AutocannonError)) throw error
      // Two servers have the same errors: which of them it is says the side.
      const [sentence, ...more] = `${side}: ${error.message}`.split('\n')
      if (error instanceof OptionsError) throw Object.assign(error, { message: `${side}: ${error.message}` })
      this.trouble = { code: EXIT.impossible, reason: sentence, isOurs: !error.code.startsWith('AC_ON_PORT'), lastWords: more.filter(line => line !== '').join('\n') }
      return null
    }
  }

  /**
   * @param {Side} side
   * @param {number} round
   * @returns {Promise<Result>}
   */
  async measure (side, round) {
    const { surroundings: { interrupt, stderr, stdout }, versus: { values, servers: { [side]: { command, url } } } } = this
    const { readValues } = require('../options/read')
    const { Instance } = require('../run/instance')
    let server = null
    try {
      if (interrupt.signal !== null) throw interrupt
      /** @type {import('../options/normalize').Values} */
      let run = { ...runValues(values), url: [url] }
      // Where a server of ours listens is found out for each run.
      if (command !== null) ({ server, values: run } = await startServer(command, run, interrupt))
      const instance = new Instance({ ...run, har: values.har?.only(run.url[0]) }, undefined, undefined, readValues)
      instance.on('notice', sentence => this.say(printable(sentence)))
      if (values.debug) require('./debug').printErrors(instance, stderr)
      if (this.progress !== null) instance.follow(this.progress.liveOf(side, round, instance, [stdout]))
      this.views?.follow(instance, { side, round })
      return await measured(instance, { interrupt, server, untilThen: 'This run is not compared.' })
    } finally {
      await server?.stop()
    }
  }

  /**
   * @param {Record<Side, Result[]>} results
   * @param {import('../run/rounds').Rounds['ended']} ended
   * @returns {Outcome}
   */
  outcome (results, ended) {
    const { trouble, surroundings, versus: { own, values, same } } = this
    const { interrupt: { signal } } = surroundings
    const { base, new: next } = results
    const isInterrupted = signal !== null && ended === 'stopped'
    const comparison = compareRuns(base, next, { ...own, inRounds: !values.json })
    const { runs, metrics, limits, notes } = comparison
    if (isInterrupted) notes.push(`the rounds were ${interruption(runs)}`)
    if (ended === 'certain') notes.push(`ended after ${base.length} of ${own.rounds} rounds: the verdict was certain`)
    if (same) notes.push('base and new are the same server: this is an A/A test')
    // A comparison says itself that most requests to a server failed.
    limits.push(...judgeRuns(results), ...trouble?.code === EXIT.impossible ? [failedLimit(trouble.isOurs ? WHOLE : ANSWERS, trouble.reason)] : [])
    if (base.length > 0 && next.length > 0) this.views?.compare?.({ base: base[base.length - 1], new: next[next.length - 1], comparison, names: { base: this.versus.servers.base.name, new: this.versus.servers.new.name } })
    const instead = isInterrupted ? { code: SIGNALS[signal], signal, reason: interruption(runs) } : trouble === null ? undefined : { code: trouble.code, reason: trouble.reason }
    const outcome = outcomeOf(comparison, { ...own, json: values.json, githubSummary: values.githubSummary, title: values.title, instead }, surroundings)
    const complaint = trouble === null
      ? isInterrupted ? interruption(runs) : outcome.complaint
      : [trouble.reason, ...trouble.lastWords ? [trouble.lastWords] : [], ...metrics.length === 0 ? [`nothing is compared: ${countsOf(runs)}`] : []].join('\n')
    return {
      ...outcome,
      complaint,
      hint: values.json ? undefined : [...isInterrupted || trouble !== null ? [] : nextStep(limits, own.rounds, values), this.saved?.hint(own.failIf) ?? []].flat().join('\n') || undefined,
      junit: this.junit(comparison, [...base, ...next])
    }
  }

  /**
   * @param {import('../verdict/comparison').Comparison} comparison
   * @param {Result[]} runs
   * @returns {Outcome['junit']}
   */
  junit (comparison, runs) {
    const { trouble, versus: { servers, values: { title, junit: file } } } = this
    if (file === undefined) return undefined
    const text = comparisonJunit(printableData(comparison), {
      name: printable(title ?? `autocannon versus: ${servers.base.name} and ${servers.new.name}`),
      start: new Date(this.startedAt),
      duration: Math.round(runs.reduce((sum, { duration }) => sum + duration, 0) * 100) / 100,
      ...trouble?.lastWords !== undefined && { lastWords: printableLines(trouble.lastWords) }
    })
    return { file, text }
  }

  /** @param {string} sentence */
  say (sentence) {
    if (!this.versus.values.json) this.surroundings.stderr.write(`autocannon: ${sentence}\n`)
  }
}

/**
 * @param {string} name of the server
 * @param {Result} result
 * @returns {Trouble | null} why nothing follows from this run, and so not from all
 */
function troubleOf (name, result) {
  if (result.requests.total === 0) {
    const given = printableData(result)
    return { code: EXIT.impossible, reason: `${name}: ${given.errors > 0 ? `nothing answered: ${errorWords(given)}` : hints(given)[0]}` }
  }
  if (isRefusedByProxy(result)) return { code: EXIT.impossible, reason: `${name}: ${REFUSED}` }
  const broken = findBroken(printableData(result)) ?? findSilence(result)
  return broken === null ? null : { code: EXIT.failed, reason: `${name}: ${broken.sentence}` }
}

/**
 * @param {import('../../index').ComparedLimit[]} limits
 * @param {number} rounds
 * @param {Record<string, any>} values
 * @returns {string[]} what to do when the runs can't tell
 */
function nextStep (limits, rounds, { amount, duration }) {
  const unsure = limits.filter(({ passed }) => passed === null)
  if (unsure.length === 0) return []
  const more = Math.max(...unsure.map(({ needs }) => needs?.runs ?? rounds))
  return [`What may tell: a quieter machine, longer runs (${amount === undefined ? `-d ${duration * 2}` : `-a ${amount * 2}`}), or more rounds (--rounds ${Math.min(1000, rounds + more)})`]
}

/** @param {import('../verdict/comparison').Comparison['runs']} runs that were whole */
function interruption (runs) {
  return `interrupted after ${plural(runs.base, 'run')} of base and ${formatInteger(runs.new)} of new`
}

/**
 * What each run is held to: its checks and thresholds.
 * @param {Record<Side, Result[]>} results
 * @returns {import('../../index').ComparedLimit[]} one for each side in which something failed, however many of its runs
 */
function judgeRuns (results) {
  return Object.entries(results).flatMap(([side, runs]) => {
    const failed = runs.flatMap((result, i) => ({ run: `run ${i + 1}`, news: badNewsOf(result) })).filter(({ news }) => news !== null)
    if (failed.length === 0) return []
    const [{ run, news }] = failed
    const which = failed.length === 1 ? run : `${formatInteger(failed.length)} of ${plural(runs.length, 'run')}, such as ${run}`
    return [failedLimit('each run', `${side}, ${which}: ${news?.sentence}`)]
  })
}

/**
 * @param {string} expression
 * @param {string} reason
 * @returns {import('../../index').ComparedLimit} one that nobody had to ask for
 */
function failedLimit (expression, reason) {
  return { expression, actual: null, passed: false, reason, implied: true }
}

/** @returns {string} */
function help () {
  const { entryOf } = require('./help')
  const gate = ['failIf', 'inconclusive', 'json', 'githubSummary', 'junit', 'progress', 'ui'].map(name => /** @type {import('../options/table').Option} */ (byName.get(name)))
  return `Usage: autocannon versus [options] BASE NEW
       autocannon versus [options] --on-port PATH -- COMMAND -- COMMAND

Measures two servers in turn and says by how much they differ, and whether that
is real. BASE and NEW are URLs; or two commands, each behind a -- of its own,
whose server is started anew for each run and stopped after it.

A round is one run of base and one of new. Base is first in the first round, new
in the second, and so on: what drifts on the machine is the same for both.

Options:
${[...VERSUS, ...gate].map(entryOf).join('\n')}

All options of a run (autocannon --help) hold for each run of both sides, such
as -c, -d, --rate, -H and --config. A check or a --threshold that fails in one
of the runs makes the exit code 3.

Examples:
  autocannon versus -d 10 http://localhost:3000 http://localhost:4000
  autocannon versus --fail-if "p99 +10%" --on-port / -- node a.js -- node b.js
  autocannon versus --rounds 10 --fail-if "rps -5%" --on-port /items \\
    -- PORT=3000 node base/server.js -- PORT=3000 node new/server.js

Exit codes:
  0    compared; every limit of --fail-if is kept
  1    a server gave no answer at all, could not be started or ended during a
       run, or an output could not be written
  2    wrong use: a flag or a value is not valid
  3    a limit of --fail-if is broken, a check or a threshold failed, or most
       requests to a server had no answer, or one of 4xx or 5xx
  4    the runs can't tell whether a limit is broken
  130  interrupted with Ctrl-C; the comparison is of the runs that were whole
`
}

module.exports = { runVersus }
