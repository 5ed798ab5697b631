'use strict'

// Owns how the stages of a run are told: the cells that every table of them has, and the sentences about those that did not come to what
// they were to be.

const { cut } = require('../../core/foreign-text')
const { SHORTAGES, errorList } = require('../../figures/error-words')
const { KEPT } = require('../rate/kept-pace')
const { stagesOf } = require('../../figures/parts')
const { laidOut, timeColumn } = require('../../report/authored')
const { fitting, restOf } = require('../../report/overview')
const { LONGEST_NAME, MOST_ROWS: LISTED, failureCell } = require('../requests/report')
const { CPU, cpuCell, hasCpu } = require('../server/report')
const { formatDuration, formatInteger, formatRate, plural } = require('../../core/units')

/** @typedef {import('../../figures/parts').StagePart} StagePart */

/** How many stages are told of. */
const MOST_TOLD = 3
/** How many stages a table for people has, where nobody can scroll or search as on the page. */
const MOST_ROWS = 50

/**
 * @param {Record<string, any>} result
 * @returns {{ rows: StagePart[], rest: string[] }} those of a table, and the sentence on those that it leaves out
 */
function rowsOf (result) {
  const stages = stagesOf(result)
  const more = stages.length - MOST_ROWS
  return { rows: stages.slice(0, MOST_ROWS), rest: more > 0 ? [`There are ${plural(more, 'more stage')}: JSON, CSV and the page have all.`] : [] }
}

/** @param {StagePart} stage */
function label ({ number, own }) {
  return own === null ? String(number) : `${number} ${own}`
}

/** @param {StagePart} stage in a sentence */
function named ({ number, own }) {
  return own === null ? String(number) : `${number} (${own})`
}

/** @param {StagePart} stage */
function target ({ target: { start, end, unit } }) {
  const [from, to] = [start, end].map(value => unit === 'connections' ? formatInteger(value) : formatRate(value))
  return `${start === end ? to : `${from} → ${to}`}${SUFFIXES[unit]}`
}

/** The units of what changes, where there is little room. */
const SUFFIXES = Object.freeze({ 'requests/s': ' req/s', 'iterations/s': ' iterations/s', connections: ' conn.' })

/**
 * @param {Record<string, any>} result so far
 * @returns {string | null} in which stage it is, and what the load is to be now: `2 of 3 (peak), 750/s`; null in a run without
 */
function stageNow (result) {
  const stages = stagesOf(result)
  const now = stages.findLast(({ seconds }) => seconds > 0)
  if (now === undefined) return null
  const due = result.series?.at(-1)?.target
  const load = due === undefined ? [] : [(now.target.unit === 'connections' ? formatInteger(Math.round(due)) : formatRate(due)) + SUFFIXES[now.target.unit]]
  return [`${now.number} of ${stages.length}${now.own === null ? '' : ` (${now.own})`}`, ...load].join(', ')
}

/**
 * @param {StagePart} stage
 * @returns {{ achieved: number | null, target: number | null, ratio: number | null, missing: number } | null} how far its rate was kept, and how much was late or never sent;
 *   null without one
 */
function rateOf ({ rate, rounds }) {
  if (rate !== undefined) return { ...rate, missing: rate.late + rate.unsent }
  return rounds === undefined ? null : { ...rounds, missing: rounds.waited + rounds.neverStarted }
}

/**
 * @param {StagePart} stage
 * @returns {string} what the load was, beside what it was to be
 */
function achieved (stage) {
  const { connections, target: { unit } } = stage
  const rate = rateOf(stage)
  if (rate !== null) return rate.achieved === null ? '–' : formatRate(rate.achieved) + SUFFIXES[unit]
  return connections === undefined ? '–' : `${formatInteger(connections)} conn.`
}

/**
 * @param {StagePart} stage
 * @returns {boolean} whether its load came to what it was to be; what is not known, or fell, did
 */
function isReached (stage) {
  const { connections, target: { start, end } } = stage
  const rate = rateOf(stage)
  if (rate !== null) return rate.ratio === null || rate.ratio >= KEPT || rate.missing === 0
  return connections === undefined || end < start || connections >= KEPT * end
}

/**
 * @param {StagePart} stage that was not reached
 * @param {Record<string, any>} result
 * @returns {string | null} what kept its connections from being there; null when nothing tells
 */
function absence (stage, result) {
  const { errors, errorCodes = {}, fates: { sent, timedOut, failed }, connections = 0, target: { end } } = stage
  const rate = rateOf(stage)
  const missing = rate === null ? end - connections : 1
  const list = (/** @type {Array<[string, any]>} */ codes) => errorList({ errorCodes: Object.fromEntries(codes) })
  const attempts = errors - timedOut - failed
  const [most] = Object.entries(errorCodes).sort(([, a], [, b]) => b - a)
  if (attempts >= missing && most !== undefined && (rate === null || sent === 0)) return `connecting failed: ${list([most])}`
  // Those that wait for a descriptor or a port have failed once, in whichever stage.
  const short = Object.entries(result.errorCodes ?? {}).filter(([code]) => SHORTAGES.has(code))
  const waiting = short.reduce((sum, [, count]) => sum + count, 0)
  return rate === null && waiting >= missing ? `this machine has no more for this process: ${list(short)}` : null
}

