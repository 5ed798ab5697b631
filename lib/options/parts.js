'use strict'

// The parts of a run that a threshold can name: a request with a name, a stage, the iterations of a scenario, or a
// group of user functions.

const { ALL_ITERATIONS, groupKey, scenarioKey, stageKey, stageNumber } = require('../figures/parts')
const { show } = require('../core/foreign-text')
const { suggest } = require('../core/suggest')
const { formatInteger } = require('../core/units')
const { problemOfPart: problemOfFigure } = require('../judge/threshold')
const { loadIn, unitIn } = require('../shapes/shape')
const { inIterations } = require('./load/load')
const { entriesIn } = require('./requests/requests')
const { hasFunctions, hasUsers } = require('./users/user-rules')

/** How many stages are named. */
const MOST_NAMED = 10

/** The problem of an option about iterations in a run without users. */
const NO_ITERATIONS = 'there are no iterations: give the run scenarios, which a config has, or pauses'

/** The problem of an option about groups in a run without functions. */
const NO_GROUPS = 'there are no groups: they are parts of a user function, ' +
  'as in group(\'buy\', async () => { … }) (docs/user-functions.md)'

/** Names that may mean all iterations. */
const ONE_ITERATION = /^(?:iteration|round)$/i

/** @typedef {import('../shapes/stages').GivenStage} GivenStage */

/**
 * @param {import('../judge/threshold').Threshold} threshold about a part
 * @param {import('./normalize').Values} values
 * @param {(name: string) => string} call how the user calls an option
 * @returns {string | null} why the run has no such part, or figure of it, and the existing ones
 */
function problemOfPart ({ part: given, metric }, values, call) {
  const part = /** @type {string} */ (given)
  const { stages = [], byRequest } = values
  const names = requestNames(values)
  const scenarios = scenarioNames(values)
  const key = scenarioKey(part)
  if (key !== null && !names.includes(part)) {
    return scenarios.includes(key) ? problemOfScenario(metric, key, values) : noScenario(key, scenarios)
  }
  if (ALL_ITERATIONS.includes(part) && !names.includes(part)) {
    return hasUsers(values) ? problemOfIterations(metric, values, call) : NO_ITERATIONS
  }
  const number = stageNumber(part)
  /** @type {GivenStage[]} a jump is not a stage */
  const lasting = stages.filter((/** @type {GivenStage} */ { duration }) => duration > 0)
  const isStage = number === null
    ? lasting.some(({ name }) => name !== undefined && stageKey(name) === stageKey(part))
    : number >= 1 && number <= lasting.length
  const isRequest = names.includes(part)
  if (isStage && isRequest) {
    const isOwn = !names.includes(`stage ${part}`) && stageKey(part) === part
    return `${show(part)} is the name of a request and of a stage: ` +
      `${isOwn ? `use ${show(`stage ${part}`)} for the stage, or ` : ''}rename one of them`
  }
  if (isStage && scenarios.includes(part)) {
    return `${show(part)} is the name of a scenario and of a stage: use ${show(`scenario ${part}`)} or ` +
      `${show(`stage ${part}`)}`
  }
  if (isStage) return problemOfStage(metric, lasting)
  if (!isRequest && scenarios.includes(part)) return problemOfScenario(metric, part, values)
  if (!isRequest && groupKey(part) !== null) return hasFunctions(values) ? problemOfFigure(metric, 'group') : NO_GROUPS
  if (!isRequest && /^groups?$/i.test(part) && hasFunctions(values)) {
    return `a group has its name before the colon, as in group buy: ${metric.name} …`
  }
  if (!isRequest && ONE_ITERATION.test(part) && hasUsers(values)) {
    return `no part of the run is called ${show(part)}: for all iterations, write iterations: ${metric.name} …`
  }
  // Requests without a name are counted by method and path then.
  if (isRequest || ((byRequest || hasFunctions(values)) && number === null)) return problemOfFigure(metric, 'request')
  const thereAre = `there ${lasting.length === 1 ? 'is' : 'are'} ${stageNames(lasting)}`
  if (number !== null) {
    return `there is no stage ${number}; ` +
      `${lasting.length === 0 ? `give the run stages with ${call('stages')}` : thereAre}`
  }
  const what =
    `no request${lasting.length > 0 ? ' and no stage' : ''}${scenarios.length > 0 ? ' and no scenario' : ''} has the ` +
      `name ${show(part)}`
  if (/^(events?|streams?)$/i.test(part)) {
    return `${what}: a figure of all streams has no name before it, as in ${metric.name} …`
  }
  const known = [...new Set([...names, ...lasting.flatMap(({ name = [] }) => name), ...scenarios])]
  if (known.length === 0) return `${what}; ${lasting.length === 0 ? 'give one a name in requests' : thereAre}`
  const meant = suggest(part, known) || suggest(stageKey(part), known)
  return what + (meant || `; there ${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`)
}

