'use strict'

// The part of a plan for a list of requests: its origins, the names under which responses are counted, and the requests
// of each generator.

const { MAX_NAMES } = require('../instruments/requests/record')
const { makeRule } = require('../checks/rule')
const { OTHER_REQUESTS } = require('../instruments/checks/record')
const { chooseScenarios } = require('../users/choice')
const { shareOfOnce } = require('../requests/picks')
const { ListReader, byOrigin } = require('../target-files/target-list')
const { Targets } = require('../target-files/targets')
const { formatInteger } = require('../core/units')
const { OptionsError } = require('../core/errors')
const { problemWith, problemAt } = require('../core/problem')
const { printable, show } = require('../core/foreign-text')
const { withoutUserinfo } = require('../core/secrets')
const { mostConnections } = require('./load/load')

/**
 * @typedef {import('./plan').Listing} Listing
 * @typedef {import('../target-files/target-list').TargetList} TargetList
 */

/**
 * @param {import('./normalize').Values} values
 * @returns {import('./normalize').Values} with the servers that the targets go to, and how many requests are sent when
 *   each is sent once
 * @throws {OptionsError}
 */
function withOrigins (values) {
  const { targets, url: urls = [], pick } = values
  // A comparison has two, one for each of its runs.
  if (targets.relative !== null && urls.length > 1) {
    throw new OptionsError([
      `targets: expected one URL, that of the server for requests that are paths, got ${urls.length}`
    ])
  }
  // `versus` and `find` check the URL before they know the port of a server that they start.
  if (targets.relative === null && !areNamed(urls, targets.list)) {
    throw new OptionsError([`targets: ${redundant(targets.source, urls)}`])
  }
  const list = byOrigin(targets.list, urls[0])
  return {
    ...values,
    targets: new Targets(list, targets.source, targets.relative, targets.relative === null ? null : urls[0]),
    // The URL of the option may have credentials, which the lines do not repeat.
    url: list.origins.length === 1 ? urls.slice(0, 1) : list.origins.map(origin => origin.url),
    amount: pick === 'once' ? list.starts.length : values.amount
  }
}

/** @param {string[]} urls @param {TargetList} list whose requests all name their server */
function areNamed (urls, list) {
  const named = new Set(list.origins.map(({ url }) => new URL(/** @type {string} */ (url)).origin))
  return urls.every(url => named.has(new URL(url).origin))
}

/**
 * @param {string} source of targets that name their servers
 * @param {string[]} urls of the option
 */
function redundant (source, urls) {
  const subject = source === '-'
    ? 'standard input names its'
    : /^\[\d+ targets?\]$/.test(source)
      ? 'the requests name their'
      : `${printable(source)} names its`
  return `${subject} servers: omit ${urls.map(url => show(withoutUserinfo(url)).slice(1, -1)).join(' and ')}`
}

/**
 * @param {import('./normalize').Values} values with targets
 * @param {(name: string) => string} call how the user calls an option
 * @returns {import('../core/problem').Problem[]} one for each rule that is broken
 */
function aboutTargets ({ targets, url, pick, requests, har, amount, stages, connections, workers }, call) {
  const problems = []
  for (const [name, other] of Object.entries({ requests, har })) {
    if (other !== undefined) {
      problems.push(problemWith(call, ['targets', name], 'each set the requests: use one of them'))
    }
  }
  if (pick === 'once') {
    if (amount !== undefined) {
      problems.push(problemWith(call, 'pick', `once and ${call('amount')} each set the number of requests: use one ` +
        'of them'))
    }
    if (stages !== undefined) {
      problems.push(problemWith(call, 'pick', `once and ${call('stages')} each set the end of the run: use one of ` +
        'them'))
    }
  }
  if (url === undefined) {
    if (targets.relative !== null) {
      return [...problems, problemAt(call, 'targets', `${targets.relative} is a path without a server: give the URL ` +
        'of the server as well, such as http://localhost:3000')]
    }
  } else if (targets.relative === null &&
    !(byOrigin(targets.list, url[0]).origins.length === 1 && areNamed(url, targets.list))) {
    return [...problems, problemAt(call, 'targets', redundant(targets.source, url))]
  }
  const { length } = byOrigin(targets.list, url?.[0]).origins
  for (const [name, most] of Object.entries({
    connections: Math.max(mostConnections({ connections, stages }), workers ?? 0), amount
  })) {
    if (length > most) {
      problems.push(problemAt(call, name, `expected at least ${formatInteger(length)}, one for each server in the ` +
        `targets, got ${formatInteger(most)}`))
    }
  }
  return problems
}

