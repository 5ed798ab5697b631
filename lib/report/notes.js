'use strict'

// Owns what has to be said beside the figures, one sentence each: what failed and why, what the figures may not say, and what to do.

const { meaningOf } = require('../errors')
const { formatInteger, formatSeconds, plural } = require('../units')
const { formatRate } = require('./figures')

/**
 * @param {Record<string, any>} result
 * @returns {string[]} why the figures may not say what they seem to say
 */
function warnings ({ generator, rate, unfinished, latency, connect, requests, timeouts }) {
  const found = []
  if (rate !== undefined && rate.ratio < 0.99 && rate.late + rate.unsent > 0) {
    const cause = connect?.totalCount === 0
      ? 'there was no connection'
      : generator.saturated ? 'the generator was too busy' : 'the server held all connections'
    found.push(`The rate was ${formatRate(rate.achieved)} of ${formatRate(rate.target)} requests/s: ${cause}. ${plural(rate.late, 'request was', 'requests were')} sent late, ${formatInteger(rate.unsent)} never.`)
  }
  if (rate !== undefined && unfinished > 0.01 * rate.sent) {
    const counted = latency.totalCount > requests.total + timeouts
    found.push(`${plural(unfinished, 'request')} had no answer when the run ended; what they have waited is ${counted ? '' : 'not '}in the latency.`)
  }
  if (generator?.saturated) {
    const cpu = Math.round(generator.cpu * 100)
    const busy = generator.cpu > 0.9
      ? `used ${cpu} % of its core`
      : `had no time left although it got only ${cpu} % of a core: other processes need it`
    found.push(`The generator ${busy}: these figures show the client, not the server; use --workers.`)
  }
  // Results of older versions have none.
  if (generator?.standstillMs > 0) {
    found.push(`The generator stood still for ${formatSeconds(generator.standstillMs / 1000)}: it was stopped, got no core, or was blocked by a hook. That time is in no figure.`)
  }
  return found
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} what this machine had too little of, and where there is more
 */
function shortages ({ errorCodes = {}, openFileLimit, connect }) {
  const found = []
  if (errorCodes.EMFILE > 0) {
    const limit = openFileLimit == null ? '' : `, ${formatInteger(openFileLimit)} at most (ulimit -n)`
    found.push(`This process ran out of file descriptors${limit}; each connection needs one, and those that got none waited for it. ` +
      'Use fewer connections, or raise the hard limit (Node.js goes up to it by itself): ulimit -Hn as root, LimitNOFILE= in systemd, --ulimit nofile= in Docker.')
  }
  if (errorCodes.ENFILE > 0) found.push('The whole system ran out of file descriptors: use fewer connections, or raise sysctl fs.file-max.')
  if (errorCodes.EADDRNOTAVAIL > 0) {
    found.push(connect?.totalCount > 0
      ? 'This machine ran out of local ports: one stays taken for a minute after its connection was closed. Make fewer connections anew ' +
        '(a higher --reconnectRate, a server that keeps connections open), or widen sysctl net.ipv4.ip_local_port_range.'
      : 'No local address or port was free (EADDRNOTAVAIL): others, or a run a minute ago, took all ports, or the server has an IPv6 address where there is no IPv6.')
  }
  return found
}

/**
 * @param {Record<string, number>} errorCodes
 * @returns {string} `1,200 ECONNREFUSED (nothing listens at that address), 4 timeouts`: the most frequent first
 */
function errorList (errorCodes) {
  return Object.entries(errorCodes)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => code === 'AC_TIMEOUT'
      ? plural(count, 'timeout')
      : `${formatInteger(count)} ${code}${meaningOf(code) === undefined ? '' : ` (${meaningOf(code)})`}`)
    .join(', ')
}

module.exports = { errorList, shortages, warnings }
