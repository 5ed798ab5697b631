'use strict'

// Owns which URLs of a run get no request, because there are fewer connections: each connection sends to one of them.

const { formatInteger, plural } = require('../units')

/** Of many URLs the first are named. */
const MOST_NAMED = 3

/**
 * @param {Record<string, any>} options as a result describes them
 * @returns {string | null} which URLs get no request and what to do, without a full stop; null if each gets some, or if it is unknown
 */
function unreachedSentence ({ url, connections, workers = 1, pipelining = 1, amount = Infinity, stages = [], scenarios = [], targets, agents }) {
  // Scenarios with a load of their own share the URLs by themselves.
  if (!Array.isArray(url) || connections === undefined || targets !== undefined || scenarios.some((/** @type {any} */ one) => (one.connections ?? one.rate ?? one.stages) != null)) return null
  const users = scenarios.length > 0 ? pipelining : 1
  const threads = agents === undefined ? workers : 1
  const most = Math.max(connections, threads, ...stages.map((/** @type {any} */ stage) => stage.connections ?? 0))
  const places = Math.min(most * users, amount)
  const reached = new Set(url.slice(0, places))
  const idle = [...new Set(url)].filter(one => !reached.has(one))
  if (idle.length === 0) return null
  const more = idle.length - MOST_NAMED
  const names = more > 0 ? [...idle.slice(0, MOST_NAMED), plural(more, 'other')] : idle
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  const [flag, has] = amount <= most * users ? ['-a', plural(amount, 'request')] : ['-c', plural(most, 'connection')]
  return `${has}, ${plural(url.length, 'URL')}: ${list} ${idle.length === 1 ? 'gets' : 'get'} no requests; use ${flag} ${formatInteger(flag === '-a' ? url.length : Math.ceil(url.length / users))} or more`
}

module.exports = { unreachedSentence }
