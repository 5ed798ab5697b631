'use strict'

const { formatInteger, formatRate, plural } = require('../../core/units')
const { timeColumnsOf } = require('../../report/authored')
const { latencyOf } = require('../../report/figures')

/** The number of pairs of version and cipher that are named. */
const MOST_NAMED = 3

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether handshakes are worth a sentence: connections were reopened, or sessions may be resumed
 */
function areShown ({ handshakes, connections, options = {} }) {
  return handshakes?.count > 0 && (handshakes.count > connections || options.tlsSessionReuse === true)
}

/** @param {Record<string, any>} result */
function facts (result) {
  if (!areShown(result)) return []
  const { count, perSecond, resumed, latency, negotiated } = result.handshakes
  const named = negotiated.slice(0, MOST_NAMED).map((/** @type {any} */ one) =>
    `${one.protocol} with ${one.cipher}${negotiated.length > 1 ? ` (${formatInteger(one.count)})` : ''}`)
  const sessions = resumed === 0
    ? 'none resumed a session'
    : `${resumed === count ? 'all' : formatInteger(resumed)} resumed a session`
  return [`${plural(count, 'TLS handshake')}, ${formatRate(perSecond)} handshakes/s, ` +
    `p50 ${latencyOf(latency, 'p50')}, p99 ${latencyOf(latency, 'p99')}; ${sessions}; ` +
    `${named.join(', ')}${negotiated.length > MOST_NAMED ? ' and others' : ''}`]
}

/** @type {import('../../report/authored').TimesOf} */
function times (result) {
  return [{ name: 'TLS handshake', distribution: result.handshakes.latency, isBrief: areShown(result) }]
}

/** @type {import('../../report/authored').Columns} empty without TLS */
const columns = [
  ['handshakes', ({ handshakes }) => handshakes?.count],
  ['handshakes_per_s', ({ handshakes }) => handshakes?.perSecond],
  ['handshakes_resumed', ({ handshakes }) => handshakes?.resumed],
  ...timeColumnsOf('handshake', ({ handshakes }) => handshakes?.latency)
]

module.exports = { columns, facts, times }
