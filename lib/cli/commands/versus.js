'use strict'

// `autocannon versus`: measures two servers in alternating runs, saves each run, and compares them.

const { VersusProgress } = require('../../follow/versus-progress')
const { isOfIterations } = require('../../core/amount')
const { printable, printableData, printableLines } = require('../../core/foreign-text')
const { VERSUS } = require('../../experiments/versus/flags')
const { isOfEvents } = require('../../figures/parts')
const { comparisonJunit } = require('../../report/formats/junit')
const { runFiguresOf } = require('../../report/run-figures')
const { countsOf } = require('../../report/verdicts')
const { VersusRuns } = require('../../experiments/versus/runs')
const { interrupted: interruptedAfter } = require('../../words/comparison')
const { verdictOf, waitsForCpu } = require('../../instruments/generator/verdict')
const { outcomeOf, settled } = require('./comparison')
const { comparisonFiles } = require('./comparison-files')
const { EXIT, SIGNALS } = require('../exit-code')
const { measured, startServer } = require('./measure')
const { runValues } = require('../run-values')
const { SavedRuns } = require('./saved-runs')
const { say } = require('../say')
const { readVersus } = require('./versus-options')
const { openViews } = require('../output/views')

/**
 * @typedef {import('../../experiments/versus/alternation').Side} Side
 * @typedef {import('../../experiments/versus/runs').Trouble} Trouble
 * @typedef {import('./subcommand').Outcome} Outcome
 * @typedef {import('./subcommand').Context} Context
 * @typedef {import('./versus-options').Versus} Versus
 * @typedef {Record<string, any>} Result
 */

/**
 * @param {string[]} argv after `versus`
 * @param {Context} context
 * @returns {Promise<Outcome>}
 * @throws {AutocannonError}
 */
async function runVersus (argv, context) {
  const versus = await readVersus(argv, context.env)
  return versus === null ? { text: help(), code: EXIT.good } : new VersusCommand(versus, context).run()
}

class VersusCommand {
  /** @param {Versus} versus @param {Context} context */
  constructor (versus, context) {
    this.versus = versus
    this.context = context
    const { values, own: { runs, save, saveBase, saveNew }, servers } = versus
    this.saved = save ? new SavedRuns({ base: saveBase, new: saveNew }, context.onUnwritten) : null
    const sides = { base: servers.base.name, new: servers.new.name }
    const seconds = values.amount === undefined
      ? values.duration + (values.warmup === undefined ? 0 : values.warmup.duration ?? values.duration)
      : null
    this.progress = values.json || !values.progress
      ? null
      : new VersusProgress({ sides, runs, seconds, starts: servers.base.command !== null }, context.stderr)
    /** @type {import('../output/views').View | null} */
    this.views = null
    this.runs = new VersusRuns(
      { runs, failIf: versus.own.failIf, names: sides },
      (side, run) => this.measure(side, run),
      (side, run, result) => {
        this.saved?.save(side, result)
        this.progress?.ended(side, run, result)
      }
    )
    this.startedAt = Date.now()
  }

  /** @returns {Promise<Outcome>} */
  async run () {
    const { same, hints } = this.versus
    this.context.interrupt.listen()
    for (const hint of hints) this.say(hint)
    for (const notice of require('../../options/requests/methods').strangeMethods(this.versus.values)) this.say(notice)
    const { arrivals, seed } = this.versus.values
    if (arrivals === 'poisson') {
      this.say(`random arrivals: run 1 of each server starts from seed ${seed}, each later run from the next number; ` +
        `--seed ${seed} repeats them`)
    }
    this.views = await openViews(this.versus.values, this.context)
    if (same) {
      this.say('base and new are the same: this is an A/A test, which shows how much equal servers seem to differ here')
    }
    this.progress?.begin()
    try {
      await this.runs.run()
      await this.saved?.end()
      this.progress?.end(this.context.interrupt.signal !== null)
      return this.outcome()
    } finally {
      await Promise.all([this.saved?.end(), this.views?.end()])
    }
  }

