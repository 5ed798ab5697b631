'use strict'

// The raw options of a command: flags and config merged, or the options of a program, with their types checked.

const { headersGivenTwice, withoutHeadersOf } = require('./run-values')
const { readFlags } = require('./args')
const { hiddenIn } = require('./config/hidden')
const { TABLE, byName, flags } = require('../options/table')
const { hasMessages } = require('../options/websocket')
const { validate, BODIES } = require('../options/validate')
const { amountText, isOfIterations } = require('../core/amount')
const { countedAt } = require('../core/counted')
const { suggest } = require('../core/suggest')
const { OptionsError } = require('../core/errors')
const { isRecord, show } = require('../core/foreign-text')
const { formatDuration, plural } = require('../core/units')

/** The problem of a config in parseArguments and in start() with an object. */
const NO_CONFIG = 'a config is read by the command line only; load it yourself and add its options'

/** Options of the command line only: display, verdict, outputs, and a server to start. */
const COMMAND_ONLY = TABLE.filter(({ name, where, becomes, means, flagOnly }) =>
  where === 'cli' && (becomes ?? means) === undefined && name !== 'debug' && (!flagOnly || name === 'printConfig'))
  .map(({ name }) => name)

/**
 * Maps an object of parseArguments to its options for the command line only. In the object itself, autocannon() would
 * warn of options without effect.
 * @type {WeakMap<object, { raw: Record<string, any>, command: string[] }>}
 */
const beside = new WeakMap()

/**
 * @template {Record<string, any>} O
 * @param {O} options that parseArguments gives
 * @param {ReturnType<typeof readFlags>} flags that the options come from
 * @returns {O}
 */
function remembered (options, { raw, command }) {
  beside.set(options, {
    raw: Object.fromEntries(COMMAND_ONLY.filter(name => raw[name] !== undefined).map(name => [name, raw[name]])),
    command
  })
  return options
}

/**
 * @param {Record<string, any>} options of autocannon(), as parseArguments gives them
 * @returns {ReturnType<typeof readFlags>} the equivalent flags
 * @throws {OptionsError}
 */
function flagsOfOptions (options) {
  if (!OptionsError.reading('the options', () => isRecord(options))) {
    throw new OptionsError([`expected an array of arguments or an object of options, got ${show(options)}`])
  }
  const { raw: more, command } = beside.get(options) ?? { raw: {}, command: [] }
  const raw = OptionsError.reading('the options', () => ({ ...more, ...options }))
  const problems = []
  if (raw.config !== undefined) {
    problems.push(`config: ${NO_CONFIG}`)
    delete raw.config
  }
  if (raw.onPort && command.length === 0) {
    problems.push('onPort: the command to start is set by arguments only, such as start(["--on-port", "/", "--", ' +
      '"node", "server.js"])')
  }
  const known = TABLE.map(({ name }) => name)
  return {
    raw,
    command,
    problems,
    // Misspelt names are refused later, together with wrong values.
    notes: Object.keys(options).filter(name => !byName.has(name) && suggest(name, known) === '').map(name =>
      `unknown option ${show(name)}`),
    labels: Object.fromEntries(known.map(name => [name, name])),
    urlImplied: false
  }
}

/**
 * @param {string[]} argv
 * @param {ReturnType<typeof readFlags>} given flags of the command line
 * @param {import('./args').Grammar} [grammar]
 * @param {Record<string, any> | null} [base] options that a module exports; options of the config take precedence
 * @param {string} [module] its path
 * @returns {Promise<ReturnType<typeof readFlags> & { label: import('../options/normalize').Label }>} flags and options
 *   of the config; flags take precedence
 */
