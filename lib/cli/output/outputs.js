'use strict'

// The output files of a run: formats, checks before the run, writes, and errors.

const { AutocannonError } = require('../../core/errors')
const { Lines } = require('../../follow/lines')
const { printable, printableLines, show } = require('../../core/foreign-text')
const { RENDERERS } = require('../../parts')
const { formatOf, formatResult, ENDINGS } = require('../../report/formats/format')
const { summaryOf, summaryProblems } = require('./github-summary')
const { measuredBefore } = require('../commands/measure')
const { OutputFile } = require('./output-file')
const { placeOf, problemOfFile } = require('./output-path')

/**
 * @typedef {object} Target
 * @property {string} flag or key that the user gave
 * @property {string} file
 * @property {string | undefined} format undefined for an unknown file extension
 * @property {boolean} isStdout
 *
 * @typedef {object} Context
 * @property {NodeJS.WritableStream} stdout
 * @property {NodeJS.ProcessEnv} env
 * @property {(error: Error) => void} onUnwritten receives the error of each unwritten file, after the report
 */

/**
 * @typedef {object} Saved a file that is written at the end of each run
 * @property {string | null} text to write next
 * @property {Promise<void>} written
 */

/** The formats of a raw result: the others show figures, which it does not have. */
const RAW = ENDINGS.filter(format => RENDERERS[format].isData)

class Outputs {
  /** @param {Record<string, any>} raw options as they were given @param {Context} context */
  constructor (raw, { stdout, env, onUnwritten }) {
    this.stdout = stdout
    this.env = env
    this.onUnwritten = onUnwritten
    this.json = isOn(raw.json)
    this.raw = isOn(raw.skipAggregateResult)
    this.summary = isOn(raw.githubSummary)
    /** @type {Target[]} */
    this.targets = [
      ...[raw.output ?? []].flat().map(file => target('-o/--output', String(file), formatOf(String(file)))),
      ...raw.junit === undefined ? [] : [target('--junit', String(raw.junit), 'junit')]
    ]
    /** @type {Map<string, Saved>} */
    this.saved = new Map()
    /** @type {OutputFile[]} files that grow during the run */
    this.streams = []
    /** @type {Lines[]} */
    this.lines = []
    /** @type {Map<string, Error>} by message: an endless series of runs reports a full disk once */
    this.failures = new Map()
    this.reported = 0
    /** Whether an output has the report of a result. */
    this.isShown = false
  }

  /** @returns {string[]} a sentence for each reason why a file could not be written */
  problems () {
    const toStdout = this.targets.filter(({ isStdout }) => isStdout).map(({ flag, file }) => `${flag} ${file}`)
    if (this.json || this.raw) toStdout.unshift(this.raw ? '--raw' : '-j/--json')
    const files = this.targets.map(({ file }) => placeOf(file))
    return [
      ...this.targets.flatMap(target => problemOf(target) ?? []),
      ...this.raw ? this.targets.flatMap(target => rawProblemOf(target) ?? []) : [],
      ...toStdout.length > 1 ? [`${toStdout.join(' and ')} would all write to stdout: give one of them a file`] : [],
      ...this.targets.filter(({ isStdout }, i) => !isStdout && files.indexOf(files[i]) !== i).map(({ flag, file }) =>
        `${flag}: the file ${show(file)} is given twice`),
      ...this.summary ? summaryProblems(this.env) : []
    ]
  }

  /**
   * @param {{ follow: (follower: import('../../follow/followers').Follower) => void }} instance before its start; the
   *   followers that show it are already added
   * @param {Array<Record<string, any>>} [baseline]
   */
  follow (instance, baseline) {
    for (const { file, format = '', isStdout } of this.targets) {
      const { grows, load } = RENDERERS[format]
      if (grows) {
        const { line, last } = /** @type {Required<import('../../report/formats/format').Format>} */ (load())
        const lines = new Lines(this.open(file, isStdout), line, last)
        this.lines.push(lines)
        instance.follow(lines)
      } else {
        instance.follow({
          done: result => this.write(file, () => formatResult(result, format, { baseline }), { isStdout })
        })
      }
    }
    if (this.summary) {
      const file = /** @type {string} */ (this.env.GITHUB_STEP_SUMMARY)
      instance.follow({ done: result => this.write(file, () => summaryOf(result), { append: true }) })
    }
    instance.follow({
      done: () => {
        this.isShown = true
        this.reportFailures()
      }
    })
  }

