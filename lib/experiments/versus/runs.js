'use strict'

// Runs two servers in alternating order, and compares the complete runs.

const { errorWords } = require('../../figures/error-words')
const { hasNoResponse } = require('../../figures/parts')
const { isRefusedByProxy } = require('../../instruments/proxies/refused')
const { AutocannonError, OptionsError } = require('../../core/errors')
const { info } = require('../../core/finding')
const { printableData } = require('../../core/foreign-text')
const { badNewsOf, judgedOf } = require('../../report/headline')
const { hints } = require('../../report/findings')
const { REFUSED } = require('../../words/instruments')
const { failedRuns } = require('../../words/comparison')
const { sentenceOf } = require('../../words/judgements')
const { CONFIDENCE, compare, noted } = require('../../judge/comparison/comparison')
const { EARLY_CONFIDENCE, isCertain } = require('./early-stop')
const { judgement, judgePremise } = require('../../judge/comparison/limit-verdict')
const { BOTH_RESPOND, EACH_RUN, findBroken, findSilence } = require('../../judge/premise')
const { alternate } = require('./alternation')

/**
 * @typedef {import('./alternation').Side} Side
 * @typedef {import('../../judge/comparison/comparison').Comparison} Comparison
 * @typedef {Record<string, any>} Result
 *
 * @typedef {object} Trouble why the runs ended early
 * @property {boolean} isCompared whether its run is compared
 * @property {string} reason one sentence, with the side
 * @property {Record<string, any>} facts the same as data
 * @property {string} [details] further lines
 * @property {AutocannonError} [error] why a run could not be made
 *
 * @typedef {object} Given
 * @property {number} runs of each server, at most
 * @property {import('../../judge/comparison/regression').Regression[]} failIf
 * @property {Record<Side, string>} names of the servers
 */

class VersusRuns {
  /**
   * @param {Given} given
   * @param {(side: Side, run: number) => Promise<Result | null>} measure makes a run; null if the user ended it
   * @param {(side: Side, run: number, result: Result) => void} onRun called for each complete run
   */
  constructor ({ runs, failIf, names }, measure, onRun) {
    this.most = runs
    this.failIf = failIf
    this.names = names
    this.measure = measure
    this.onRun = onRun
    /** @type {Record<Side, Result[]>} of complete runs */
    this.results = { base: [], new: [] }
    /** @type {import('./alternation').Alternated['ended']} */
    this.ended = 'stopped'
    /** @type {Trouble | null} */
    this.trouble = null
  }

  async run () {
    const { results, ended } = await alternate(this.most, {
      measure: (side, run) => this.runSide(side, run),
      isCertain: ({ base, new: next }) =>
        this.trouble === null && isCertain(compare(base, next, this.failIf, { confidence: EARLY_CONFIDENCE }))
    })
    this.results = results
    this.ended = ended
  }

  /** @param {Side} side @param {number} run @returns {Promise<Result | null>} null ends the runs */
  async runSide (side, run) {
    if (this.trouble !== null) return null
    try {
      const result = await this.measure(side, run)
      if (result === null) return null
      this.trouble = troubleOf(side, this.names[side], result)
      if (this.trouble?.isCompared === false) return null
      this.onRun(side, run, result)
      return result
    } catch (error) {
      if (!(error instanceof AutocannonError)) throw error
      // An error does not name its server.
      const message = `${side}: ${error.message}`
      if (error instanceof OptionsError) throw Object.assign(error, { message })
      const [reason, ...more] = message.split('\n')
      this.trouble = {
        isCompared: false, reason, facts: { side, error: error.code },
        details: more.filter(line => line !== '').join('\n'), error
      }
      return null
    }
  }

