'use strict'

// Owns what has to be said beside the figures, one sentence each: what failed and why, what the figures may not say, and what to do.

const { formatDuration, formatInteger, formatLatency, formatPercent, formatRate, plural } = require('../units')
const { SHORTAGES } = require('../figures/error-words')
const { explains, saturatedSentence, standstillSentence } = require('../figures/generator-cause')
const { troubleOf, verdictOf } = require('../figures/generator-verdict')
const { neededConnections } = require('../figures/needed-connections')
const { caveats } = require('./caveats')

/** A handshake with something that speaks no TLS ends in one of these. */
const NO_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])

/** What comes of HTTP/2 to a server that knows only HTTP/1. */
const NO_HTTP2 = new Set(['AC_H2_ALPN', 'AC_H2_HTTP1', 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'])

/** A server that speaks TLS, and not as it was offered. */
const REFUSED_TLS = /^ERR_SSL_(.*ALERT_(PROTOCOL_VERSION|HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED|INSUFFICIENT_SECURITY)|UNSUPPORTED_PROTOCOL)$/

/** A connection that the server ended instead of answering. */
const ENDED = new Set(['AC_CLOSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Where the proxy, or the way through it, was as far as it came. */
const OF_PROXY = /^AC_(PROXY|TUNNEL)_/

const TIMEOUTS = new Set(['AC_TIMEOUT', 'AC_BEHIND_TIMEOUT', 'AC_CONNECT_TIMEOUT'])

/** A run that is shorter than this ended before its figures began, seconds. */
const FIGURES = 0.1

/** Answers that say where to go instead. 304 does not. */
const REDIRECTS = ['300', '301', '302', '303', '307', '308']

/**
 * @param {Record<string, any>} result
 * @returns {string[]} what to try when a run did not measure what somebody wanted to know
 */
function hints (result) {
  const { requests, errors, statusCodeStats = {} } = result
  if (requests.total === 0) return [errors > 0 ? noHttp2(result) ?? `No response from ${whereOf(result)}${advice(result)}` : beforeTheFirst(result)]
  const found = []
  found.push(...redirectHint(result))
  const secure = withScheme(result, 'http', 'https')
  if (secure !== '' && statusCodeStats[400]?.count === requests.total) {
    found.push(`Every response was 400: servers that expect TLS say so to plain http. If this is one, try ${secure}`)
  }
  return found
}

/** @param {Record<string, any>} result */
function whereOf ({ url, socketPath }) {
  return [url ?? []].flat().join(', ') + (socketPath === undefined ? '' : ` (${socketPath})`)
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]}
 */
function redirectHint ({ requests, statusCodeStats = {}, redirects }) {
  const all = REDIRECTS.reduce((sum, status) => sum + (statusCodeStats[status]?.count ?? 0), 0)
  const left = all - (redirects ?? 0)
  if (left <= 0) return []
  if (redirects !== undefined) return [`${plural(left, 'redirect was', 'redirects were')} not followed: there were more in a row than --redirects allows, or they led to another origin.`]
  if (all === requests.total) return ['Every response was a redirect, and redirects are not followed: benchmark the address that it leads to, or follow them with --redirects 5.']
  return [`${plural(all, 'response was a redirect', 'responses were redirects')}: redirects are not followed; --redirects 5 follows them.`]
}

/**
 * @param {Record<string, any>} result
 * @returns {boolean} whether the run ended before its figures began
 */
function endedInSkipped ({ skipped, duration }) {
  return skipped?.requests > 0 && duration < FIGURES
}

/** @param {Record<string, any>} result of a run in which nothing failed and nothing was answered */
function beforeTheFirst ({ interrupted, options, skipped, duration, unfinished }) {
  if (endedInSkipped({ skipped, duration })) return `The run ended within the first ${formatDuration(options?.skipFirst ?? skipped.seconds)}, which --skip-first leaves out: ${plural(skipped.requests, 'request')} are in no figure.`
  if (skipped?.requests > 0) return `No response came after the first ${formatDuration(skipped.seconds)}, which --skip-first leaves out; ${plural(unfinished, 'request was', 'requests were')} waiting.`
  const ended = 'The run ended before the first response'
  return interrupted || options?.duration === undefined ? ended + '.' : `${ended}: give it more time with -d (--duration).`
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} codes of its errors, the most frequent first
 */
function codesOf ({ errors, timeouts, errorCodes = errors === timeouts ? { AC_TIMEOUT: timeouts } : {} }) {
  return Object.keys(errorCodes).sort((a, b) => errorCodes[b] - errorCodes[a])
}

/**
 * @param {Record<string, any>} result of a run without a response of HTTP/2
 * @returns {string | null} that the server answered in HTTP/1, or offers that alone; null for anything else
 */
function noHttp2 (result) {
  if (!NO_HTTP2.has(codesOf(result)[0])) return null
  const secure = withScheme(result, 'http', 'https')
  return `The server at ${whereOf(result)} speaks HTTP/1, not HTTP/2. Omit --http2, or${secure === '' ? ' use --http auto.' : `, if it expects TLS, try ${secure}`}`
}

/**
 * @param {Record<string, any>} result of a run to which nothing was answered
 * @returns {string} the end of the sentence that says so
 */
function advice (result) {
  const codes = codesOf(result)
  const [most = ''] = codes
  if (codes.length > 0 && codes.every(code => TIMEOUTS.has(code))) return timeoutAdvice(result, codes)
  if (OF_PROXY.test(most)) return ': no connection came about through the proxy.'
  if (result.proxy !== undefined && ENDED.has(most)) return ': the proxy or the server ends connections without a response.'
  if (result.proxy !== undefined && most === 'AC_TLS_ALERT') return ': the proxy or the server expects TLS. For a proxy that does, write https:// in front of it.'
  if (result.proxy !== undefined && most === 'AC_STATUS_LINE') return ': the proxy or the server does not speak HTTP/1.1.'
  if (result.proxy !== undefined && most === 'AC_H2_SILENT') return ': through the proxy connections come about, and HTTP/2 does not begin.'
  const [secure, plain] = [withScheme(result, 'http', 'https'), withScheme(result, 'https', 'http')]
  if (most === 'AC_TLS_ALERT' && secure !== '') return `: it expects TLS. Try ${secure}`
  if (NO_TLS.has(most) && plain !== '') return `: it does not speak TLS. Try ${plain}`
  if (ENDED.has(most) && secure !== '') return `: the server ends connections without a response. If it expects TLS, try ${secure}`
  if (ENDED.has(most) && plain !== '') return `: the server ends connections without a response. If it does not speak TLS, try ${plain}`
  if (most === 'ERR_HTTP2_ERROR') return ': if it does not speak HTTP/2, omit --http2.'
  if (REFUSED_TLS.test(most)) return ': it refuses the TLS handshake. What is offered is said by --tls-min, --tls-max and --ciphers, and a certificate of the client by --cert and --key.'
  if (most === 'AC_H2_NO_STREAMS') return ': it speaks HTTP/2, and allows no request on a connection.'
  if (most === 'AC_H2_SILENT') return ': it takes connections and does not begin HTTP/2. If it speaks HTTP/1.1, omit --http2.'
  if (most === 'AC_STATUS_LINE') return ': what listens there does not speak HTTP/1.1. If it speaks HTTP/2, add --http2.'
  if (most === 'AC_LOOKUP_TIMEOUT' || most === 'EAI_AGAIN') return `: no name server responds. --resolve HOST:PORT:ADDR sets an address without one.${lookedUpHere(result)}`
  if (most === 'ENOTFOUND' && (result.options?.ipv4 || result.options?.ipv6)) return `: its name has no IPv${result.options.ipv6 ? '6' : '4'} address. Omit -${result.options.ipv6 ? '6' : '4'}.`
  if (most === 'ENOTFOUND') return `: is the name of the host right?${lookedUpHere(result)}`
  return SHORTAGES.has(most) || /CERT|SIGNATURE/.test(most) ? '.' : ': is the server running there?'
}

/**
 * @param {Record<string, any>} result of a run in which a name was not found
 * @returns {string} what to do when a proxy may know it
 */
function lookedUpHere ({ proxy, options: { proxy: given = '' } = {} }) {
  return proxy !== undefined && /^(socks5:|env$)/i.test(given) ? ' It is looked up here: with socks5h:// in place of socks5:// the proxy does it.' : ''
}

/**
 * @param {Record<string, any>} result
 * @param {string[]} codes
 */
function timeoutAdvice ({ options, proxy }, codes) {
  const connecting = codes.every(code => code === 'AC_CONNECT_TIMEOUT')
  const own = connecting ? options?.connectTimeout : undefined
  const timeout = own ?? options?.timeout
  const after = timeout === undefined ? '' : ` after ${timeout} s`
  if (connecting && proxy !== undefined) return `: the proxy makes tunnels, and no TLS handshake in one was done${after}.`
  return connecting
    ? `: every attempt to connect timed out${after}. Is the address right, and does a firewall let it through? To wait longer, raise ${own === undefined ? '-t (--timeout)' : '--connect-timeout'}.`
    : `: every request timed out${after}. If the server needs longer, raise -t (--timeout).`
}

/**
 * @param {Record<string, any>} result
 * @param {string} scheme
 * @param {string} instead
 * @returns {string} its URLs of a scheme with another one; empty when there are none
 */
function withScheme ({ url }, scheme, instead) {
  return [url ?? []].flat().filter(one => one.startsWith(`${scheme}://`)).map(one => instead + one.slice(scheme.length)).join(', ')
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} how far a run came that was ended before its time, by a signal or stop()
 */
function interruption ({ interrupted, duration: measured, requests, skipped, options = {} }) {
  if (!interrupted) return null
  const duration = measured + (skipped?.seconds ?? 0)
  if (options.amount !== undefined) return `Ended early, after ${formatInteger(requests.sent + (skipped?.requests ?? 0))} of ${plural(options.amount, 'request')}`
  return `Ended early, after ${formatDuration(duration)}${options.duration > duration ? ` of ${formatDuration(options.duration)}` : ''}`
}

/** Up to this part of the requests may be late without a note where the rate was reached: fewer late ones do not change p99. */
const LATE = 0.01

/**
 * @param {Record<string, any>} result of a run with a rate
 * @param {number} share of its requests that are missing or late
 * @returns {string | null} what the generator has to do with it; null for nothing
 */
function holdUpOf ({ generator, duration }, share) {
  const verdict = verdictOf(generator)
  const lost = generator?.runDelayMs === null ? null : Math.max(generator?.runDelayMs ?? 0, generator?.blockedMs) / 1000 / duration
  if (!explains({ verdict, lost, cpu: generator?.cpu }, share)) return null
  return `the load generator ${troubleOf(generator)?.predicate}`
}

/**
 * @param {Record<string, any>} result of a run with a rate
 * @returns {string} who is to blame for requests that were sent late, which waited for a connection, or never
 */
function causeOfDelay (result) {
  const { agents, connect, fates, rate: { ratio, sent, late, unsent } } = result
  if (connect?.totalCount === 0) return 'there was no connection'
  // Loaded by those who have agents.
  if (agents !== undefined && require('../instruments/agents/report').lossNotes(result).length > 0) return 'agents were lost'
  // What waits for an answer holds its connection: without that, none is left at the end.
  if (unsent > 0 && fates?.abandoned === 0) return 'there was no connection'
  return holdUpOf(result, Math.max(1 - ratio, (late + unsent) / (sent + unsent))) ?? tooFewConnections(result) ?? 'the server held all connections'
}

/**
 * @param {Record<string, any>} result of a run with a rate
 * @returns {string | null} how many connections the rate needed; null if there were enough, or if it is unknown
 */
function tooFewConnections (result) {
  const { connections, pipelining, rate, serviceTime } = result
  const needed = neededConnections(result)
  if (needed === null) return null
  const perConnection = pipelining > 1 ? ` ÷ ${formatInteger(pipelining)} per connection` : ''
  return `too few connections. It needs about ${formatInteger(needed)} (${formatRate(rate.target)} req/s × ${formatLatency(serviceTime.mean)}${perConnection}), there ${connections === 1 ? 'was' : 'were'} ${formatInteger(connections)}: raise -c`
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} that its rate was not kept, without a full stop; null when it was, or there was none
 */
function missedRate (result) {
  const { rate } = result
  if (rate === undefined || !(rate.ratio < 0.99 && rate.late + rate.unsent > 0)) return null
  return `The rate was ${formatRate(rate.achieved)} of ${formatRate(rate.target)} req/s: ${causeOfDelay(result)}`
}

/** Up to this part of the responses may be followed by a new connection without a note. */
const RECONNECTING = 0.9

/**
 * @param {Record<string, any>} result
 * @returns {string[]} how many reconnects there were, where nearly each response is the last one of its connection
 */
function reconnectNote ({ connect, connections, requests, options = {} }) {
  const again = (connect?.totalCount ?? 0) - connections
  if (options.reconnectRate !== undefined || options.stages !== undefined || !(requests.total >= 2 * connections)) return []
  const isEach = again >= RECONNECTING * (requests.total - connections) && requests.total >= RECONNECTING * again
  return !isEach ? [] : [`The server closed each connection after one response. There were ${formatInteger(again)} reconnects, which take time of the client and of the server.`]
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} why the figures may not say what they seem to say
 */
function warnings (result) {
  const { generator, rate, options = {}, thresholds = [], agents } = result
  // Loaded by those who have agents.
  const found = agents === undefined ? [] : require('../instruments/agents/report').lossNotes(result)
  const missed = result.search === undefined ? missedRate(result) : null
  if (missed !== null) {
    found.push(`${missed}. ${plural(rate.late, 'request was', 'requests were')} sent late, ${formatInteger(rate.unsent)} never.`)
  } else if (rate?.late >= LATE * rate?.sent && rate.late > 1) {
    found.push(`${formatPercent(rate.late / rate.sent)} of the requests were sent late (${formatInteger(rate.late)} of ${formatInteger(rate.sent)}): ${causeOfDelay(result)}. Latency counts from ${options.ignoreCoordinatedOmission ? 'when they were sent, as ignoreCoordinatedOmission wants it' : 'the time they were due'}.`)
  }
  if (rate?.ratio > 1.01) {
    found.push(`The rate was ${formatRate(rate.achieved)} of ${formatRate(rate.target)} req/s: what was due in the start that is left out, and could not be sent in it, was sent later, and is in the latency with its wait.`)
  }
  if (result.byStage !== undefined) found.push(...require('../instruments/stages/report').stageNotes(result, holdUpOf))
  if (result.rounds !== undefined) found.push(...require('../instruments/rounds/report').roundNotes(result))
  const reason = rate?.paceReason ?? result.rounds?.paceReason
  if (reason !== undefined) found.push(reason)
  if (result.streamLimit !== undefined) found.push(`The server allows ${plural(result.streamLimit, 'stream')} on a connection, and not ${formatInteger(result.pipelining)}: so many requests were in flight on each.`)
  found.push(...reconnectNote(result), ...caveats(result))
  // Without any answer there is no latency that the generator could have changed.
  if (result.requests?.total === 0) return found
  const held = generator?.cause ?? (generator?.saturated ? saturatedSentence(generator.cpu) : null)
  // The note of a threshold that failed because of it has the same sentence.
  if (held !== null && !thresholds.some((/** @type {any} */ { note }) => note !== undefined && held === note + '.')) found.push(held)
  // Results of older versions have none.
  if (generator?.standstillMs > 0 && !held?.includes('stood still')) found.push(standstillSentence(generator.standstillMs))
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
  // The one where the system chooses the port, the other where a local address is given.
  if (errorCodes.EADDRNOTAVAIL > 0 || errorCodes.EADDRINUSE > 0) {
    found.push(connect?.totalCount > 0
      ? 'This machine ran out of local ports: one stays taken for a minute after its connection was closed. Make fewer connections anew ' +
        '(a higher --reconnectRate, a server that keeps connections open), connect from several addresses (--local-address), or widen sysctl net.ipv4.ip_local_port_range.'
      : 'No local address or port was free (EADDRNOTAVAIL): others, or a run a minute ago, took all ports, or the server has an IPv6 address where there is no IPv6.')
  }
  return found
}

module.exports = { endedInSkipped, hints, interruption, missedRate, shortages, warnings }
