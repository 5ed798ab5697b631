'use strict'

// Judgements of a run, and whether it has the figures for them.

const { show } = require('../core/foreign-text')
const { problemAt, problemWith } = require('../core/problem')
const { traitsIn } = require('../protocols/protocol')
const { isPaced } = require('./load/load')
const { entriesIn } = require('./requests/requests')
const { TABLE } = require('./table')
const { hasMessages, problemOfMetric } = require('./websocket')
const { hasFunctions, hasSockets, hasUsers } = require('./users/user-rules')

/** Options that may count as a check (docs/checks.md). */
const CHECKS = [
  'expect', ...TABLE.filter(({ becomes }) => becomes === 'expect').map(({ name }) => name), 'check', 'verifyBody',
  'onResponse', 'capture', 'setupClient', 'setupRequest'
]

/** @param {import('./normalize').Values} values @returns {boolean} whether a check may fail */
function hasChecks (values) {
  const all = [values, ...entriesIn(values).map(([, entry]) => entry)]
  return values.targets !== undefined || hasFunctions(values) || values.stream !== undefined ||
    all.some(one => CHECKS.some(name => one[name] !== undefined && one[name] !== null))
}

/** Times of messages that are measured where the option of that name is given. */
const OF_AN_OPTION = ['ping', 'age']

/** @type {import('./normalize').Rules} */
function aboutVerdicts (values, call) {
  const {
    thresholds = [], abortOn = [], skipAggregateResult, baseline, acrossMachines, failIf, inconclusive, githubSummary,
    strict, until
  } = values
  const problems = []
  for (const threshold of [...thresholds, ...abortOn]) {
    const { expression, part, metric } = threshold
    const problem = part === null
      ? null
      : require('./parts').problemOfPart(threshold, values, call) ?? ofPushed(threshold, values)
    if (problem !== null) problems.push(problemAt(call, 'thresholds', `${show(expression)}: ${problem}`))
    if (part === null && metric.unit === 'iterations/s' && !hasUsers(values)) {
      problems.push(problemAt(call, 'thresholds', `${show(expression)}: ${require('./parts').NO_ITERATIONS}`))
    }
    if (metric.row.server !== undefined) {
      problems.push(...aboutWatched(metric, values, call).map(reason =>
        problemAt(call, 'thresholds', `${show(expression)}: ${reason}`)))
    }
    problems.push(...unmeasured(metric, values, call).map(reason =>
      problemAt(call, 'thresholds', `${show(expression)}: ${reason}`)))
    if (metric.row.time === 'read late') {
      problems.push(...aboutArrivals(values, call).map(reason =>
        problemAt(call, 'thresholds', `${show(expression)}: ${reason}`)))
    }
    if (['checks', 'passed checks'].includes(metric.name) && !hasChecks(values)) {
      const flag = hasMessages(values) ? `${call('expectIncludes')} ok` : `${call('expectStatus')} 2xx`
      problems.push(problemAt(call, 'thresholds', `${show(expression)}: there is no check that could fail: give one, ` +
        `such as ${call('expectStatus') === 'expectStatus' ? 'expect' : flag}, or limit failures`))
    }
    if (metric.name === 'rate ratio' && part === null && !isPaced(values)) {
      problems.push(problemAt(call, 'thresholds', `${show(expression)}: the rate ratio needs a rate, such as ` +
        `${call('rate')}`))
    }
  }
  for (const { expression, metric } of failIf ?? []) {
    problems.push(...unmeasured(metric, values, call).map(reason =>
      problemAt(call, 'failIf', `${show(expression)}: ${reason}`)))
    if (metric.row.server !== undefined) {
      problems.push(...aboutWatched(metric, values, call).map(reason =>
        problemAt(call, 'failIf', `${show(expression)}: ${reason}`)))
    }
  }
  if (until?.metric && hasMessages(values) && problemOfMetric(until.metric, values, call) !== null) {
    problems.push(problemAt(call, 'until', `${show(until.expression)}: connections that listen only send no message: ` +
      `use throughput, or give ${call('body')}`))
  }
  if (until?.metric === null && !strict && thresholds.length + abortOn.length === 0) {
    problems.push(problemWith(call, 'until', `decided: expected ${call('thresholds')} as well, got none: there is ` +
      'nothing to decide'))
  }
  if (skipAggregateResult) {
    for (const [name, given] of /** @type {const} */ ([[
      'thresholds', thresholds.length + abortOn.length > 0
    ], ['strict', strict], ['baseline', baseline !== undefined], ['until', until !== undefined]])) {
      if (given) {
        problems.push(problemAt(call, [name, 'skipAggregateResult'], 'a raw result has no figures yet that could be ' +
          'judged; use one of them'))
      }
    }
  }
  if (githubSummary && skipAggregateResult) {
    problems.push(problemAt(call, ['githubSummary', 'skipAggregateResult'], 'a raw result has no verdict; use one of ' +
      'them'))
  }
  if (failIf?.length > 0 && baseline === undefined) {
    problems.push(problemAt(call, 'failIf', `expected ${call('baseline')} as well, got none: there is nothing to ` +
      'compare with'))
  }
  if (acrossMachines && baseline === undefined) {
    problems.push(problemAt(call, 'acrossMachines', `expected ${call('baseline')} as well, got none: there is ` +
      'nothing to compare with'))
  }
  if (inconclusive !== undefined && !(failIf?.length > 0) && !strict && until === undefined &&
    thresholds.length + abortOn.length === 0) {
    problems.push(problemAt(call, 'inconclusive', `expected a gate as well, which is ${call('failIf')}, ` +
      `${call('thresholds')} or ${call('until')}, got none: nothing is judged`))
  }
  return problems
}

