'use strict'

// The result as JUnit XML. Thresholds and checks are test cases, and so is whether there was a response.

const { errorWords } = require('../../figures/error-words')
const { isRefusedByProxy } = require('../../instruments/proxies/refused')
const { BOTH_RESPOND } = require('../../judge/premise')
const { configuredChecks, isOfRedirects } = require('../../findings/redirects')
const { clockSentence } = require('../clock')
const { headlineOf, judgedOf } = require('../headline')
const { hints, notesOf, textsBeside } = require('../findings')
const { knownSentence, whyUnknown } = require('../until')
const { REFUSED } = require('../../words/instruments')
const { countedIn } = require('../../core/counted')
const { formatInteger, plural } = require('../../core/units')
const { formatActual } = require('../verdicts')

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {{ message: string, details: string }} [failure]
 * @property {string} [skipped] why
 * @property {string} [note] of a passed one
 */

/** @param {Record<string, any>} result */
function toJunit (result) {
  const { title, url, options, start, duration, thresholds = [], checks = [], comparison, until } = result
  const judged = judgedOf(result)
  const failed = judged.flatMap(({ failed }) => failed)
  // Redirects are counted as a check that no option configures, so it is shown only if it failed.
  const refused = judged.some(({ name }) => name === 'redirects')
    ? checks.filter((/** @type {any} */ check) => isOfRedirects(check) && check.failed > 0)
    : []
  // The details of a failure have what may have changed its figure, such as a starved load generator.
  const beside = headlineOf(result).notes.join('\n')
  const timed = clockSentence(result)
  const notes = [
    ...notesOf(result, ['end', 'resending']).map(({ text }) => text),
    ...timed === null ? [] : [`${timed}.`]
  ]
  const suites = [
    suite('run', [{ name: 'the server responds', note: notes.join('\n') || undefined, ...responseFailure(result) }]),
    suite('thresholds', thresholds.map((/** @type {any} */ threshold) => ({
      name: threshold.expression,
      note: threshold.note,
      ...threshold.passed === null && { skipped: threshold.note ?? 'the run was interrupted' },
      ...threshold.passed === false && {
        failure: {
          message: `${threshold.expression}: it was ${formatActual(threshold, countedIn(result))}` +
            (threshold.note === undefined ? '' : `: ${threshold.note}`),
          details: beside
        }
      }
    }))),
    suite('until', until === undefined ? [] : [untilCase(until, knownSentence(result))]),
    suite('checks', configuredChecks(result).map(check => caseOf(check, failed.includes(check)))),
    suite('redirects', refused.map((/** @type {any} */ check) => caseOf(check, true))),
    comparisonSuite(comparison)
  ]
  // The name has to be the same in each run. A server that --on-port starts has another port each time.
  const name = title ?? `autocannon ${(options?.onPort ?? [url ?? []].flat()).join(' ')}`.trim()
  return xmlOf(suites, { name, start, duration })
}

/**
 * @param {Record<string, any>} result
 * @returns {Pick<Case, 'failure' | 'skipped'>} nothing if the server responded
 */
function responseFailure (result) {
  const { errors, requests } = result
  if (isRefusedByProxy(result)) {
    const details = textsBeside(notesOf(result, ['times']), 'proxy-refused').join('\n')
    return { failure: { message: REFUSED, details } }
  }
  if (requests.total > 0 || result.streams?.events > 0) return {}
  if (Number.isNaN(requests.total)) return { skipped: 'the result has no number of responses' }
  return {
    failure: errors > 0
      ? { message: 'no response', details: errorWords(result) }
      : { message: hints(result)[0].text, details: '' }
  }
}

/** @param {Error} error why a run has no valid result; printable @param {About} about */
function failedJunit ({ message }, about) {
  const [sentence, ...details] = message.split('\n')
  const failure = { message: sentence, details: details.join('\n') }
  return xmlOf([suite('run', [{ name: 'the server responds', failure }])], about)
}

/**
 * @param {{ runs: { base: number, new: number }, limits: import('../../../index').ComparedLimit[] }} comparison of
 *   `versus`
 * @param {About & { lastWords?: string }} about the runs; `lastWords`: output of a server that failed
 */
function comparisonJunit ({ runs, limits }, { lastWords = '', ...about }) {
  const broken = limits.find(({ finding }) => finding?.code === 'failed-server')
  const [missing] = Object.entries(runs).filter(([, count]) => count === 0)
  const responses = {
    name: BOTH_RESPOND,
    ...broken !== undefined
      ? { failure: { message: broken.reason, details: lastWords } }
      : missing !== undefined && { skipped: `there is no run of ${missing[0]}` }
  }
  const others = comparisonSuite({ limits: limits.filter(limit => limit !== broken) })
  return xmlOf([suite('run', [responses]), others], about)
}

