'use strict'

// Whether the runs of two servers were made on the same machine, as far as their results show: two machines of one kind
// look the same.

/** @typedef {Record<string, any>} Result */

/** Facts that distinguish machines: name, and value in a result (undefined for an older version or another tool). */
const FACTS = Object.freeze(/** @type {Array<[name: string, of: (environment: Record<string, any>) => unknown]>} */ ([
  ['CPU', ({ cpu }) => cpu],
  ['cores', ({ cores }) => cores],
  ['CPU quota', ({ quota }) => quota],
  ['virtualization', ({ virtualization }) => virtualization],
  ['system', ({ platform }) => platform === undefined ? undefined : systemOf(String(platform))]
]))

/** Settings, which may change on the same machine. */
const SETTINGS = Object.freeze(/** @type {typeof FACTS} */ ([['CPU governor', ({ governor }) => governor]]))

/**
 * @param {string} platform such as `linux 6.1.0 x64`
 * @returns {string} without the version, which an update changes
 */
function systemOf (platform) {
  const words = platform.split(' ')
  return `${words[0]} ${words[words.length - 1]}`
}

/**
 * @param {Result[]} base
 * @param {Result[]} next
 * @param {typeof FACTS} [facts]
 * @returns {string | null} the difference, such as `cores 2 and 8`; null for none, or if nothing is known
 */
function differenceOfMachines (base, next, facts = FACTS) {
  // With agents, only the environment of the coordinator is known, which sent nothing.
  const [before, after] = [base, next].map(side =>
    side.filter(({ agents }) => agents === undefined).map(({ environment }) => environment ?? {}))
  const differ = facts.flatMap(([name, of]) => {
    const [one, other] = [before, after].map(side =>
      [...new Set(side.map(of).filter(value => value !== undefined).map(value => String(value ?? 'none')))])
    return one.length === 0 || other.length === 0 || new Set([...one, ...other]).size === 1
      ? []
      : [`${name} ${one.join(' or ')} and ${other.join(' or ')}`]
  })
  return differ.length === 0 ? null : differ.join(', ')
}

module.exports = { SETTINGS, differenceOfMachines }