/**
 * @param {import('../judge/threshold').Threshold['metric']} metric
 * @param {string} name
 * @param {import('./normalize').Values} values
 */
function problemOfScenario (metric, name, values) {
  if (metric.row.arrivals && !hasOwnArrivals(name, values)) {
    return `${metric.name} of a scenario needs a rate of ` +
    `iterations of its own, such as rate: '50 iterations/s' in it; for all iterations use iterations: ${metric.name} …`
  }
  return problemOfFigure(metric, 'scenario')
}

/**
 * @param {string} name of a scenario
 * @param {import('./normalize').Values} values
 * @returns {boolean} whether its iterations are due at times, and no others at the same rate
 */
function hasOwnArrivals (name, values) {
  const { scenarios } = values
  const { sidesOf, runSideBySide } = require('./load/side-by-side')
  const sides = runSideBySide(values) ? sidesOf(values) : [{ scenarios: [...scenarios.keys()], load: loadIn(values) }]
  return sides.some(({ scenarios: indexes, load }) =>
    indexes.length === 1 && scenarios[indexes[0]].name === name && unitIn(load) === 'iterations')
}

/** @type {(metric: import('../judge/threshold').Threshold['metric'], stages: GivenStage[]) => string | null} */
function problemOfStage (metric, stages) {
  const { name, row } = metric
  const [{ rate }] = stages
  if (!row.arrivals) return problemOfFigure(metric, 'stage')
  // How far requests came to their rate is known as well.
  if (name === 'rate ratio') {
    return rate === undefined ? 'the rate ratio of a stage needs a rate, such as 30s:500/s' : null
  }
  return rate?.unit === 'iterations'
    ? null
    : `${name} of a stage needs stages over a rate of iterations, such as 30s:50iterations/s`
}

/**
 * @param {import('../judge/threshold').Threshold['metric']} metric
 * @param {import('./normalize').Values} values
 * @param {(name: string) => string} call
 */
function problemOfIterations (metric, values, call) {
  if (metric.row.arrivals && inIterations(values) === null) {
    return `${metric.name} of iterations needs a rate of iterations, such as ${call('rate')} '50 iterations/s'`
  }
  return problemOfFigure(metric, 'scenario')
}

/** @type {(values: import('./normalize').Values) => string[]} */
function requestNames (values) {
  // Those that are sent once are in no figure.
  const given = entriesIn(values).flatMap(([place, { name }]) => /^scenarios\[\d+\]\.(?!requests)/.test(place) ? [] : name)
  return [...new Set(
    /** @type {string[]} */ ([...given.filter(name => typeof name === 'string'), ...values.har?.pages ?? []])
  )]
}

/** @type {(values: import('./normalize').Values) => string[]} */
function scenarioNames ({ scenarios = [] }) {
  return scenarios.flatMap((/** @type {{ name?: string }} */ { name }) => name ?? [])
}

/** @param {string} name that no scenario has @param {string[]} scenarios */
function noScenario (name, scenarios) {
  const what = `no scenario has the name ${show(name)}`
  if (scenarios.length === 0) return `${what}; give the run scenarios, which a config has`
  return what + (suggest(name, scenarios) || `; there ${scenarios.length === 1 ? 'is' : 'are'} ${scenarios.join(', ')}`)
}

/** @param {GivenStage[]} stages */
function stageNames (stages) {
  const named = stages.slice(0, MOST_NAMED).map(({ name }, i) =>
    `stage ${i + 1}${name === undefined ? '' : ` (${name})`}`)
  const more = stages.length - MOST_NAMED
  return `${named.join(', ')}${more > 0 ? ` and ${formatInteger(more)} more` : ''}`
}

module.exports = { NO_ITERATIONS, problemOfPart }