  /**
   * Returns the result, or null when a signal ended the run.
   * @type {(side: Side, run: number) => Promise<Result | null>}
   */
  async measure (side, run) {
    const {
      context: { interrupt, stderr, stdout }, versus: { values, servers: { [side]: { command, url } } }
    } = this
    const { readValues } = require('../../options/read')
    const { seededFor } = require('../../options/load/seed')
    const { Instance } = require('../../run/instance')
    let server = null
    try {
      if (interrupt.signal !== null) return null
      /** @type {import('../../options/normalize').Values} */
      let planned = seededFor({ ...runValues(values), url: [url] }, run)
      // A server that is started for each run may get another port each time.
      if (command !== null) ({ server, values: planned } = await startServer(command, planned, interrupt))
      const instance = new Instance(
        { ...planned, har: values.har?.only(planned.url[0]) }, undefined, undefined,
        values => ({ ...readValues(values), notices: [] })
      )
      instance.on('notice', sentence => this.say(printable(sentence)))
      if (values.debug) require('../output/debug').printErrors(instance, stderr)
      if (this.progress !== null) instance.follow(this.progress.liveOf(side, run, instance, [stdout]))
      this.views?.follow(instance, { side, run })
      const result = await measured(instance, { interrupt, server, untilThen: 'This run is not compared.' })
      return interrupt.signal !== null && result.interrupted ? null : result
    } catch (error) {
      if (error === interrupt) return null
      throw error
    } finally {
      await server?.stop()
    }
  }

  /** @returns {Outcome} */
  outcome () {
    const { runs: { results: { base, new: next }, ended, trouble }, context, versus: { own, values, same } } = this
    const { interrupt: { signal } } = context
    const isInterrupted = signal !== null && ended === 'stopped'
    const comparison = settled(
      this.runs.comparison({ alternated: !values.json, isStopped: isInterrupted, same }),
      own.inconclusive
    )
    const { runs, metrics } = comparison
    const names = { base: this.versus.servers.base.name, new: this.versus.servers.new.name }
    const last = { base: base.at(-1), new: next.at(-1) }
    const areOfEvents = [...base, ...next].every(isOfEvents)
    const figuresOf = (/** @type {Result} */ result) => runFiguresOf(result, areOfEvents)
    if (last.base !== undefined && last.new !== undefined) {
      this.views?.compare?.({ base: last.base, new: last.new, comparison, names })
    }
    const instead = isInterrupted
      ? { code: SIGNALS[signal], signal, reason: interruptedAfter(runs) }
      : trouble === null
        ? undefined
        : { code: trouble.isCompared ? EXIT.failed : EXIT.impossible, reason: trouble.reason }
    const outcome = outcomeOf(
      comparison,
      { ...own, json: values.json, githubSummary: values.githubSummary, title: values.title, instead },
      context
    )
    const complaint = trouble === null
      // The last line of the text reports it; JSON has no last line.
      ? isInterrupted ? values.json ? interruptedAfter(runs) : null : outcome.complaint
      : [
          trouble.reason,
          ...trouble.details ? [trouble.details] : [],
          ...metrics.length === 0 ? [`nothing is compared: ${countsOf(runs)}`] : []
        ].join('\n')
    return {
      ...outcome,
      complaint,
      hint: values.json
        ? undefined
        : [...isInterrupted || trouble !== null
            ? []
            : nextStep(comparison, own.runs, values, {
              results: [...base, ...next], isStarted: this.versus.servers.base.command !== null
            }), this.saved?.hint(own.failIf) ?? []].flat().join('\n') ||
          undefined,
      files: [...this.junit(comparison, [...base, ...next]), ...comparisonFiles(values.output, {
        comparison, names, last, runs: { base: base.map(figuresOf), new: next.map(figuresOf) }, title: values.title
      })]
    }
  }

  /**
   * @param {import('../../judge/comparison/comparison').Comparison} comparison
   * @param {Result[]} runs
   * @returns {Array<{ file: string, text: string }>}
   */
  junit (comparison, runs) {
    const { runs: { trouble }, versus: { servers, values: { title, junit: file } } } = this
    if (file === undefined) return []
    const text = comparisonJunit(printableData(comparison), {
      name: printable(title ?? `autocannon versus: ${servers.base.name} and ${servers.new.name}`),
      start: new Date(this.startedAt),
      duration: Math.round(runs.reduce((sum, { duration }) => sum + duration, 0) * 100) / 100,
      ...trouble?.details !== undefined && { lastWords: printableLines(trouble.details) }
    })
    return [{ file, text }]
  }