/**
 * @param {import('./normalize').Values} values
 * @param {import('../requests/request').Request} defaults
 * @param {ReadonlyArray<import('../requests/target').Target>} targets by origin
 * @param {import('../checks/rule').RuleBase} ruleBase
 * @returns {Listing}
 */
function listingOf ({ targets: { list }, pick, seed = 1 }, defaults, targets, ruleBase) {
  return Object.freeze({
    ...list,
    pick,
    seed,
    turns: Object.freeze(list.origins.map(() => Object.freeze({ part: 0, parts: 1 }))),
    ...ruleBase.byRequest ? namesOf(list, defaults, targets, ruleBase) : { titles: null, names: null }
  })
}

/**
 * The first requests that differ by method and path have a name each, as many as are counted apart but one, which all
 * others share.
 * @param {TargetList} list
 * @param {import('../requests/request').Request} defaults
 * @param {ReadonlyArray<import('../requests/target').Target>} targets by origin
 * @param {import('../checks/rule').RuleBase} ruleBase
 * @returns {{ titles: string[], names: Uint8Array }}
 */
function namesOf (list, defaults, targets, ruleBase) {
  const reader = new ListReader(list)
  /** @type {Map<string, number>} */
  const known = new Map()
  /** @type {string[]} */
  const titles = []
  const names = Uint8Array.from(list.starts, (_, entry) => {
    reader.read(entry)
    const { method, origin } = list.shapes[reader.shape]
    const path = reader.text(0).replace(/\?.*/s, '')
    const key = `${origin} ${method} ${path}`
    const before = known.get(key)
    if (before !== undefined || titles.length === MAX_NAMES) return before ?? MAX_NAMES - 1
    if (titles.length === MAX_NAMES - 1) return titles.push(OTHER_REQUESTS) - 1
    const { title } = makeRule(
      {}, ruleBase, { ...defaults, method: method ?? defaults.method, path }, targets[origin], false
    )
    known.set(key, titles.length)
    return titles.push(/** @type {string} */ (title)) - 1
  })
  return { titles, names }
}

/**
 * @param {Listing} list
 * @param {ReadonlyArray<{ connections: number }>} generators
 * @param {boolean} comeAndGo whether connections do: each generator may have some to any server then
 * @returns {Array<{ list: Listing, amount?: number }>} the sources, and the number of their requests when each is sent
 *   once
 */
function splitListing (list, generators, comeAndGo) {
  const everywhere = list.origins.map((_, origin) => origin)
  const all = generators.reduce((sum, { connections }) => sum + connections, 0)
  const chosen = chooseScenarios(list.origins.map(({ count }) => ({ weight: count })), 0, all, true)
  let first = 0
  const served = generators.map(({ connections }) => {
    first += connections
    return new Set(comeAndGo ? everywhere : chosen.slice(first - connections, first))
  })
  return served.map((own, i) => {
    const turns = list.origins.map((_, origin) => ({
      part: served.slice(0, i).filter(set => set.has(origin)).length,
      // A generator without a connection to it sends nothing to it.
      parts: Math.max(1, served.filter(set => set.has(origin)).length)
    }))
    const amount = list.origins.reduce(
      (sum, { count }, origin) => sum + (own.has(origin) ? shareOfOnce(count, turns[origin]) : 0),
      0
    )
    return { list: Object.freeze({ ...list, turns: Object.freeze(turns) }), ...list.pick === 'once' && { amount } }
  })
}

module.exports = { aboutTargets, listingOf, splitListing, withOrigins }
