'use strict'

// The sentences on failed responses, redirects, and connections that close after a response.

const { errorList } = require('../figures/error-words')
const { countedIn } = require('../core/counted')
const { formatInteger, formatPercent, plural } = require('../core/units')
const { led, listed, whole } = require('./sentence')

/**
 * @param {{ failures: number, errors: number, unexpected?: number, redirects?: number, requests: number }} facts
 * @returns {string | null} the kinds of failures, each request once; null if they are unknown, as in older results
 */
function kindsOf ({ failures, errors, unexpected, redirects = 0 }) {
  if (unexpected === undefined) return null
  const kinds = /** @type {const} */ ([
    ['4xx or 5xx', unexpected],
    ['no response', errors],
    ['redirect that was not followed', redirects],
    ['failed check or wrong body', failures - errors - unexpected - redirects]
  ])
  return kinds.filter(([, n]) => n > 0).map(([kind, n]) => `${formatInteger(n)} × ${kind}`).join(', ')
}

/** @type {(facts: any, isOften: boolean, counted: import('../core/counted').Counted) => string} */
function resentSentence ({ resent, sent, share }, isOften, { one, many }) {
  const why = 'because the server closed connections that were in use'
  if (!isOften || share > 1) return `${plural(resent, `${one} was`, `${many} were`)} sent again, ${why}`
  return `${formatPercent(share)} of the ${many} were sent again ` +
    `(${formatInteger(resent)} of ${formatInteger(sent)}), ${why}`
}

/** The number of reasons that are named. */
const MOST_REASONS = 3

/**
 * @param {{ redirects: number, reasons: Record<string, number> }} facts
 * @returns {string} without a full stop
 */
function refusedWords ({ redirects, reasons }) {
  const all = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  const named = all.slice(0, MOST_REASONS)
    .map(([reason, n]) => all.length === 1 ? reason : `${reason} (${formatInteger(n)})`)
  const more = all.length - named.length
  return `${plural(redirects, 'redirect was', 'redirects were')} not followed: ${named.join(', ')}` +
    (more > 0 ? ` and ${plural(more, 'more reason')}` : '')
}

/** @param {any} facts */
function redirectsSentence ({ redirects, followed, all, reasons }) {
  if (reasons !== undefined) return `${refusedWords({ redirects, reasons })}.`
  if (followed) {
    return `${plural(redirects, 'redirect was', 'redirects were')} not followed: ` +
      'there were more in a row than --redirects allows, or they led to another origin.'
  }
  if (all) {
    return 'Every response was a redirect, and redirects are not followed: benchmark the address that it leads to, ' +
      'or follow them with --redirects 5.'
  }
  return `${plural(redirects, 'response was a redirect', 'responses were redirects')}: redirects are not followed; ` +
    '--redirects 5 follows them.'
}

/** @type {Record<string, import('./findings').Words>} */
const WORDS = {
  failures: (facts, _, result) => listed(
    `${formatInteger(facts.failures)} of ${plural(facts.requests + facts.errors, countedIn(result).one)} failed`,
    kindsOf(facts)
  ),
  errors: facts => listed(plural(facts.errors, 'error'), errorList(facts)),
  'mismatched-bodies': ({ mismatches }) => led(`${plural(mismatches, 'body', 'bodies')} other than expected`),
  'other-than-2xx': ({ responses }) => led(`${plural(responses, 'response')} other than 2xx`),
  'resent-requests': (facts, severity, result) =>
    led(resentSentence(facts, severity === 'warning', countedIn(result))),
  redirects: facts => whole(redirectsSentence(facts)),
  'all-400': ({ secure }) => whole(secure === undefined
    ? 'Every response was 400 over TLS: the server refuses the request as it is, or requires a client certificate ' +
      '(--cert and --key).'
    : `Every response was 400: the server refuses the request as it is, or expects TLS (try ${secure}).`),
  'all-426': ({ upgraded }) =>
    whole(`Every response was 426, as from a server of WebSocket. If so, try ${upgraded}`),
  'outside-of-path': ({ base, path }) => whole(`Every response was 404, and no request was below ${base} of the URL: ` +
    `paths of user functions start at the origin, as in http.get('${base}${path}').`),
  'stream-limit': ({ streamLimit, pipelining, more }) =>
    whole(`The server allows ${plural(streamLimit, 'stream')} per connection, ` +
      `fewer than the ${formatInteger(pipelining)} of -p: ` +
      (more ? 'other WebSockets had more connections.' : 'that was the number of requests in flight on each.')),
  'closed-after-each': ({ reconnects }) =>
    whole('The server closed each connection after one response. ' +
      `There were ${formatInteger(reconnects)} reconnects, which take time of the client and of the server.`)
}

module.exports = { WORDS, refusedWords }