/**
 * @typedef {object} About
 * @property {string} name
 * @property {Date | string} start
 * @property {number} duration s
 */

/** @param {Array<ReturnType<typeof suite>>} all @param {About} about */
function xmlOf (all, { name, start, duration }) {
  const suites = all.filter(({ cases }) => cases.length > 0)
  // A partial result may have neither.
  const at = Number.isNaN(+new Date(start))
    ? ''
    : ` timestamp="${new Date(start).toISOString().replace(/\.\d+Z$/, '')}"`
  const time = Number.isNaN(duration) ? '' : ` time="${duration}"`
  const totals = suites.flatMap(({ cases }) => cases)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(name)}" ${counts(totals)}${time}>`,
    ...suites.map(({ name, cases }) => [
      `  <testsuite name="${name}" ${counts(cases)}${time}${at}>`,
      ...cases.map(one => testcase(name, one)),
      '  </testsuite>'
    ].join('\n')),
    '</testsuites>',
    ''
  ].join('\n')
}

/** @param {{ limits: any[] }} [comparison] */
function comparisonSuite (comparison) {
  return suite('comparison', (comparison?.limits ?? []).map(limitCase))
}

/** @param {string} name @param {Case[]} cases */
function suite (name, cases) {
  return { name, cases }
}

/** @param {{ expression: string, passed: boolean | null, reason: string }} limit @returns {Case} */
function limitCase ({ expression, passed, reason }) {
  return {
    name: expression,
    ...passed === null && { skipped: `inconclusive: ${reason}` },
    ...passed === false && { failure: { message: reason, details: '' } }
  }
}

/**
 * @param {any} until of a result
 * @param {string | null} known the sentence on it
 * @returns {Case}
 */
function untilCase (until, known) {
  const { expression, reached } = until
  return { name: expression, ...reached ? { note: known ?? undefined } : { skipped: whyUnknown(until) } }
}

/** @param {{ status: number, headers: Array<[string, string]>, body: string, truncated: boolean }} sample */
function linesOf ({ status, headers, body, truncated }) {
  const shown = headers.map(([key, value]) => `  ${key}: ${value}`)
  return [`  status ${status}`, ...shown, '', body + (truncated ? '…' : '')]
}

/** @param {any} check @param {boolean} isFailure whether its failures are not tolerated @returns {Case} */
function caseOf ({ name, request, passed, failed, reasons, samples = {} }, isFailure) {
  const title = request === undefined ? name : `${request}: ${name}`
  if (!isFailure) return { name: title, ...passed + failed === 0 && { skipped: 'no response was checked' } }
  const details = Object.entries(reasons).map(([reason, count]) => {
    const sample = samples[reason]
    return [`${count} × ${reason}`, ...sample === undefined ? [] : ['first of them:', ...linesOf(sample)]].join('\n')
  })
  return {
    name: title,
    failure: {
      message: `${formatInteger(failed)} of ${plural(passed + failed, 'response')} failed`,
      details: details.join('\n\n')
    }
  }
}

/** @param {Case[]} cases */
function counts (cases) {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter(({ skipped }) => skipped !== undefined).length
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`
}

/**
 * @param {string} suite
 * @param {Case} one
 * @returns {string} without a time, as all cases judge the same run
 */
function testcase (suite, { name, failure, skipped, note }) {
  const open = `    <testcase classname="autocannon.${suite}" name="${attribute(name)}"`
  if (skipped !== undefined) return `${open}>\n      <skipped message="${attribute(skipped)}"/>\n    </testcase>`
  if (failure === undefined) {
    return note === undefined ? open + '/>' : `${open}>\n      <system-out>${xml(note)}</system-out>\n    </testcase>`
  }
  const element = `<failure message="${attribute(failure.message)}">${xml(failure.details)}</failure>`
  return `${open}>\n      ${element}\n    </testcase>`
}

/** @param {unknown} text printable, so that XML 1.0 can hold all of it */
function xml (text) {
  return String(text).replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}

/** @param {string} text */
function attribute (text) {
  return xml(text).replace(/[\n\t]/g, character => `&#${character.charCodeAt(0)};`)
}

/** @type {import('./format').Format} */
const FORMAT = { write: toJunit, failure: failedJunit }

module.exports = { FORMAT, toJunit, comparisonJunit }