  /** @param {string} sentence */
  say (sentence) {
    if (!this.versus.values.json) say(this.context.stderr, sentence)
  }
}

/**
 * Advice against CPU wait of the load generator. The server inherits autocannon's cores, so its own command has to set
 * others.
 */
const FREE_CORE = {
  url: 'Stop other work on this machine, use another machine, or keep a core free for the load generator: taskset -c ' +
    '1 autocannon versus …',
  command: 'Stop other work on this machine, or give the load generator and the servers a core each: taskset -c 1 ' +
    'autocannon versus … -- taskset -c 0 COMMAND -- taskset -c 0 COMMAND'
}

/**
 * @param {import('../../judge/comparison/comparison').Comparison} comparison
 * @param {number} planned runs of each server, at most
 * @param {Record<string, any>} values
 * @param {{ results: Result[], isStarted: boolean }} how `isStarted`: the servers are started by commands
 * @returns {string[]} what to do when the comparison is inconclusive
 */
function nextStep ({ inconclusive, limits }, planned, { amount, duration }, { results, isStarted }) {
  const unsure = limits.filter(({ passed }) => passed === null)
  if (unsure.length === 0) return []
  if (inconclusive !== undefined) {
    // More runs do not help if all runs have the same cause. They may confirm a nearly certain failure.
    const runs = Math.max(0, ...unsure.map(({ needs }) => needs?.runs ?? 0))
    return [
      ...results.some(({ generator }) => waitsForCpu(generator)) ? [isStarted ? FREE_CORE.command : FREE_CORE.url] : [],
      ...results.some(({ generator }) => verdictOf(generator) === 'saturated')
        ? ['Give the load generator more threads: --workers 2']
        : [],
      ...runs > 0 ? [`More runs may give a verdict: --runs ${Math.min(1000, planned + runs)}`] : []
    ]
  }
  const more = Math.max(...unsure.map(({ needs }) => needs?.runs ?? planned))
  return [`More runs (--runs ${Math.min(1000, planned + more)}), longer runs ` +
    `(${amount === undefined ? `-d ${duration * 2}` : `-a ${doubled(amount)}`}) or a quieter machine may give a ` +
    'verdict.']
}

/** @param {any} amount @returns {string} the value for the flag */
function doubled (amount) {
  return isOfIterations(amount) ? `'${amount * 2} iterations'` : String(amount * 2)
}

/** The help of options with a different meaning in a comparison. */
const HERE = {
  output:
    'Write the comparison to this file, too; its extension selects the format: .html, .md or .json. Repeat it for more.'
}

function help () {
  const { entryOf, optionsHere } = require('../help')
  const shared = ['failIf', 'inconclusive', 'json', 'output', 'githubSummary', 'junit', 'progress', 'ui']
  return `Usage: autocannon versus [options] BASE NEW
       autocannon versus [options] --on-port PATH -- COMMAND -- COMMAND

Measures two servers in alternating runs. Reports how much they differ, and
whether the difference is real. BASE and NEW are URLs, or two commands, each
after its own --. A command starts its server for each run.

Base and new alternate (base new, new base …), so that a drift of the machine
affects both alike.

Options:
${[...VERSUS, ...optionsHere(shared, HERE)].map(entryOf).join('\n')}

All options of a run (autocannon --help) hold for each run of both sides, such
as -c, -d, --rate, -H and --config. A check or a --threshold that fails in one
of the runs makes the exit code 3.

Examples:
  autocannon versus -d 10 http://localhost:3000 http://localhost:4000
  autocannon versus --fail-if "p99 +10%" --on-port / -- node a.js -- node b.js
  autocannon versus --runs 10 --fail-if "rps -5%" --on-port /items \\
    -- PORT=3000 node base/server.js -- PORT=3000 node new/server.js

Exit codes:
  0    compared; every limit of --fail-if is kept
  1    a server gave no response at all, could not be started or ended during a
       run, or an output could not be written
  2    wrong use: a flag or a value is not valid
  3    a limit of --fail-if is broken, a check or a threshold failed, or most
       requests to a server had no response, or one of 4xx or 5xx
  4    inconclusive: a limit could not be decided
  130  interrupted with Ctrl-C; the comparison has the complete runs only
`
}

module.exports = { runVersus }
