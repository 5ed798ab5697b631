'use strict'

// Owns a result in Markdown: whole, fit for the comment of a pull request, and what the summary of a step has of it.

const { namedRequests } = require('../../figures/parts')
const { formatInteger, formatRate } = require('../../units')
const { FIGURES, completedSentence, difference, formatKnown, formatRead, latencyOf, skippedPart } = require('../figures')
const { handshakeSentence } = require('../../instruments/handshakes/report')
const { headlineOf, judgedOf } = require('../headline')
const { sideTexts } = require('../load')
const { Maxima } = require('../maxima')
const { rowsOf, label, target, achieved, isReached, loadFacts } = require('../../instruments/stages/report')
const { shownProxy } = require('../../instruments/proxies/report')
const { resultLine } = require('../result-line')
const { CPU, cpuCell, hasCpu } = require('../../instruments/server/report')
const { singleTables } = require('../../instruments/singles/report')
const { ARRIVALS, arrivalCells, isTimed, roundsRows, cutList, label: scenarioLabel, roundsSentence, sessionSentence, timesOf } = require('../../instruments/rounds/report')
const { knownSentence } = require('../until')
const { comparisonHeadline, formatActual, mark } = require('../verdicts')
const { md, code, joined, table } = require('./markup')
const { BREAK, comparisonMarkdown, comparisonTable, thresholdMarkdown } = require('./verdicts')

const SIGNS = { good: md`✅`, warning: md`⚠️`, bad: md`❌` }

/**
 * @param {Record<string, any>} result printable
 * @param {{ baseline?: Record<string, any> }} [options]
 * @returns {string}
 */
function toMarkdown (result, { baseline } = {}) {
  const { level, sentence, notes } = headlineOf(result)
  const load = loadFacts(result)
  const { title, url, requests, thresholds = [], checks = [], comparison, statusCodeStats, search, options = {} } = result
  const maxima = new Maxima()
  const figures = figureTable(result, baseline, maxima)
  const named = namedRequests(result)
  const byName = requestTable(named, maxima)
  const byScenario = result.rounds === undefined ? [] : [scenarioTable(result, maxima)]
  const byAgent = result.agents === undefined ? [] : agentTable(result)
  const byStage = result.byStage === undefined ? [] : [stageTable(result, maxima), ...rowsOf(result).rest]
  const parts = [
    md`### ${SIGNS[level]} ${title === undefined ? sentence : `${title}: ${sentence}`}`,
    ...search === undefined ? [resultLine(result)] : [],
    joined([
      ...url === undefined ? [] : [joined([url ?? []].flat().map(code), md`, `)],
      ...load.connections,
      ...load.depth,
      ...result.proxy === undefined ? [] : [md`through ${shownProxy(result)}`],
      ...load.rate === null ? [] : [load.rate],
      ...sideTexts(options.scenarios),
      ...[completedSentence(result), formatRead(result)].filter(text => text !== ''),
      ...[roundsSentence(result), sessionSentence(result), handshakeSentence(result)].filter(sentence => sentence !== null),
      ...skippedPart(result) === null ? [] : [skippedPart(result)]
    ], md` · `),
    // The figures of all loads of a search together are those of none.
    ...requests.total > 0 && search === undefined ? [figures] : [],
    ...search === undefined || search.steps.length === 0 ? [] : [stepTable(search)],
    ...[...notes, ...gateNote(result), ...maxima.notes].map(note => md`> ${note}`),
    ...thresholds.length === 0
      ? []
      : [table(['', 'Threshold', '>Actual'], thresholds.map((/** @type {any} */ threshold) => [mark(threshold), md`${code(threshold.expression)}${threshold.note !== undefined && md`<br>${threshold.note}`}`, formatActual(threshold)]))],
    ...checks.length === 0
      ? []
      : [table(['', 'Check', '>Passed', '>Failed', 'Why'], checks.map((/** @type {any} */ check) => [
          check.passed + check.failed === 0 ? '–' : mark({ passed: check.failed === 0 }), code(nameOf(check)), formatInteger(check.passed), formatInteger(check.failed),
          joined(Object.entries(check.reasons).map(([reason, count]) => md`${formatInteger(Number(count))} × ${code(reason)}`), BREAK)
        ]))],
    ...comparison === undefined ? [] : [comparisonPart(comparison)],
    ...byScenario,
    ...byStage,
    ...named.length === 0 ? [] : [byName],
    ...byAgent,
    ...result.server === undefined ? [] : serverTable(result),
    ...requests.total === 0 || statusCodeStats === undefined ? [] : [md`Responses: ${Object.entries(statusCodeStats).map(([status, { count }]) => `${status} × ${formatInteger(count)}`).join(', ')}`],
    ...singleTables(result).map(folded)
  ]
  return md`${joined(parts, md`\n\n`)}\n`.text
}

