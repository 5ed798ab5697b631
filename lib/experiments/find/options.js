'use strict'

// Reads the options of a search for the limit: those of a run, its own ones, and those that it refuses.

const { OptionsError } = require('../../core/errors')
const { countedAt } = require('../../core/counted')
const { isRecord, show } = require('../../core/foreign-text')
const { leastFor, problemOf, worstShare } = require('./criterion')
const { longestSearch } = require('./time-limit')
const { MOST_LENGTHS, SETTLING } = require('./trial')
const { parseThreshold } = require('../../judge/threshold')
const { formatInteger } = require('../../core/units')
const { parsePrecision } = require('../../options/load/load-values')
const { normalize } = require('../../options/normalize')
const { TABLE, byName, flags } = require('../../options/table')
const { misplaced } = require('../misplaced')
const { FIND } = require('./flags')
const { validate } = require('../../options/validate')
const { SHAPED } = require('../../shapes/shape')

/**
 * @typedef {import('../../judge/threshold').Threshold} Threshold
 * @typedef {import('./search').Goal} Goal
 */

const MAX_CONNECTIONS = 100_000

/** The share of requests that may fail by default, in %. */
const DEFAULT_FAILURES = 1

/** The default range of a search. */
const DEFAULTS = { rate: { from: 100, to: 1_000_000 }, connections: { from: 1, to: 10_000 } }

/** The forms of --duration. */
const SECONDS = /^\d+(?:\.\d+)?(?:ms|s|m)?$/

/** @typedef {(flag: (name: string) => string, given: any) => string} Instead `flag`: the name of an option */

/** @type {Instead} */
const ITS_OWN_RATE = flag =>
  `the search sets the rate: give its range with ${flag('from')} and ${flag('to')}`

/** @type {Instead} */
const NOT_COMPARED = flag => `two searches are not compared: give ${flag('failBelow')}`

/** Options of a run that a search refuses: what to do instead. */
const REFUSED = Object.freeze(/** @type {Record<string, string | Instead>} */ ({
  ...Object.fromEntries(SHAPED.map(name => [name, 'the search sets the rate: omit it'])),
  rate: ITS_OWN_RATE,
  connectionRate: ITS_OWN_RATE,
  overallRate: ITS_OWN_RATE,
  stages: flag => `the search makes its own steps: give their range with ${flag('from')} and ${flag('to')}, ` +
    `and their length with ${flag('step')}`,
  duration: (flag, given) => `find has no ${flag('duration')}: ` +
    `use ${flag('step')} ${SECONDS.test(given) ? given : '3s'} for steps of that length`,
  amount: flag => `find has no ${flag('amount')}: use ${flag('step')} 3s for the length of its steps`,
  until: flag => `the search ends when the limit is known as precisely as ${flag('precision')} requires`,
  skipFirst: 'the first fifth of each step is excluded anyway',
  warmup: flag => `the first steps warm the server up: begin lower with ${flag('from')}`,
  forever: 'the search ends when the limit is known',
  bailout: 'a step with too many failures fails by its thresholds: give one, such as "failure rate < 1%"',
  abortOn: flag => `a threshold ends a step: give ${flag('thresholds')}`,
  strict: 'the search reports by itself when the load generator is the limit',
  maxConnectionRequests: 'connections stay open from step to step: omit it',
  maxOverallRequests: 'the search ends when the limit is known: omit it',
  harPauses: 'the search sets the rate: recorded pauses would be another',
  baseline: NOT_COMPARED,
  acrossMachines: 'two searches are not compared: omit it',
  failIf: NOT_COMPARED,
  skipAggregateResult: 'a raw result has no figures that could be judged: omit it',
  latency: 'it is about the report of one load, and the search has many',
  renderStatusCodes: 'it is about the report of one load, and the search has many',
  chart: 'it is about the report of one load, and the search has many',
  verbose: 'it is about the report of one load; -n hides the lines of the steps',
  printConfig: 'it shows the options of a run: omit find',
  version: 'it stands alone: autocannon --version'
}))

/**
 * @param {Record<string, any>} given
 * @param {(option: Readonly<import('../../options/table').Option>) => string} [label] the name of an option as the user
 *   writes it
 * @param {string[]} [found] problems that are known already
 * @param {Readonly<Record<string, string | undefined>>} [env] variables of the environment, which options may name
 * @returns {{ values: import('../../options/normalize').Values, goal: Goal, warnings: string[] }} `values`: those of
 *   the run that has all steps
 * @throws {OptionsError}
 */
