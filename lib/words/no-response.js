'use strict'

// The sentences on runs without a response, with advice.

const { hintOf, meaningOf } = require('../core/errors')
const { countedIn } = require('../core/counted')
const { formatBytes, formatDuration, formatInteger, plural } = require('../core/units')
const { cutList } = require('../figures/parts')
const { whole } = require('./sentence')

/** @typedef {import('./findings').Words} Words */
/** @typedef {import('../core/counted').Counted} Counted */

const OTHER_LOOKUP = ' It is resolved here: use socks5h:// instead of socks5:// to let the proxy resolve it.'

/** @param {any} facts */
const after = ({ timeout }) => timeout === undefined ? '' : ` after ${timeout} s`

/** The rest of `No response from URL`. @type {Record<string, (facts: any, counted: Counted) => string>} */
const REASONS = {
  timeout: (facts, { one }) => `: every ${one} timed out${after(facts)}. If the server needs longer, raise ` +
    `${facts.isOfRequest ? 'the timeout of the request' : '-t (--timeout)'}.` +
    (facts.hadBegun
      ? ' Responses had begun: if they are streams, measure them with ' +
      `${facts.isOfFunction ? 'http.stream()' : '--stream sse, ndjson or chunks'}.`
      : ''),
  unmatched: facts =>
    `: every message timed out${after(facts)}. ${plural(facts.unmatched, 'message')} arrived that --match assigned ` +
    'to none in flight: check what it compares, or use --match next.',
  'handshake-refused': ({ error, statuses: [status] }) => error === 'AC_WS_STATUS' && status !== undefined
    ? `: the server refused the WebSocket handshake with status ${status}. Check the path, and what the server ` +
      'requires: credentials, an Origin, a subprotocol.'
    : `: the WebSocket handshake failed: ${meaningOf(error)}.`,
  'closed-websocket': ({ error }) => `: ${meaningOf(error)}. Check its log, and what it requires: credentials, ` +
    'an Origin, a subprotocol.',
  'connect-timeout': facts =>
    `: every attempt to connect timed out${after(facts)}. ` +
    'Is the address right, and does a firewall let it through? ' +
    `To wait longer, raise ${facts.isOwn ? '--connect-timeout' : '-t (--timeout)'}.`,
  'tunnel-timeout': facts => `: the proxy makes tunnels, and no TLS handshake in one was done${after(facts)}.`,
  proxy: () => ': no connection came about through the proxy.',
  'proxy-or-server-closed': () => ': the proxy or the server ends connections without a response.',
  'proxy-or-server-tls': () =>
    ': the proxy or the server expects TLS. For a proxy that does, write https:// in front of it.',
  'proxy-or-server-not-http': () => ': the proxy or the server does not speak HTTP/1.1.',
  'proxied-http2-silent': () => ': through the proxy connections come about, and HTTP/2 does not begin.',
  'tls-expected': ({ secure }) => `: it expects TLS. Try ${secure}`,
  'no-tls': ({ plain }) => `: it does not speak TLS. Try ${plain}`,
  closed: ({ secure, plain }) =>
    ': the server ends connections without a response. ' +
    `If it ${secure === undefined ? 'does not speak' : 'expects'} TLS, try ${secure ?? plain}`,
  'http2-error': () => ': if it does not speak HTTP/2, omit --http2.',
  'tls-refused': () =>
    ': it refuses the TLS handshake. --tls-min, --tls-max and --ciphers change the offer; ' +
    '--cert and --key set a client certificate.',
  untrusted: ({ error }) =>
    `: ${meaningOf(error) ?? 'its certificate was not accepted'} (${error}). ` +
    'Trust its authority with --ca, or disable verification with -k (--insecure).',
  'http2-no-streams': () => ': it speaks HTTP/2, and allows no request on a connection.',
  'http2-silent': () => ': it takes connections and does not begin HTTP/2. If it speaks HTTP/1.1, omit --http2.',
  'not-http': () => ': what listens there does not speak HTTP/1.1. If it speaks HTTP/2, add --http2.',
  'no-name-server': ({ lookedUpHere }) =>
    ': no name server responds. --resolve HOST:PORT:ADDR sets an address without one.' +
    (lookedUpHere ? OTHER_LOOKUP : ''),
  'no-address': ({ family }) => `: its name has no IPv${family} address. Omit -${family}.`,
  'unknown-host': ({ lookedUpHere }) => `: is the name of the host right?${lookedUpHere ? OTHER_LOOKUP : ''}`,
  error: ({ error }) => `: ${meaningOf(error)}. ${hintOf(error) ?? ''}`.trimEnd(),
  unreachable: () => ': is the server running there?',
  other: () => '.'
}