/**
 * @param {Record<string, any>} result
 * @param {Record<string, any> | undefined} baseline
 * @param {Maxima} maxima
 */
function figureTable (result, baseline, maxima) {
  /** @param {any} run */
  const row = run => FIGURES.map(({ name, read, format }) => starred(maxima.mark(formatKnown(read(run), format), name, run.latency)))
  if (baseline === undefined) return table(FIGURES.map(({ name }) => '>' + name), [row(result)])
  return table(['', ...FIGURES.map(({ name }) => '>' + name)], [
    ['This run', ...row(result)],
    ['Baseline', ...row(baseline)],
    ['Difference', ...FIGURES.map(({ read }) => difference(read(result), read(baseline)))]
  ])
}

/** @param {any} search */
function stepTable (search) {
  const { headsOf, rowOf } = require('../search')
  return table(headsOf(search).map((name, i, { length }) => i === 0 || i === length - 1 ? name : `>${name}`), search.steps.map((/** @type {any} */ step) => {
    const { mark, cells, words } = rowOf(search, step)
    return [mark, ...cells, words]
  }))
}

/** @param {any} comparison */
function comparisonPart (comparison) {
  return joined([
    md`**${comparisonHeadline(comparison)}**`,
    comparisonTable(comparison),
    ...comparison.limits.map((/** @type {any} */ limit) => md`${mark(limit)} ${code(limit.expression)}: ${limit.reason}`),
    ...comparison.notes.map((/** @type {string} */ note) => md`> ${note}`)
  ], md`\n\n`)
}

/** @param {string} figure that may have the mark of a maximum */
function starred (figure) {
  return figure.endsWith('*') ? md`${figure.slice(0, -1)}\\*` : figure
}

/**
 * @param {ReturnType<typeof namedRequests>} named
 * @param {Maxima} maxima
 */
function requestTable (named, maxima) {
  return table(['Request', '>Responses', '>p50', '>p95', '>p99', '>Max', '>Failures', '>Errors'], named.map(({ name, count, latency, failures, errors }) =>
    [code(name), formatInteger(count), ...['p50', 'p95', 'p99', 'max'].map(key => starred(maxima.mark(latencyOf(latency, key), key, latency))), formatKnown(failures, formatInteger), formatInteger(errors)]))
}

/**
 * @param {Record<string, any>} result
 * @param {Maxima} maxima
 */
function stageTable (result, maxima) {
  const stages = rowsOf(result).rows
  // With a rate, the achieved one is that of the requests.
  const ofConnections = stages.some(({ rate }) => rate === undefined)
  const withServer = hasCpu(stages)
  return table(['Stage', '>Target', '>Achieved', ...ofConnections ? ['>Req/s'] : [], '>p50', '>p99', '>Max', '>Failures', '>Errors', ...withServer ? [`>${CPU}`] : []], stages.map(stage =>
    [code(label(stage)), target(stage), isReached(stage) ? achieved(stage) : md`⚠️ ${achieved(stage)}`, ...ofConnections ? [formatRate(stage.perSecond)] : [],
      ...['p50', 'p99', 'max'].map(key => starred(maxima.mark(latencyOf(stage.latency, key), key, stage.latency))), formatInteger(stage.failures ?? 0), formatInteger(stage.errors), ...withServer ? [cpuCell(stage)] : []]))
}