function readGoal (given, label = option => option.name, found = [], env = {}) {
  if (!isRecord(given)) throw new OptionsError([`expected an object of options, got ${show(given)}`])
  const names = new Set(FIND.map(({ name }) => name))
  const raw = Object.fromEntries(Object.entries(given).filter(([name]) => !names.has(name)))
  const { values: own, placed } = normalize(given, label, FIND)
  const call = (/** @type {string} */ name) =>
    label(/** @type {import('../../options/table').Option} */ (FIND.find(one => one.name === name) ?? byName.get(name)))
  if (listensOnly(raw)) {
    throw new OptionsError([...found, `${call('receive')}: a search needs messages to send, got none: connections ` +
      `that listen only have neither a rate nor a latency; give ${call('body')}`])
  }
  const isApi = label(TABLE[0]) === TABLE[0].name
  const problems = [...found, ...misplaced(REFUSED, raw, label, sentenceFor(isApi))]
  const goal = goalOf(own, raw, call, problems)
  // The load is a stage, which the search replaces.
  const { from } = goal
  raw.stages = [goal.over === 'rate' ? { duration: 1, rate: from } : { duration: 1, connections: Math.ceil(from) }]
  raw.thresholds = goal.thresholds.map(({ expression }) => expression)
  if (raw.pick === 'once') {
    problems.push(`${call('pick')}: the search ends when the limit is known, and not with the last target: ` +
      'order and random begin again')
    delete raw.pick
  }
  const once = onceIn(raw.data)
  if (once !== undefined) {
    problems.push(`${call('data')}: ${once} has pick once, and a search takes more iterations than there are rows: ` +
      'order, random and connection begin again')
  }
  if (goal.over === 'connections') delete raw.connections
  if (raw.inconclusive === 'exact') {
    problems.push(`${call('inconclusive')}: expected pass or fail, got exact: that is for thresholds of one run`)
  }
  // The stage was derived from the range, so its problems name --from.
  const named = (/** @type {Readonly<import('../../options/table').Option>} */ option) =>
    option.name === 'stages' ? call('from') : label(option)
  const { values: { thresholds, ...values }, warnings } = validate(raw, named, [...problems, ...placed], env)
  return { values, goal, warnings }
}

/** @param {unknown} given */
const isSet = given => given === true || given === 'true'

/** @param {Record<string, any>} raw @returns {boolean} whether connections only receive messages */
function listensOnly (raw) {
  return isSet(raw.receive) && ['body', 'input', 'dataBody', 'jsonBody', 'requests', 'user', 'scenarios']
    .every(name => (raw[name] ?? null) === null)
}

/**
 * @param {unknown} data as it is given
 * @returns {string | undefined} the name of a source whose rows are used once
 */
function onceIn (data) {
  const sources = [data].flat().flatMap(part => isRecord(part) ? Object.entries(part) : [])
  return sources.find(([, source]) => isRecord(source) && source.pick === 'once')?.[0]
}

/**
 * @param {Record<string, any>} own
 * @param {Record<string, any>} raw
 * @param {(name: string) => string} call
 * @param {string[]} problems receives the problems
 * @returns {Goal}
 */