/** @param {any} facts */
function whereOf ({ urls, socketPath }) {
  return urls.join(', ') + (socketPath === undefined ? '' : ` (${socketPath})`)
}

/** @type {Record<string, Words>} */
module.exports = {
  'no-response': (facts, _, result) =>
    whole(`No response from ${whereOf(facts)}${REASONS[facts.reason](facts, countedIn(result))}`),
  // A WebSocket can't have --http auto.
  'http2-refused': (facts, _, result) =>
    whole(`The server at ${whereOf(facts)} speaks HTTP/1, not HTTP/2. Omit --http2` +
      (facts.secure !== ''
        ? `, or, if it expects TLS, try ${facts.secure}`
        : result.websocket === undefined ? ', or use --http auto.' : '.')),
  'nothing-received' ({ opened, closed, pinged }) {
    const nothing = `No message arrived on ${plural(opened, 'connection')}` +
      (pinged ? ', nor the response to a ping' : '')
    const closes = Object.entries(closed)
    return whole(closes.length === 0
      ? `${nothing}. If the server sends only after a message, give one with -b.` +
        (pinged ? '' : ' To hold idle connections open, add --ping 30s.')
      : `${nothing}: the server closed them ` +
        `(${closes.map(([code, n]) => `${formatInteger(n)} × ${code}`).join(', ')}). ` +
        'Check its log, and what it requires: credentials, an Origin, a subprotocol.')
  },
  'no-response-yet' (facts, _, result) {
    const { iterations, inSkipped, skipped, requests, unfinished, timed, unmade, bytes, kind, isOfMessages } = facts
    const { reason, aborted, cutBy, opened, posted } = facts
    const { one, many } = countedIn(result)
    if (unmade !== undefined) {
      return whole(`setupRequest returned nothing in ${plural(unmade, 'iteration')}, which ended there: ` +
        'it returns the request that is sent.')
    }
    if (opened !== undefined) {
      const did = posted > 0 ? `sent ${plural(posted, 'message')}` : `opened ${plural(opened, 'WebSocket')}`
      return whole(`${plural(iterations, 'iteration')} ${did} and waited for no message: in a user ` +
        'function, await socket.request(message) is a response, and for await (const message of socket) has other ' +
        'messages.')
    }
    if (iterations !== undefined) {
      return whole(`${plural(iterations, 'iteration')} ended without a request: a user function sends one as in ` +
        "await http.get('/'). Requests of fetch and other libraries are not measured.")
    }
    if (aborted !== undefined) {
      return whole(`${plural(aborted, 'iteration was', 'iterations were')} aborted before ` +
        `${aborted === 1 ? 'its' : 'their'} first request: ${cutList(cutBy)}.`)
    }
    if (inSkipped) {
      return whole(`The run ended within the first ${formatDuration(skipped)}, which --skip-first excludes: ` +
        `${plural(requests, one)} are in no figure.`)
    }
    if (skipped !== undefined) {
      return whole(`No response came after the first ${formatDuration(skipped)}, which --skip-first excludes; ` +
        `${plural(unfinished, `${one} was`, `${many} were`)} waiting.`)
    }
    if (kind !== undefined) {
      return whole(`The run ended before the end of the first response, of which ${formatBytes(bytes)} came. ` +
        `--stream ${kind} reads 2xx responses of text/event-stream, and none was one` +
        `${reason === undefined ? '' : `: ${reason}`}. For lines of JSON use --stream ndjson, for others --stream ` +
        'chunks.')
    }
    if (bytes !== undefined) {
      return whole(`The run ended before the end of the first response, of which ${formatBytes(bytes)} came. ` +
        'For endless streams (text/event-stream) add --stream sse' +
        (timed ? '; for long responses, raise -d (--duration).' : '.'))
    }
    if (isOfMessages) {
      return whole('The run ended before the first response: each message waits for one. If the server sends on its ' +
        `own, measure that with --receive and no body${timed ? '; if it is slow, raise -d (--duration)' : ''}.`)
    }
    return whole(timed
      ? 'The run ended before the first response: give it more time with -d (--duration).'
      : 'The run ended before the first response.')
  }
}