/**
 * @param {Record<string, any>} result
 * @param {Maxima} maxima
 */
function scenarioTable (result, maxima) {
  const rows = roundsRows(result)
  const timed = rows.some(isTimed)
  return table(['Scenario', '>Started', '>Completed', '>Unfinished', '>Cut', 'Cut by', ...timed ? ARRIVALS.map(name => `>${name}`) : [], '>p50', '>p95', '>p99', '>Max', '>Active avg'], rows.map(rounds =>
    [code(scenarioLabel(rounds)), ...[rounds.started, rounds.completed, rounds.unfinished, rounds.cut].map(formatInteger), cutList(rounds.cutBy), ...timed ? arrivalCells(rounds) : [], ...timesOf(rounds, maxima).map(starred)]))
}

/**
 * Loaded by those who have agents.
 * @param {Record<string, any>} result
 */
function agentTable (result) {
  const { HEADS, agentCells, agentRows } = require('../../instruments/agents/report')
  const { rows, rest } = agentRows(result)
  return [...rows.length === 0
    ? []
    : [table([...HEADS], rows.map(agent => {
        const [name, ...cells] = agentCells(agent)
        return [code(name), ...cells]
      }))], ...rest]
}

/**
 * Loaded by those who watch one.
 * @param {Record<string, any>} result
 */
function serverTable (result) {
  const { HEADS, serverRows } = require('../../instruments/server/report')
  const rows = serverRows(result)
  return rows.length === 0 ? [] : [table([...HEADS], rows)]
}

/** Twenty lines that few want to read. @param {ReturnType<typeof singleTables>[number]} table of single requests */
function folded ({ title, columns, rows }) {
  const shown = table(columns.map(({ head }) => head), rows.map(row => row.map((cell, i) => columns[i].code && cell !== '' ? code(cell) : cell)))
  return md`<details><summary>${title}</summary>\n\n${shown}\n\n</details>`
}

/** @param {{ name: string, request?: string }} check */
function nameOf ({ name, request }) {
  return request === undefined ? name : `${request}: ${name}`
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} why a run with failures ends as one without
 */
function gateNote (result) {
  // A run without a response has exit code 1.
  return result.failures > 0 && result.requests.total > 0 && judgedOf(result).length === 0 ? ['No threshold was given, so failures do not change the exit code.'] : []
}

/**
 * @param {Record<string, any>} result printable
 * @returns {string} ends with a line break
 */
function toSummary (result) {
  const { title, url, thresholds, comparison, agents } = result
  const { level, notes: all } = headlineOf(result)
  const figures = [
    resultLine(result),
    ...[knownSentence(result), roundsSentence(result)].filter(sentence => sentence !== null),
    ...[completedSentence(result)].filter(text => text !== ''),
    ...[agents === undefined ? null : require('../../instruments/agents/report').lossSentence(result)].filter(sentence => sentence !== null)
  ]
  const notes = [...all, ...gateNote(result)].filter(note => !figures.some(figure => note.startsWith(figure)))
  return joined([
    md`### ${SIGNS[level]} ${title ?? [url ?? []].flat().join(', ')}\n\n${joined(figures, md` · `)}\n`,
    ...thresholds.length > 0 ? [thresholdMarkdown(result)] : [],
    ...comparison !== undefined ? [comparisonMarkdown(comparison)] : [],
    ...notes.length > 0 ? [md`${joined(notes, BREAK)}\n`] : []
  ], md`\n`).text
}

module.exports = { toMarkdown, toSummary }
