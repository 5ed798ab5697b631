'use strict'

// What several rounds of a case amount to: a median for each tool, and for each pair the median of the ratios of the same
// round. Other programs on the machine slow down both tools of a round, so a paired ratio varies less than the costs do.

const { CASES } = require('./cases')

/** The share of a rate that a tool has to reach for its cost to count: a tool that falls behind has no idle time, and each request costs less. */
const HELD = 0.99

/**
 * @typedef {object} Row what a tool did in one round of a case, or the medians of all rounds
 * @property {number} cost of a request
 * @property {number} rate requests/s
 * @property {number} bytesPerSecond
 * @property {number} [rss] bytes, the highest
 * @property {number} [p50] ms
 * @property {number} [p99] ms
 *
 * @typedef {object} Ratio our cost divided by the other's, both of the same round
 * @property {number} median
 * @property {number} low the lowest of all rounds
 * @property {number} high the highest
 * @property {number} rounds how many there were
 *
 * @typedef {object} Comparison
 * @property {Record<string, Row>} tools medians by tool, or by case of ours
 * @property {Record<string, Ratio>} ratios by the other tool, or case of ours; without those that no round compares
 */

function median (values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** @type {(name: string, row: Row) => boolean} whether a tool reached the rate that its case asks for */
const held = (name, { rate }) => rate >= HELD * (CASES[name].rate ?? 0)

/**
 * @param {string} name of the case
 * @param {ReadonlyArray<Record<string, Row>>} rounds each with the row of each tool
 */
function compared (name, rounds) {
  const names = Object.keys(rounds[0])
  const tools = Object.fromEntries(names.map(tool => [tool, medians(rounds.map(round => round[tool]))]))
  const ratios = Object.fromEntries(names.filter(tool => tool !== 'ours').flatMap(tool => {
    const pairs = rounds.filter(round => held(name, round.ours) && held(name, round[tool])).map(round => round.ours.cost / round[tool].cost)
    return pairs.length === 0 ? [] : [[tool, { median: median(pairs), low: Math.min(...pairs), high: Math.max(...pairs), rounds: pairs.length }]]
  }))
  return { tools, ratios }
}

function medians (rows) {
  const keys = /** @type {const} */ (['cost', 'rate', 'bytesPerSecond', 'rss', 'p50', 'p99'])
  return /** @type {Row} */ (Object.fromEntries(keys.map(key => [key, rows.map(row => row[key])])
    .filter(([, values]) => values.every(value => Number.isFinite(value)))
    .map(([key, values]) => [key, median(values)])))
}

module.exports = { compared, held, median }