/**
 * @param {StagePart} stage that was not reached
 * @param {Record<string, any>} result
 * @param {import('../../report/authored').HoldUp} holdUpOf
 * @returns {string} who is to blame
 */
function blame (stage, result, holdUpOf) {
  const { generator, seconds, connections = 0, target: { end } } = stage
  const rate = rateOf(stage)
  const missing = 1 - (rate === null ? connections / end : rate.ratio ?? 1)
  return absence(stage, result) ?? holdUpOf({ generator, duration: seconds }, missing) ?? (rate === null ? 'the server did not take more' : stage.rounds === undefined ? 'the server held all connections' : 'every connection was in an iteration')
}

/**
 * @param {Record<string, any>} result
 * @param {import('../../report/authored').HoldUp} holdUpOf
 * @returns {string[]} a sentence for each stage that did not come to what it was to be, and one when nothing was measured of some
 */
function stageNotes (result, holdUpOf) {
  const stages = stagesOf(result)
  if (stages.length === 0) return []
  const missed = stages.filter(stage => stage.seconds > 0 && !isReached(stage))
  const told = missed.slice(0, MOST_TOLD).map(stage => {
    const { connections = 0, target: { end, unit } } = stage
    const rate = rateOf(stage)
    const what = rate === null
      ? `${formatInteger(connections)} of ${plural(end, 'connection')} were open at the end of it`
      : `${formatRate(rate.achieved ?? 0)} of ${formatRate(rate.target ?? 0)}${SUFFIXES[unit]} ${stage.rounds === undefined ? 'were sent' : 'began'} in it`
    return `Stage ${named(stage)} did not come to its target: ${what}, because ${blame(stage, result, holdUpOf)}.`
  })
  const more = missed.length > MOST_TOLD ? [`${plural(missed.length - MOST_TOLD, 'more stage')} did not come to their targets.`] : []
  const never = stages.filter(({ seconds }) => seconds === 0)
  return [...told, ...more, ...never.length > 0 && result.interrupted ? [`The run ended before stage ${named(never[0])}.`] : []]
}

/**
 * @param {StagePart} stage
 * @returns {string} when it was
 */
function when ({ from, to }) {
  return `${formatDuration(from)} – ${formatDuration(to)}`
}

/**
 * @param {Record<string, any>} result
 * @returns {{ connections: string[], depth: string[], rate: string | null }} how much load there was to be, such as `50 connections`,
 *   `pipelining 10` where there is something to say, and `100 to 700 requests/s in 3 stages`; null without a rate
 */
function loadFacts (result) {
  const { connections, rate, rounds, search } = result
  const stages = stagesOf(result)
  const range = stages.length === 0 ? null : rangeOf(stages)
  const asked = rate !== undefined ? `${formatRate(rate.target)} req/s target` : rounds?.target === undefined ? null : `${formatRate(rounds.target)} iterations/s target`
  return {
    depth: depthOf(result),
    connections: range !== null && stages[0].target.unit === 'connections' ? [range] : Number.isNaN(connections) ? [] : [usersOn(result) + plural(connections, 'connection')],
    rate: asked === null || search !== undefined ? null : range ?? asked
  }
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} what is said of how many requests a connection has in flight, and over what
 */
function depthOf ({ pipelining, http }) {
  if (http !== '2') return pipelining > 1 ? [`pipelining ${pipelining}`] : []
  return [`HTTP/2${pipelining > 1 ? `, ${pipelining} streams per connection` : ''}`]
}

/**
 * @param {Record<string, any>} result
 * @returns {string} what is said of users where several share a connection, such as `1,000 users on `
 */
function usersOn ({ http, connections, pipelining, rounds, options }) {
  if (http !== '2' || pipelining === 1 || rounds === undefined) return ''
  return `${plural(Math.min(connections * pipelining, options?.amount ?? Infinity), 'user')} on `
}

/** @param {StagePart[]} stages */
function rangeOf (stages) {
  const loads = stages.flatMap(({ target: { start, end } }) => [start, end])
  const { unit } = stages[0].target
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map(load => formatRate(load))
  return `${least === most ? '' : `${least} to `}${most}${unit === 'connections' ? ` ${unit}` : SUFFIXES[unit]} in ${plural(stages.length, 'stage')}`
}

/** @param {StagePart} stage @returns {import('../../report/authored').Cell} */
function achievedCell (stage) {
  return isReached(stage) ? achieved(stage) : { text: achieved(stage), tone: 'missed' }
}

/** @type {import('../../report/authored').TablesOf} */
function tables (result, form, { verbose }) {
  const [isText, isHtml] = [form === 'text', form === 'html']
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
      ['>Target', target],
      ['>Achieved', achievedCell],
      // With a rate, the achieved one is that of the requests.
      rows.some(({ rate }) => rate === undefined) && ['>Req/s', ({ perSecond }) => formatRate(perSecond)],
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

module.exports = { stageNow, stagesOf, label, loadFacts, notes: stageNotes, tables }
