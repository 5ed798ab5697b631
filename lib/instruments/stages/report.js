'use strict'

const { countedIn } = require('../../core/counted')
const { readAmount } = require('../../core/amount')
const { cut } = require('../../core/foreign-text')
const { stagesOf } = require('../../figures/parts')
const { laidOut, timeColumn } = require('../../report/authored')
const { fitting, restOf } = require('../../report/overview')
const { LONGEST_NAME, MOST_ROWS: LISTED, failureCell } = require('../requests/report')
const { CPU, cpuCell, hasCpu } = require('../server/report')
const { isReached, rateOf } = require('./findings')
const { formatDuration, formatInteger, formatRate, plural } = require('../../core/units')
const { suffixOf } = require('../../words/instruments')

/** @typedef {import('../../figures/parts').StagePart} StagePart */

/** Rows of the table in text and Markdown. */
const MOST_ROWS = 50

/**
 * @param {Record<string, any>} result
 * @returns {{ rows: StagePart[], rest: string[] }} the stages of the table, and a sentence on the others
 */
function rowsOf (result) {
  const stages = stagesOf(result)
  const more = stages.length - MOST_ROWS
  return {
    rows: stages.slice(0, MOST_ROWS),
    rest: more > 0 ? [`There are ${plural(more, 'more stage')}: JSON, CSV and the page have all.`] : []
  }
}

/** @param {StagePart} stage */
function label ({ number, own }) {
  return own === null ? String(number) : `${number} ${own}`
}

/** @typedef {import('../../core/counted').Counted} Counted */

/** @type {(stage: StagePart, counted: Counted) => string} */
function target ({ target: { start, end, unit } }, counted) {
  const [from, to] = [start, end].map(value => unit === 'connections' ? formatInteger(value) : formatRate(value))
  return `${start === end ? to : `${from} → ${to}`}${suffixOf(unit, counted)}`
}

/**
 * @param {Record<string, any>} result so far
 * @returns {string | null} the current stage and target, such as `2 of 3 (peak), 750/s`; null without stages
 */
function stageNow (result) {
  const stages = stagesOf(result)
  const now = stages.findLast(({ seconds }) => seconds > 0)
  if (now === undefined) return null
  const due = result.series?.at(-1)?.target
  const { unit } = now.target
  const load = due === undefined
    ? []
    : [(unit === 'connections' ? formatInteger(Math.round(due)) : formatRate(due)) + suffixOf(unit, countedIn(result))]
  return [`${now.number} of ${stages.length}${now.own === null ? '' : ` (${now.own})`}`, ...load].join(', ')
}

/** @param {StagePart} stage @param {Counted} counted @returns {string} the achieved load, beside the target */
function achieved (stage, counted) {
  const { connections, target: { unit } } = stage
  const rate = rateOf(stage)
  if (rate !== null) return rate.achieved === null ? '–' : formatRate(rate.achieved) + suffixOf(unit, counted)
  return connections === undefined ? '–' : `${formatInteger(connections)} conn.`
}

/** @param {StagePart} stage */
function when ({ from, to }) {
  return `${formatDuration(from)} – ${formatDuration(to)}`
}

/**
 * @param {Record<string, any>} result
 * @returns {{ connections: string[], depth: string[], rate: string | null }} the target load, such as `50 connections`,
 *   `pipelining 10`, and `100 to 700 requests/s in 3 stages`; null without a rate
 */
function loadFacts (result) {
  const { connections, rate, iterations, search } = result
  const stages = stagesOf(result)
  const counted = countedIn(result)
  const range = stages.length === 0 ? null : rangeOf(stages, counted)
  const planned = rate !== undefined
    ? `${formatRate(rate.target)} ${counted.rate} target`
    : iterations?.target === undefined ? null : `${formatRate(iterations.target)} iterations/s target`
  return {
    depth: depthOf(result),
    connections: range !== null && stages[0].target.unit === 'connections'
      ? [range]
      : Number.isNaN(connections) ? [] : [usersOn(result) + plural(connections, 'connection')],
    rate: planned === null || search !== undefined ? null : range ?? planned
  }
}

/** @param {Record<string, any>} result @returns {string[]} requests in flight per connection, and the protocol */
function depthOf ({ pipelining, http }) {
  if (http !== '2') return pipelining > 1 ? [`pipelining ${pipelining}`] : []
  return [`HTTP/2${pipelining > 1 ? `, ${pipelining} streams per connection` : ''}`]
}

/**
 * @param {Record<string, any>} result
 * @returns {string} such as `1,000 users on `, if users share connections; else empty
 */
function usersOn ({ http, connections, pipelining, iterations, options }) {
  if (http !== '2' || pipelining === 1 || iterations === undefined) return ''
  return `${plural(Math.min(connections * pipelining, readAmount(options?.amount ?? Infinity).number), 'user')} on `
}

/** @type {(stages: StagePart[], counted: Counted) => string} */
function rangeOf (stages, counted) {
  const loads = stages.flatMap(({ target: { start, end } }) => [start, end])
  const { unit } = stages[0].target
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map(load => formatRate(load))
  const suffix = unit === 'connections' ? ` ${unit}` : suffixOf(unit, counted)
  return `${least === most ? '' : `${least} to `}${most}${suffix} in ` +
    `${plural(stages.length, 'stage')}`
}

/** @type {(stage: StagePart, counted: Counted) => import('../../report/authored').Cell} */
function achievedCell (stage, counted) {
  const text = achieved(stage, counted)
  return isReached(stage) ? text : { text, tone: 'missed' }
}

/** @type {import('../../report/authored').TablesOf} */
function tables (result, form, { verbose }) {
  const [isText, isHtml] = [form === 'text', form === 'html']
  const counted = countedIn(result)
  const { rows: some, rest } = rowsOf(result)
  const all = isHtml ? stagesOf(result) : some
  if (all.length === 0) return []
  const rows = isText && !verbose ? fitting(all, stage => (stage.failures ?? 0) > 0 || !isReached(stage), LISTED) : all
  return [{
    id: 'stages',
    title: 'Stages',
    ...laidOut([
      ['Stage', stage => ({ text: isText ? cut(label(stage), LONGEST_NAME) : label(stage), tone: 'name' })],
      isHtml && ['When', when],
      ['>Target', stage => target(stage, counted)],
      ['>Achieved', stage => achievedCell(stage, counted)],
      // With a rate, the achieved one is that of the requests.
      rows.some(({ rate }) => rate === undefined) && [`>${counted.head}`, ({ perSecond }) => formatRate(perSecond)],
      timeColumn('p50', 'p50'),
      isHtml && timeColumn('p95', 'p95'),
      timeColumn('p99', 'p99'),
      timeColumn('Max', 'max'),
      ['>Failures', form === 'md' ? ({ failures = 0 }) => formatInteger(failures) : failureCell],
      !isText && ['>Errors', ({ errors }) => formatInteger(errors)],
      hasCpu(rows) && [`>${CPU}`, cpuCell],
      isHtml && ['Generator', ({ generator }) => generator.verdict ?? '–']
    ], rows),
    rest: [...restOf(all.length - rows.length, 'stage'), ...isHtml ? [] : rest],
    elastic: [0]
  }]
}

module.exports = { stageNow, stagesOf, label, loadFacts, tables }
