'use strict'

// Finds URLs that get no requests: each connection sends to one URL, and there are fewer connections than URLs.

const { warning } = require('../core/finding')
const { readAmount } = require('../core/amount')

/**
 * @param {Record<string, any>} options in the form of a result
 * @returns {import('./findings').Finding | null} null if each URL gets requests, or if that is unknown
 */
function idleUrlsOf ({
  url, connections, workers = 1, pipelining = 1, amount: given = Infinity, stages = [], scenarios = [], targets,
  agents
}) {
  const { number: amount, unit } = readAmount(given)
  // Scenarios with their own load distribute the URLs in another way.
  if (!Array.isArray(url) || connections === undefined || targets !== undefined ||
      scenarios.some((/** @type {any} */ one) => (one.connections ?? one.rate ?? one.stages) != null)) {
    return null
  }
  const users = scenarios.length > 0 ? pipelining : 1
  const threads = agents === undefined ? workers : 1
  const most = Math.max(connections, threads, ...stages.map((/** @type {any} */ stage) => stage.connections ?? 0))
  const places = Math.min(most * users, amount)
  const reached = new Set(url.slice(0, places))
  const idle = [...new Set(url)].filter(one => !reached.has(one))
  if (idle.length === 0) return null
  const byAmount = amount <= most * users
  const facts = {
    idle,
    urls: url.length,
    ...byAmount
      ? { amount: unit === 'iterations' ? given : amount, needed: url.length }
      : { connections: most, needed: Math.ceil(url.length / users) }
  }
  return warning('idle-urls', facts)
}

/** @param {Record<string, any>} result @returns {import('./findings').Finding[]} */
function idleUrls ({ options = {} }) {
  const found = idleUrlsOf(options)
  return found === null ? [] : [found]
}

module.exports = { idleUrls, idleUrlsOf }