  /**
   * @param {string} file that grows with the run
   * @param {boolean} isStdout which must stay open
   */
  open (file, isStdout) {
    if (isStdout) return this.stdout
    const stream = new OutputFile(file)
    this.streams.push(stream)
    stream.closed.then(failure => this.note(failure))
    return stream
  }

  /** @type {(file: string, format: () => string, how?: { isStdout?: boolean, append?: boolean }) => void} */
  write (file, format, { isStdout = false, append = false } = {}) {
    try {
      const text = format()
      if (isStdout) this.stdout.write(text)
      else this.save(file, text, append)
    } catch (error) {
      this.note(
        new AutocannonError('AC_OUTPUT', `${show(file)} could not be written: ${/** @type {Error} */ (error).message}`)
      )
    }
  }

  /**
   * If runs end faster than the file is written, only the latest result is written.
   * @type {(file: string, text: string, append: boolean) => void}
   */
  save (file, text, append) {
    const saved = this.saved.get(file) ?? { text: null, written: Promise.resolve() }
    const waits = saved.text !== null
    saved.text = append ? (saved.text ?? '') + text : text
    this.saved.set(file, saved)
    if (waits) return
    saved.written = saved.written.then(async () => {
      const output = new OutputFile(file, { append })
      output.write(saved.text ?? '')
      saved.text = null
      this.note(await output.end())
    })
  }

  /**
   * Otherwise the file would keep the test cases of an earlier run, which may have passed. The partial result is
   * written as an interrupted run, unless an earlier run was complete.
   * @param {Error} error that ended the run
   * @param {string} name of the run
   */
  fail (error, name) {
    const result = measuredBefore(error)
    const about = { name: printable(name), start: new Date(), duration: 0 }
    for (const { file, format = '', isStdout } of this.targets) {
      const { failure, line } = RENDERERS[format].load()
      if (isStdout && this.isShown) continue
      if (failure !== undefined) {
        this.write(file, () => failure(new Error(printableLines(error.message)), about), {
          isStdout
        })
      } else if (line === undefined && !this.isShown && result !== null) {
        this.write(file, () => formatResult(result, format), { isStdout })
      }
    }
    if (result === null) return
    for (const lines of this.lines) lines.done(result)
    if (this.summary && !this.isShown) {
      this.write(String(this.env.GITHUB_STEP_SUMMARY), () => summaryOf(result), { append: true })
    }
  }

  /** @param {Error | null} failure */
  note (failure) {
    if (failure !== null && !this.failures.has(failure.message)) this.failures.set(failure.message, failure)
  }

  reportFailures () {
    const failures = [...this.failures.values()]
    for (const failure of failures.slice(this.reported)) this.onUnwritten(failure)
    this.reported = failures.length
  }

  /** Resolves when all output is written, or its failure is reported. */
  async end () {
    await Promise.all([
      ...this.streams.map(stream => stream.end()), ...[...this.saved.values()].map(({ written }) => written)
    ])
    this.reportFailures()
  }
}

/** @param {unknown} flag from the command line or a config */
function isOn (flag) {
  return flag === true || flag === 'true'
}

/** @type {(flag: string, file: string, format: string | undefined) => Target} */
function target (flag, file, format) {
  return {
    flag, file, format,
    isStdout: format !== undefined && (file === '-.' + format || (flag === '--junit' && file === '-'))
  }
}

/** @type {(target: Target) => string | undefined} */
function rawProblemOf ({ flag, file, format }) {
  if (format === undefined || RAW.includes(format)) return undefined
  return `${flag} and --raw: a raw result has no figures yet that ${show(file)} could show: give a file that ends ` +
    `with ${RAW.map(ending => '.' + ending).join(' or ')}, or omit --raw`
}

/** @type {(target: Target) => string | undefined} */
function problemOf ({ flag, file, format, isStdout }) {
  if (file === '') return undefined
  if (format === undefined) {
    return `${flag}: expected a file name with the ending of a format: ` +
      `${ENDINGS.map(ending => '.' + ending).join(', ')}, got ` +
      `${show(file)}${/\.xml$/i.test(file) ? ': JUnit is written by --junit' : ''}`
  }
  return isStdout ? undefined : problemOfFile(flag, file)
}

module.exports = { Outputs }
