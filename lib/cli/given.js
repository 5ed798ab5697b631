'use strict'

// Owns what a user gave on the command line: flags and config as one, and typed.

const { headersGivenTwice, withoutHeadersOf } = require('./run-values')
const { readFlags } = require('./args')
const { byName, flags } = require('../options/table')
const { validate, BODIES } = require('../options/validate')

/**
 * @param {string[]} argv
 * @param {ReturnType<typeof readFlags>} given flags of it
 * @param {import('./args').Grammar} [grammar]
 * @returns {Promise<ReturnType<typeof readFlags>>} with the options of the config; those of the flags win over them
 */
async function withConfig (argv, given, grammar) {
  if (given.raw.config === undefined) return given
  const config = await require('./config').loadConfig(given.raw.config, given.problems, grammar?.rows)
  const { onPort } = config
  // With a command to start, a path among the flags is one of its server.
  const { raw, urlImplied, ...rest } = onPort ? readFlags(argv, process.env, onPort, grammar) : given
  if (BODIES.some(name => raw[name] !== undefined)) for (const name of BODIES) delete config[name]
  const url = urlImplied && config.url !== undefined ? [config.url].flat() : raw.url
  return { ...rest, urlImplied, raw: { ...withoutHeadersOf(config, raw), ...raw, ...url !== undefined && { url } } }
}

/**
 * @param {Record<string, any>} raw
 * @param {Record<string, string>} labels what was typed for an option, where that is not its flag
 * @param {string[]} problems that are known already
 */
function validated (raw, labels, problems) {
  /** @param {import('../options/table').Option} option */
  const label = option => labels[option.name] ?? (option.name === 'url' ? 'URL' : flags(option))
  const call = (/** @type {string} */ name) => label(/** @type {import('../options/table').Option} */ (byName.get(name)))
  return validate(raw, label, [...problems, ...headersGivenTwice(raw, call)])
}

module.exports = { withConfig, validated }
