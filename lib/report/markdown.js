'use strict'

// Owns the summary in Markdown, fit for the comment of a pull request.

const { namedRequests } = require('../figures/named-requests')
const { formatBytes, formatInteger, formatSeconds, plural } = require('../units')
const { FIGURES, difference, formatKnown, formatRate, formatSent, latencyOf } = require('./figures')
const { skippedPart } = require('./caveats')
const { headlineOf } = require('./headline')
const { Maxima } = require('./maxima')
const { code, table, text } = require('./markdown-text')
const { comparisonHeadline, comparisonTable, formatActual, mark } = require('./verdicts')

const SIGNS = { good: '✅', warning: '⚠️', bad: '❌' }

/**
 * @param {Record<string, any>} result printable
 * @param {{ baseline?: Record<string, any> }} [options]
 * @returns {string}
 */
function toMarkdown (result, { baseline } = {}) {
  const { level, sentence, notes } = headlineOf(result)
  const { title, url, duration, connections, pipelining, rate, requests, throughput, thresholds = [], checks = [], comparison, statusCodeStats } = result
  const maxima = new Maxima()
  const figures = figureTable(result, baseline, maxima)
  const named = namedRequests(result)
  const byName = requestTable(named, maxima)
  const parts = [
    `### ${SIGNS[level]} ${text(title === undefined ? sentence : `${title}: ${sentence}`)}`,
    [
      [url].flat().map(code).join(', '),
      plural(connections, 'connection'),
      ...pipelining > 1 ? [`pipelining ${pipelining}`] : [],
      ...rate === undefined ? [] : [`${formatRate(rate.target)} requests/s asked for`],
      `${formatSent(result)} requests in ${formatSeconds(duration)}`,
      `${formatBytes(throughput.total)} read`,
      ...skippedPart(result) === null ? [] : [skippedPart(result)]
    ].join(' · '),
    ...requests.total > 0 ? [figures] : [],
    ...[...notes, ...maxima.notes].map(note => `> ${text(note)}`),
    ...thresholds.length === 0
      ? []
      : [table(['', 'Threshold', '>Actual'], thresholds.map((/** @type {any} */ threshold) => [mark(threshold), code(threshold.expression) + (threshold.note === undefined ? '' : `<br>${text(threshold.note)}`), formatActual(threshold)]))],
    ...checks.length === 0
      ? []
      : [table(['', 'Check', '>Passed', '>Failed', 'Why'], checks.map((/** @type {any} */ check) => [
          check.passed + check.failed === 0 ? '–' : mark({ passed: check.failed === 0 }), code(nameOf(check)), formatInteger(check.passed), formatInteger(check.failed),
          Object.entries(check.reasons).map(([reason, count]) => `${formatInteger(Number(count))} × ${code(reason)}`).join('<br>')
        ]))],
    ...comparison === undefined ? [] : [comparisonPart(comparison)],
    ...named.length === 0 ? [] : [byName],
    ...requests.total === 0 || statusCodeStats === undefined ? [] : [`Answers: ${Object.entries(statusCodeStats).map(([status, { count }]) => `${status} × ${formatInteger(count)}`).join(', ')}`]
  ]
  return parts.join('\n\n') + '\n'
}

/**
 * @param {Record<string, any>} result
 * @param {Record<string, any> | undefined} baseline
 * @param {Maxima} maxima
 */
function figureTable (result, baseline, maxima) {
  /** @param {any} run */
  const row = run => FIGURES.map(({ name, read, format }) => escaped(maxima.mark(formatKnown(read(run), format), name, run.latency)))
  if (baseline === undefined) return table(FIGURES.map(({ name }) => '>' + name), [row(result)])
  return table(['', ...FIGURES.map(({ name }) => '>' + name)], [
    ['This run', ...row(result)],
    ['Baseline', ...row(baseline)],
    ['Difference', ...FIGURES.map(({ read }) => difference(read(result), read(baseline)))]
  ])
}

/** @param {any} comparison */
function comparisonPart (comparison) {
  return [
    `**${text(comparisonHeadline(comparison))}**`,
    comparisonTable(comparison),
    ...comparison.limits.map((/** @type {any} */ limit) => `${mark(limit)} ${code(limit.expression)}: ${text(limit.reason)}`),
    ...comparison.notes.map((/** @type {string} */ note) => `> ${text(note)}`)
  ].join('\n\n')
}

/** @param {string} figure with the mark of a maximum, which would be markup */
function escaped (figure) {
  return figure.replace('*', '\\*')
}

/**
 * @param {ReturnType<typeof namedRequests>} named
 * @param {Maxima} maxima
 */
function requestTable (named, maxima) {
  return table(['Request', '>Answers', '>p50', '>p95', '>p99', '>Max', '>Failures', '>Errors'], named.map(({ name, count, latency, failures, errors }) =>
    [code(name), formatInteger(count), ...['p50', 'p95', 'p99', 'max'].map(key => escaped(maxima.mark(latencyOf(latency, key), key, latency))), formatKnown(failures, formatInteger), formatInteger(errors)]))
}

/** @param {{ name: string, request?: string }} check */
function nameOf ({ name, request }) {
  return request === undefined ? name : `${request}: ${name}`
}

module.exports = { toMarkdown }