/**
 * @param {import('../figures/metric').Metric} metric
 * @param {import('./normalize').Values} values
 * @param {(name: string) => string} call
 * @returns {string[]} why a run has no figure of messages, streams or completions for it
 */
function unmeasured (metric, values, call) {
  const { row } = metric
  const { stream, receive } = values
  const isOfMessages = hasMessages(values)
  const reasons = [isOfMessages ? problemOfMetric(metric, values, call) : null]
  if (row.websocket && !isOfMessages) {
    reasons.push('there are no messages: expected a WebSocket URL such as ws://localhost:3000/')
  } else if (OF_AN_OPTION.includes(row.time ?? '') && values[row.time ?? ''] === undefined) {
    reasons.push(`nothing of it is measured without ${call(row.time ?? '')}`)
  }
  const isOfSockets = isOfMessages || (stream === undefined && !hasFunctions(values) && hasSockets(values))
  if (isOfSockets && (row.completions || row.goodput)) {
    reasons.push('messages of WebSockets have neither tokens nor goodput: use gap p99 or events/s')
  } else if (stream === undefined && !hasFunctions(values) && !receive && row.streams && !hasSockets(values)) {
    reasons.push(`there are no streams: give the run ${call(isOfMessages ? 'receive' : 'stream')}`)
  } else if (stream === undefined && row.goodput) {
    reasons.push('streams of user functions have no goodput: give the run requests in place of a function, and ' +
      call('stream'))
  } else if (stream !== undefined && stream !== 'openai' && row.completions) {
    reasons.push(`there are no tokens: they need ${call('stream')} openai, and not ${stream}`)
  }
  return reasons.filter(reason => reason !== null)
}

/**
 * @param {import('../judge/threshold').Threshold} threshold about a part
 * @param {import('./normalize').Values} values
 * @returns {string | null} why the messages of WebSockets have no such figure: a connection gets them, whichever step
 *   of a scenario runs then
 */
function ofPushed ({ part, metric: { name, row } }, values) {
  const isPushed = row.streams && !row.completions && row.goodput === undefined &&
    !require('../figures/parts').ALL_ITERATIONS.includes(/** @type {string} */ (part))
  return isPushed && values.stream === undefined && !hasFunctions(values) && hasSockets(values)
    ? `messages of WebSockets are measured in the whole run only: use ${name} without a name before it`
    : null
}

/**
 * Returns why no arrival of a response would be known.
 * @type {(values: import('./normalize').Values, call: (name: string) => string) => string[]}
 */
function aboutArrivals (values, call) {
  const { sockets, clock, client } = values
  if (traitsIn(values).isOpaque) return [`${client} does not report when a response arrived: omit ${call('client')}`]
  if (sockets === 'node') {
    return [`the sockets of Node.js do not report when a response arrived: omit ${call('sockets')}`]
  }
  return clock === 'read' ? [`with ${call('clock')} read the arrival of a response is not measured: omit it`] : []
}

/**
 * @param {import('../judge/threshold').Threshold['metric']} metric of the server
 * @param {import('./normalize').Values} values
 * @param {(name: string) => string} call
 * @returns {string[]} why it would not be measured
 */
function aboutWatched ({ row: { server } }, { watch, onPort }, call) {
  if (onPort) return []
  if (require('../instruments/server/result').OF_LOOPS.has(server)) {
    return [`only Node.js servers that ${call('onPort')} starts report that`]
  }
  return watch === undefined ? [`no server is watched: expected ${call('watch')} or ${call('onPort')} as well`] : []
}

module.exports = { aboutVerdicts, unmeasured }
