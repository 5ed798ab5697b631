'use strict'

// Owns the way from argv to raw options: which flag is which option, and what is wrong with the flags themselves.

const { parseArgs } = require('node:util')
const { TABLE } = require('../options/table')
const { suggest } = require('../options/validate')

/**
 * @typedef {{ type: 'boolean' | 'string', short?: string, multiple?: boolean }} Flag
 * @typedef {{ option: import('../options/table').Option, negative: boolean }} Meaning
 */

/** @type {Map<string, Meaning>} long flag without its dashes → what it means */
const MEANINGS = new Map()
/** @type {Record<string, Flag>} */
const FLAGS = {}
for (const option of TABLE) {
  if (option.where === 'api') continue
  const type = option.type === 'flag' ? 'boolean' : 'string'
  for (const name of [option.name, ...option.aliases ?? []]) {
    MEANINGS.set(name, { option, negative: false })
    FLAGS[name] = { type }
    if (type === 'boolean') {
      MEANINGS.set('no-' + name, { option, negative: true })
      FLAGS['no-' + name] = { type }
    }
  }
  if (option.short !== undefined) FLAGS[option.negated ? 'no-' + option.name : option.name].short = option.short
}

/**
 * @param {string[]} argv without node and the script
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ raw: Record<string, any>, command: string[], problems: string[] }} raw options by name, what stands after
 *   `--`, and one sentence for each problem
 */
function readFlags (argv, env = process.env) {
  const { tokens } = parseArgs({ args: argv, options: FLAGS, strict: false, allowPositionals: true, tokens: true })
  /** @type {Record<string, any>} */
  const raw = {}
  /** @type {string[]} */
  const urls = []
  /** @type {string[]} */
  const command = []
  /** @type {string[]} */
  const problems = []
  let commandFollows = false
  for (const token of tokens) {
    if (token.kind === 'option-terminator') commandFollows = true
    else if (token.kind === 'positional') (commandFollows ? command : urls).push(token.value)
    else {
      const meaning = MEANINGS.get(token.name)
      const value = token.rawName.startsWith('--') ? token.value : token.value?.replace(/^=/, '')
      if (meaning === undefined) problems.push(`unknown flag ${token.rawName}${suggestFlag(token.name)}`)
      else if (meaning.option.type === 'flag') raw[meaning.option.name] = negate(value ?? true, meaning.negative)
      else if (value === undefined) problems.push(`${token.rawName} needs a value`)
      else if (meaning.option.type === 'headers') (raw[meaning.option.name] ??= []).push(value)
      else raw[meaning.option.name] = value
    }
  }
  if (command.length > 0 && /^node(\.exe)?$/.test(command[0].replace(/^.*[\\/]/, ''))) raw.onPort ??= true
  if (raw.onPort === true && command.length === 0) problems.push('--on-port needs a command after --, such as: autocannon --on-port / -- node server.js')
  if (raw.onPort !== true && command.length > 0) problems.push('a command stands after --, but --on-port is not given')
  if (urls.length > 0) raw.url = urls.map(url => urlFromPath(url, raw.onPort === true, env, problems))
  else if (raw.onPort === true) raw.url = ['http://localhost/']
  return { raw, command, problems }
}

/**
 * @param {string | boolean} value
 * @param {boolean} negative
 * @returns {string | boolean}
 */
function negate (value, negative) {
  if (!negative) return value
  return value === true || value === 'true' ? false : value === 'false' ? true : value
}

/** @param {string} name */
function suggestFlag (name) {
  return suggest(name, [...MEANINGS.keys()]).replace(/'(.+)'/, '--$1')
}

/**
 * A path stands for a URL on this machine, at the port of PORT or of the server that is started.
 * @param {string} url
 * @param {boolean} onPort
 * @param {NodeJS.ProcessEnv} env
 * @param {string[]} problems
 */
function urlFromPath (url, onPort, env, problems) {
  if (!url.startsWith('/')) return url
  if (onPort) return `http://localhost${url}`
  if (env.PORT) return `http://localhost:${env.PORT}${url}`
  problems.push(`'${url}' is a path without a server: set the environment variable PORT, or give http://localhost:3000${url}`)
  return url
}

module.exports = { readFlags }