async function withConfig (argv, given, grammar, base = null, module = '') {
  if (given.raw.config === undefined && base === null) return { ...given, label: labelOf(given) }
  const { options, at, lineOf } = given.raw.config === undefined
    ? { options: {}, at: () => '', lineOf: () => 0 }
    : await require('./config/config').loadConfig(given.raw.config, given.problems, grammar?.rows)
  const config = { ...base, ...options }
  // If the config has a command to start, a path among the flags is a path of its server. If it has a URL, an address
  // after --ui belongs to the page.
  const { raw, urlImplied, labels, ...rest } = readFlags(argv, process.env, config, grammar)
  const data = sourcesOfBoth(config, raw)
  if (BODIES.some(name => raw[name] !== undefined && !(name === 'data' && onlySources(raw.data)))) {
    for (const name of BODIES) delete config[name]
  }
  const url = urlImplied && config.url !== undefined ? [config.url].flat() : raw.url
  const configured = Object.keys(config).filter(name => raw[name] === undefined)
  const nameIn = (/** @type {string} */ place) => place.split(/[.[]/, 1)[0]
  const isOfConfig = (/** @type {string} */ place) => configured.includes(nameIn(place))
  const ownNames = Object.fromEntries(configured.map(name => [name, name]))
  // The command line has the path of the module, and no option with that name.
  if (ownNames.user !== undefined && options.user === undefined) ownNames.user = 'the user function'
  const label = labelOf(
    { labels: { ...ownNames, ...labels } },
    place => {
      if (!isOfConfig(place)) return ''
      if (Object.hasOwn(options, nameIn(place))) return at(`.${place}`)
      // The message about a user names its module.
      return /\buser$/.test(place) ? '' : `the options of '${module}': `
    },
    place => isOfConfig(place) ? lineOf(`.${place}`) : 0
  )
  return {
    ...rest,
    urlImplied,
    labels,
    label,
    raw: {
      ...withoutHeadersOf(config, raw), ...raw, ...data !== undefined && { data }, ...url !== undefined && { url }
    }
  }
}

/**
 * Merges data of the config and of flags by source: a flag overrides only the source that it names. Returns undefined
 * if only one of them has data, or none.
 * @type {(config: Record<string, any>, flags: Record<string, any>) => unknown[] | undefined}
 */
function sourcesOfBoth (config, flags) {
  if (config.data === undefined || config.data === null || flags.data === undefined) return undefined
  const { sourceFlag } = require('../options/requests/data')
  const own = [config.data].flat()
  // A body of another kind replaces the config's body.
  return [
    ...onlySources(flags.data) ? own : own.filter(part => typeof part !== 'string' || sourceFlag(part) !== null),
    ...flags.data
  ]
}

/**
 * @param {unknown[]} data as --data gives it
 * @returns {boolean} whether it has no body
 */
function onlySources (data) {
  const { sourceFlag } = require('../options/requests/data')
  return data.every(part => sourceFlag(part) !== null)
}

/**
 * @param {{ labels: Record<string, string> }} given labels: the typed words for an option, if they are not its flag
 * @param {(place: string) => string} [at] the place in a config
 * @param {(place: string) => number} [lineOf] the line in the config; 0 for none
 * @returns {import('../options/normalize').Label}
 */
function labelOf ({ labels }, at, lineOf) {
  return Object.assign(
    (/** @type {Readonly<import('../options/table').Option>} */ option) => labels[option.name] ??
      (option.name === 'url' ? 'URL' : flags(option)),
    { at, lineOf }
  )
}

/**
 * @type {(label: import('../options/normalize').Label) => (name: string) => string} returns the user's name of an
 *   option
 */
const callOf = label => name => label(/** @type {import('../options/table').Option} */ (byName.get(name)))

/**
 * @param {Record<string, any>} raw
 * @param {import('../options/normalize').Label} label
 * @param {string[]} problems found earlier
 * @throws {OptionsError} when *** replaces a secret; later checks would only report its consequences
 */
function refuseHidden (raw, label, problems) {
  const hidden = hiddenIn(raw, callOf(label), label.at)
  if (hidden.length > 0) throw new OptionsError([...problems, ...hidden])
}

/**
 * An amount overrides a duration, as in autocannon 9.
 * @param {import('../options/normalize').Values} values
 * @param {Record<string, any>} raw as given
 * @param {import('../options/normalize').Label} label
 * @returns {string[]} a sentence if the user gave both
 */
function unusedDuration ({ amount, duration, url }, raw, label) {
  if (amount === undefined || raw.duration === undefined || raw.duration === null) return []
  const [unused, end] = ['duration', 'amount'].map(callOf(label))
  const ends = `the run ends after ${amountText(amount, countedAt(url).one)} (${end})`
  return [`${unused} is ignored: ${ends}, and not after ${formatDuration(duration)}`]
}

/**
 * With curl and ab, a body makes the request a POST.
 * @param {import('../options/normalize').Values} values
 * @param {Record<string, any>} raw as given
 * @param {import('../options/normalize').Label} label
 * @returns {string[]} a sentence if a body was given and no method
 */
function bodyOfGet ({ url, method }, raw, label) {
  const isGiven = (/** @type {string} */ name) => (raw[name] ?? null) !== null
  const body = ['body', 'input', 'bodyRaw'].find(isGiven)
  const isOther = ['method', 'requests', 'scenarios', 'targets', 'har', 'user'].some(isGiven)
  if (body === undefined || isOther || method !== 'GET' || hasMessages({ url })) return []
  const flag = callOf(label)(body)
  return [`${flag} does not change the method: the requests are GET with a body; -m POST makes them POST`]
}

/**
 * @param {Record<string, any>} values
 * @param {Record<string, any>} raw as given
 * @returns {string[]} a sentence for each number that the amount lowers, and for connections that the workers raise
 */
function lowered (values, raw) {
  if (values.amount === undefined && values.workers === undefined) return []
  const extent = require('../options/plan').extentOf(values)
  if (raw.connections !== undefined && extent.connections > values.connections) {
    return [`the run has ${plural(extent.connections, 'connection')}, not ${values.connections}: each of ` +
      `${plural(values.workers, 'worker')} needs one; use fewer workers (-w)`]
  }
  return /** @type {const} */ (['connections', 'workers']).flatMap(name => {
    const [most, given] = [extent[name], values[name]]
    if (raw[name] === undefined || most === undefined || most >= given) return []
    const does = isOfIterations(values.amount) ? 'starts' : 'sends'
    return `the run has ${plural(most, name.slice(0, -1))}, not ${given}: it ${does} ` +
      `${amountText(values.amount, countedAt(values.url).one)} in all`
  })
}

/**
 * @param {Record<string, any>} raw
 * @param {import('../options/normalize').Label} label
 * @param {string[]} problems that are known already
 */
function validated (raw, label, problems) {
  refuseHidden(raw, label, problems)
  return validate(raw, label, [...problems, ...headersGivenTwice(raw, callOf(label))], process.env)
}

module.exports = {
  NO_CONFIG, bodyOfGet, callOf, flagsOfOptions, labelOf, lowered, refuseHidden, remembered, unusedDuration, withConfig,
  validated
}
