'use strict'

// The names of k6 in the `options` that a module of user functions exports: each is read as the option that means the
// same here, with a sentence that says how.

const { isRecord, show } = require('../core/foreign-text')

/** Metrics of k6 and what they are called here. @type {Readonly<Record<string, string>>} */
const METRICS = Object.freeze({
  http_req_duration: '', http_req_waiting: 'ttfb ', http_req_connecting: 'connect ', iteration_duration: 'iterations: ',
  http_req_failed: 'failures', checks: 'checks', http_reqs: 'req/s'
})

/** Of a trend. @type {Readonly<Record<string, string>>} */
const FIGURES = Object.freeze({ avg: 'average', min: 'min', med: 'p50', max: 'max' })

/**
 * @param {Record<string, any>} given
 * @returns {{ options: Record<string, any>, notes: string[], problems: string[] }}
 */
function readingOf (given) {
  const { vus, iterations, stages, thresholds, ...options } = given
  /** @type {string[]} */
  const notes = []
  /** @type {string[]} */
  const problems = []
  if (vus !== undefined) {
    if (options.connections === undefined) options.connections = vus
    notes.push(`vus: ${show(vus)} is read as connections: ${show(vus)}`)
  }
  if (iterations !== undefined) {
    problems.push('iterations: a run ends after a time (duration), or a number of requests (amount), and not after a ' +
      'number of iterations')
  }
  if (stages !== undefined) options.stages = stagesOf(stages, notes)
  if (thresholds !== undefined) options.thresholds = thresholdsOf(thresholds, notes, problems)
  return { options, notes, problems }
}

/** @type {(stages: unknown, notes: string[]) => unknown} */
function stagesOf (stages, notes) {
  if (!Array.isArray(stages)) return stages
  return stages.map(stage => {
    if (!isRecord(stage) || stage.target === undefined) return stage
    const read = `${stage.duration}:${stage.target}`
    notes.push(`the stage { duration: ${show(stage.duration)}, target: ${show(stage.target)} } is read as '${read}': ` +
      'connections')
    return read
  })
}

/** @type {(thresholds: unknown, notes: string[], problems: string[]) => unknown} */
function thresholdsOf (thresholds, notes, problems) {
  if (!isRecord(thresholds)) return thresholds
  return Object.entries(thresholds).flatMap(([metric, given]) => [given].flat().map(one => {
    const expression = isRecord(one) ? one.threshold : one
    const read = typeof expression === 'string' ? thresholdOf(metric, expression) : null
    if (read === null) {
      problems.push(`thresholds: ${metric} ${show(expression)} has no counterpart here: write it as in ` +
        '\'login: p95 < 300ms\' (docs/checks.md)')
      return 'errors == 0'
    }
    notes.push(`the threshold ${metric}: ${show(expression)} is read as '${read}'`)
    return isRecord(one) && one.abortOnFail === true ? { threshold: read, abortOn: true } : read
  }))
}

/**
 * @param {string} metric such as http_req_duration{name:login}
 * @param {string} expression such as p(95)<500
 * @returns {string | null} null where there is no such figure
 */
function thresholdOf (metric, expression) {
  const [, name, tag] = /^(\w+)(?:\{name:(.+)\})?$/.exec(metric) ?? []
  const [, figure, operator, limit] = /^\s*([\w.()]+)\s*(<=|>=|<|>|===?)\s*([\d.]+)\s*$/.exec(expression) ?? []
  if (name === undefined || !Object.hasOwn(METRICS, name) || figure === undefined) return null
  const own = METRICS[name]
  const part = tag === undefined ? '' : `${tag}: `
  const is = operator === '===' ? '==' : operator
  if (figure === 'rate') {
    if (name === 'http_reqs') return `${part}${own} ${is} ${limit}`
    if (name !== 'http_req_failed' && name !== 'checks') return null
    return `${part}${own} ${is} ${Number((Number(limit) * 100).toPrecision(6))}%`
  }
  if (['http_req_failed', 'checks', 'http_reqs'].includes(name)) return null
  const [, percentile] = /^p\(([\d.]+)\)$/.exec(figure) ?? []
  const key = percentile === undefined ? FIGURES[figure] : `p${percentile}`
  return key === undefined ? null : `${part}${own}${key} ${is} ${limit}ms`
}

module.exports = { readingOf }