  /**
   * @param {{ alternated?: boolean, isStopped?: boolean, same: boolean }} how `alternated`: as in compare();
   *   `isStopped`: whether the user ended the runs; `same`: whether both URLs are the
   *   same
   * @returns {Comparison} of the complete runs
   */
  comparison ({ alternated = false, isStopped = false, same }) {
    const { results: { base, new: next }, failIf, trouble, ended, most } = this
    const comparison = base.length > 0 && next.length > 0
      ? compare(base, next, failIf, { alternated })
      : nothingCompared(base, next, failIf)
    const [gate, code] = trouble !== null && isOfServer(trouble)
      ? [BOTH_RESPOND, 'failed-server']
      : [EACH_RUN, 'no-usable-run']
    const unmade = trouble === null || trouble.isCompared
      ? []
      : [failedLimit(gate, { code, facts: trouble.facts }, trouble.reason)]
    return noted({
      ...comparison,
      ...isStopped && { interrupted: true },
      // A comparison has the limit on failed requests by itself.
      limits: [...comparison.limits, ...judgeRuns(this.results), ...unmade]
    }, [
      ...isStopped ? [info('interrupted-comparison', comparison.runs)] : [],
      ...ended === 'certain' ? [info('certain-verdict', { runs: base.length, planned: most })] : [],
      ...same ? [info('same-server')] : []
    ])
  }
}

/** @param {Trouble} trouble */
function isOfServer ({ error }) {
  return error === undefined || error.code.startsWith('AC_ON_PORT')
}

/**
 * Returns a comparison without figures, whose limits have the reason.
 * @param {Result[]} base
 * @param {Result[]} next
 * @param {import('../../judge/comparison/regression').Regression[]} failIf
 * @returns {Comparison}
 */
function nothingCompared (base, next, failIf) {
  const side = base.length > 0 ? 'new' : next.length > 0 ? 'base' : undefined
  return {
    confidence: CONFIDENCE,
    basis: 'runs',
    runs: { base: base.length, new: next.length },
    metrics: [],
    limits: [
      ...failIf.map(({ expression }) => judgement(expression, null, null, { code: 'no-run', facts: { side } })),
      ...judgePremise(base, next)
    ],
    notes: [],
    findings: []
  }
}

/**
 * @param {Side} side
 * @param {string} server its name
 * @param {Result} result
 * @returns {Trouble | null} why the run is invalid, which ends the runs
 */
function troubleOf (side, server, result) {
  const name = `${side} (${server})`
  if (hasNoResponse(result)) {
    const given = printableData(result)
    const { errors, errorCodes } = given
    if (errors > 0) {
      const reason = `${name}: no response: ${errorWords(given)}`
      return { isCompared: false, reason, facts: { side, errors, errorCodes } }
    }
    const [hint] = hints(given)
    return { isCompared: false, reason: `${name}: ${hint.text}`, facts: { side, finding: hint.code } }
  }
  if (isRefusedByProxy(result)) {
    return { isCompared: false, reason: `${name}: ${REFUSED}`, facts: { side, finding: 'proxy-refused' } }
  }
  const broken = findBroken(printableData(result)) ?? findSilence(result)
  if (broken === null) return null
  return {
    isCompared: true, reason: `${name}: ${sentenceOf(broken.reason)}`, facts: { side, because: broken.reason }
  }
}

/**
 * Judges the checks and thresholds of each run.
 * @param {Record<Side, Result[]>} results
 * @returns {import('../../../index').ComparedLimit[]} one for each side with a failure in one of its runs
 */
function judgeRuns (results) {
  return Object.entries(results).flatMap(([side, runs]) => {
    const failed = runs.flatMap((result, i) => ({ run: i + 1, result, news: badNewsOf(result) }))
      .filter(({ news }) => news !== null)
    if (failed.length === 0) return []
    const [{ run, result, news }] = failed
    const facts = { side, run, failed: failed.length, runs: runs.length, judged: failuresOf(result) }
    return [failedLimit('each run', { code: 'failed-runs', facts }, failedRuns(facts, String(news?.sentence)))]
  })
}

/**
 * @param {Result} result of a run
 * @returns {Array<{ kind: string, name: string, passed: boolean | null }>} its failed or inconclusive judgements
 */
function failuresOf (result) {
  return judgedOf(result).flatMap(({ name: kind, failed, unsure }) =>
    /** @type {any[]} */ ([...failed, ...unsure]).map(({ expression, name = kind, passed = false }) =>
      ({ kind, name: expression ?? name, passed })))
}

/**
 * @param {string} expression
 * @param {import('../../judge/reason').Reason} reason
 * @param {string} sentence
 * @returns {import('../../../index').ComparedLimit} an implied one
 */
function failedLimit (expression, reason, sentence) {
  return { ...judgement(expression, null, false, reason, sentence), implied: true }
}

module.exports = { VersusRuns }