function goalOf (own, raw, call, problems) {
  const over = own.over === 'connections' ? 'connections' : 'rate'
  const isRate = over === 'rate'
  /** @param {'from' | 'to' | 'failBelow'} name */
  const loadOf = name => {
    /** @type {import('../../options/load/load-values').Load | undefined} */
    const load = own[name]
    if (load === undefined || isRate) return load?.value
    if (load.perSecond || !Number.isInteger(load.value) || load.value > MAX_CONNECTIONS) {
      problems.push(`${call(name)}: expected a whole number of connections up to ${formatInteger(MAX_CONNECTIONS)}, ` +
        `as ${call('over')} says, got ${show(raw[name] ?? (load.perSecond ? `${load.value}/s` : load.value))}`)
    }
    return load.value
  }
  const [lowest, highest, failBelow = null] = [loadOf('from'), loadOf('to'), loadOf('failBelow')]
  const unit = isRate ? '/s' : ''
  const shown = (/** @type {number} */ value) => `${formatInteger(value)}${unit}`
  const from = lowest ?? Math.min(DEFAULTS[over].from, highest ?? Infinity)
  const to = highest ?? Math.max(DEFAULTS[over].to, from)
  if (from > to) {
    problems.push(`${call('from')} and ${call('to')}: expected a range that goes up, ` +
      `got ${shown(from)} to ${shown(to)}`)
  }
  if (failBelow !== null && failBelow > to) {
    problems.push(`${call('failBelow')}: expected at most the ${shown(to)} of ${call('to')}, ` +
      `got ${shown(failBelow)}: so much would never be tried`)
  }
  if (!isRate && raw.connections !== undefined && raw.connections !== null) {
    problems.push(`${call('connections')}: the search sets the connections: ` +
      `give its range with ${call('from')} and ${call('to')}`)
  }
  const stepMs = own.step * 1000
  const given = readThresholds(raw.thresholds, call('thresholds'), problems)
  if (isSet(raw.receive)) {
    problems.push(...given.filter(({ metric }) => metric.row.streams).map(({ expression }) =>
      `${call('thresholds')}: a step can't be judged by ${show(expression)}: messages that the server pushes belong ` +
      `to no request: omit ${call('receive')}`))
  }
  const { many } = countedAt(raw.url)
  if (isRate) problems.push(...given.flatMap(threshold => tooFew(threshold, from, stepMs, call, many)))
  const implied = impliedBeside(given)
  // The default is a text.
  const precision = typeof own.precision === 'string' ? parsePrecision(own.precision) : own.precision
  return {
    over,
    from,
    to,
    precision,
    stepMs,
    longestMs: longestSearch({ from, to, precision, stepMs }),
    failBelow,
    thresholds: implied === null ? given : [...given, implied],
    implied: implied !== null,
    connections: isRate ? raw.connections ?? null : null
  }
}

/**
 * Without a limit on failures, a server that rejects most requests at once would be the fastest.
 * @param {Threshold[]} given
 * @returns {Threshold | null} a limit on all failures, which is not stricter than the given ones; null if those cover
 *   all failures
 */
function impliedBeside (given) {
  const covered = new Set(given.flatMap(({ metric }) => metric.row.covers ?? []))
  if (covered.has('errors') && covered.has('responses')) return null
  const shares = given.filter(({ metric }) => metric.unit === 'share')
    .map(threshold => Number((worstShare(threshold) * 100).toPrecision(6)))
  return parseThreshold(`failure rate < ${Math.max(DEFAULT_FAILURES, ...shares)}%`)
}

/**
 * @param {unknown} given
 * @param {string} call the name of the option
 * @param {string[]} problems receives the problems
 * @returns {Threshold[]} those by which a step can be judged
 */
function readThresholds (given, call, problems) {
  const list = given === undefined || given === null ? [] : [given].flat()
  if (list.length === 0) problems.push(`${call}: a search needs a threshold, such as "p99 < 50ms", got none`)
  return list.flatMap(one => {
    try {
      const threshold = parseThreshold(one)
      const problem = threshold.abortOn ? 'a threshold ends a step anyway: omit abortOn' : problemOf(threshold)
      if (problem !== null) {
        problems.push(`${call}: a step can't be judged by ${show(threshold.expression)}: ${problem}`)
      }
      return problem === null ? [threshold] : []
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      problems.push(`${call}: ${error.message}`)
      return []
    }
  })
}

/**
 * @param {Threshold} threshold
 * @param {number} from
 * @param {number} stepMs
 * @param {(name: string) => string} call
 * @param {string} many the unit of requests
 */
function tooFew (threshold, from, stepMs, call, many) {
  const seconds = stepMs * (1 - SETTLING) * MOST_LENGTHS / 1000
  const [least, most] = [leastFor(threshold), Math.floor(from * seconds)]
  if (!(most < least)) return []
  return [`${call('thresholds')}: ${show(threshold.expression)} needs ${formatInteger(least)} ${many} in a step, ` +
    `and a step at ${formatInteger(from)}/s has at most ${formatInteger(most)}: start with ${call('from')} ` +
    `${Math.ceil(least / seconds)}/s, or use ${call('step')} ${Math.ceil(stepMs / 1000 * least / most)}s`]
}

/** @type {(isApi: boolean) => Parameters<typeof misplaced>[3]} */
const sentenceFor = isApi => (instead, _, given) =>
  typeof instead === 'string' ? instead : instead(flagOf(isApi), isApi ? undefined : given)

/** Returns the name of an option as the user writes it. @type {(isApi: boolean) => (name: string) => string} */
const flagOf = isApi => name => {
  const option = FIND.find(one => one.name === name) ?? byName.get(name)
  return isApi || option === undefined ? name : String(flags(option).split('/').at(-1))
}

module.exports = { readGoal }
