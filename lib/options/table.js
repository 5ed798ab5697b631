'use strict'

// The option table declares every option once: flags, type (types.js), bounds, default, documentation and example. The
// rows of each topic are a file of topics/. Parsing, `--help`, --print-config, the config schema and docs/reference.md
// are generated from it, and index.d.ts is checked against it.

/**
 * @typedef {object} Option
 * @property {string} name in the API and as `--name`
 * @property {string} [short] the one-letter flag
 * @property {string[]} [aliases] further names; one of a single letter is a short flag
 * @property {string} [shown] which of the aliases the help shows
 * @property {keyof typeof import('./types').TYPES | import('./type').Type} type its own, or one that several have
 * @property {'cli' | 'api'} [where] where alone it exists
 * @property {number} [min]
 * @property {number} [above] like min, but not the bound itself
 * @property {true} [perSecond] whether a number may be followed by /s
 * @property {number} [max]
 * @property {string[]} [choices] of the type choice
 * @property {unknown} [default]
 * @property {boolean} [negated] the flag on the command line is `--no-name`
 * @property {string} [arg] the placeholder of the value in the help
 * @property {true} [flagOnly] it means nothing in a config
 * @property {true} [ofRoute] it sets connections, proxies or TLS
 * @property {Readonly<Record<string, unknown>>} [means] a switch that is short for this value of another option
 * @property {string} [becomes] the option of the API whose value this flag gives
 * @property {(value: any) => Record<string, any>} [expects] the part of `expect` that it becomes
 * @property {boolean} [inResult] the result has it always, or never; else when its value is not the default
 * @property {(values: import('./normalize').Values) => boolean} [implied] whether its value follows from other options:
 *   the result leaves it out
 * @property {string} help one or two sentences
 * @property {string} [example] after `autocannon`
 *
 * @typedef {object} Topic
 * @property {string} topic of the help
 * @property {string} title
 * @property {string} page of the docs
 * @property {Option[]} options
 */

/**
 * The rows by topic, as the help and docs/reference.md show them. A row belongs to one topic.
 * @type {ReadonlyArray<Topic>}
 */
const GROUPS = Object.freeze([
  require('./topics/server'),
  require('./topics/load'),
  require('./topics/rates'),
  require('./topics/requests'),
  require('./topics/streams'),
  require('./topics/websocket'),
  require('./topics/scenarios'),
  require('./topics/checks'),
  require('./topics/ci'),
  require('./topics/network'),
  require('./topics/tls'),
  require('./topics/agents'),
  require('./topics/reports'),
  require('./topics/live'),
  require('./topics/config')
])

/** @type {ReadonlyArray<Readonly<Option>>} */
const TABLE = Object.freeze(GROUPS.flatMap(({ options }) => options))

/** @type {ReadonlyMap<string, Readonly<Option>>} */
const byName = new Map(TABLE.map(option => [option.name, option]))

/** Options of connections, proxies and TLS. */
const ROUTE = Object.freeze(TABLE.filter(({ ofRoute }) => ofRoute).map(({ name }) => name))

/** Options of agents, without an effect otherwise. */
const ABOUT_AGENTS = Object.freeze(
  GROUPS.filter(({ topic }) => topic === 'agents')
    .flatMap(({ options }) => options.map(({ name }) => name))
    .filter(name => name !== 'agents')
)

/**
 * Returns the options among them with a value that is not the default: their modules are loaded then.
 * @type {(values: import('./normalize').Values, names: ReadonlyArray<string>) => string[]}
 */
function setAmong (values, names) {
  return names.filter(name => values[name] !== undefined && values[name] !== byName.get(name)?.default)
}

/** Returns how users write it on the command line: `-c/--connections`. @type {(option: Option) => string} */
function flags (option) {
  const long = (option.negated ? '--no-' : '--') +
    (option.shown ?? option.aliases?.find(alias => alias.includes('-')) ?? option.name)
  return option.short === undefined ? long : `-${option.short}/${long}`
}

module.exports = { ABOUT_AGENTS, GROUPS, ROUTE, TABLE, byName, flags, setAmong }
