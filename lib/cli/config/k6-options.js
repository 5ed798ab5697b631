'use strict'

// The options of k6 that a module of user functions exports: each is read as the equivalent option, with a sentence
// about it.

const { isRecord, printable, show } = require('../../core/foreign-text')
const { executors: EXECUTORS, metrics: NEAR } = require('./foreign-options.json')
const { COUNTS, TRENDS, k6Threshold, tagsIn } = require('../../judge/k6-threshold')
const { parseThreshold } = require('../../judge/threshold')

/**
 * @typedef {{ option: string, sentence: string }} Note explains how an option was converted
 *
 * @param {Record<string, any>} given
 * @returns {{ options: Record<string, any>, notes: Note[], problems: string[] }}
 */
function readingOf (given) {
  const { vus, iterations, stages, thresholds, ...options } = given
  /** @type {Note[]} */
  const notes = []
  /** @type {(option: string) => (sentence: string) => void} */
  const noteOn = option => sentence => { notes.push({ option, sentence }) }
  /** @type {string[]} */
  const problems = []
  if (vus !== undefined) {
    if (options.connections === undefined) {
      options.connections = vus
      noteOn('connections')(`vus: ${show(vus)} is read as connections: ${show(vus)}; -c overrides it`)
    } else {
      noteOn('connections')(
        `vus: ${show(vus)} is not used: connections: ${show(options.connections)} is given as well`
      )
    }
  }
  if (iterations !== undefined) {
    if (options.amount === undefined) {
      options.amount = `${iterations} iterations`
      noteOn('amount')(
        `iterations: ${show(iterations)} is read as amount: '${printable(options.amount)}'; -a overrides it`
      )
    } else {
      noteOn('amount')(`iterations: ${show(iterations)} is not used: amount: ${show(options.amount)} is given as well`)
    }
  }
  if (isRecord(options.scenarios)) {
    problems.push(`scenarios: expected a list, got an object of executors (k6): ${hereOf(options.scenarios)}; ` +
      "several functions are scenarios: [{ name: 'buy', weight: 1, exec: 'buy' }] (docs/user-functions.md)")
    delete options.scenarios
  }
  if (stages !== undefined) options.stages = stagesOf(stages, noteOn('stages'))
  if (thresholds !== undefined) options.thresholds = thresholdsOf(thresholds, noteOn('thresholds'), problems)
  return { options, notes, problems }
}

/**
 * @param {Record<string, unknown>} scenarios of k6
 * @returns {string} what their executors are here; all of them without a known one
 */
function hereOf (scenarios) {
  const given = Object.values(scenarios).map(scenario => isRecord(scenario) ? scenario.executor : undefined)
  const known = Object.entries(EXECUTORS)
  const used = known.filter(([name]) => given.includes(name))
  return (used.length === 0 ? known : used).map(([name, here]) => `${name} is ${here}`).join(', ')
}

/** @type {(stages: unknown, note: (sentence: string) => void) => unknown} */
function stagesOf (stages, note) {
  if (!Array.isArray(stages)) return stages
  return stages.map(stage => {
    if (!isRecord(stage) || stage.target === undefined) return stage
    const read = `${stage.duration}:${stage.target}`
    note(`the stage { duration: ${show(stage.duration)}, target: ${show(stage.target)} } is read as '${read}': ` +
      'connections')
    return read
  })
}

/** @type {(thresholds: unknown, note: (sentence: string) => void, problems: string[]) => unknown} */
function thresholdsOf (thresholds, note, problems) {
  if (!isRecord(thresholds)) return thresholds
  return Object.entries(thresholds).flatMap(([metric, given]) => [given].flat().flatMap(one => {
    const expression = isRecord(one) ? one.threshold : one
    const read = typeof expression === 'string' ? thresholdOf(metric, expression) : null
    if (read === null) {
      problems.push(`thresholds: ${printable(metric)} ${show(expression)} has no counterpart here: ` +
        `${nearTo(metric)} (docs/user-functions.md)`)
      return []
    }
    const aborts = isRecord(one) && one.abortOnFail === true
    const why = aborts ? refusalOf({ threshold: read, abortOn: true }) : null
    note(`the threshold ${printable(metric)}: ${show(expression)} is read as '${printable(read)}'` +
      (why === null ? '' : ', without abortOnFail: that one is judged at the end of the run'))
    return [aborts && why === null ? { threshold: read, abortOn: true } : read]
  }))
}

/**
 * @type {(threshold: string | { threshold: string, abortOn: boolean }) => string | null} the reason why it is not
 *   supported; null if it is
 */
function refusalOf (threshold) {
  try {
    parseThreshold(threshold)
    return null
  } catch (error) {
    return /** @type {Error} */ (error).message
  }
}

/** Such as http_req_duration{status:200}. */
const OTHER_TAG = /^\w+\{/

/** @param {string} metric of k6 without an equivalent, or with another statistic */
function nearTo (metric) {
  const tags = tagsIn(metric)
  const { name = '', part: tag = null, group = null } = tags ?? {}
  if (/^group_duration\b/.test(metric)) return `write it as in 'group ${group ?? 'NAME'}: p95 < 300ms', for each group`
  if (/^checks\{/.test(metric)) {
    return 'one check has no threshold of its own; all checks together have \'checks > 99%\''
  }
  if (group !== null) {
    return `requests have a name here, and no group: 'NAME: p95 < 300ms'; the group has 'group ${group}: p95 < 300ms'`
  }
  if (tags === null && OTHER_TAG.test(metric)) {
    return "requests have no tag but their name here, as in 'login: p95 < 300ms'"
  }
  if (Object.hasOwn(NEAR, name)) return NEAR[/** @type {keyof typeof NEAR} */ (name)]
  const known = Object.hasOwn(COUNTS, name) ? Object.keys(COUNTS[name]) : null
  if (known !== null) return `of ${name} there is ${known.join(' and ')}, as in '${known[0]}>0.5'`
  if (name === 'http_req_duration') return `write it as in '${tag === null ? '' : `${tag}: `}p95 < 300ms'`
  if (Object.hasOwn(TRENDS, name)) return `write it as in '${TRENDS[name]}p95 < 300ms'`
  return `there is no metric ${show(metric)}; those of a request are written as in 'login: p95 < 300ms'`
}

/**
 * @param {string} metric such as http_req_duration{name:login}
 * @param {string} expression such as p(95)<500
 * @returns {string | null} null without an equivalent
 */
function thresholdOf (metric, expression) {
  const read = k6Threshold(metric, expression)
  return read !== null && refusalOf(read) === null ? read : null
}

module.exports = { readingOf }
