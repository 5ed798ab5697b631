'use strict'

// Advice for each error code: one sentence each, which docs/errors.md repeats. errors.js has the meanings.

const PEER_BROKE = 'Check the logs of the server and of a proxy or load balancer in front of it: one of them may ' +
  'have crashed, or limits connections.'
const WAIT_LONGER = 'Raise -t (--timeout) if the server needs longer; otherwise reduce the load.'
const NO_HTTP2 = 'Omit --http2 or, with an http:// or https:// URL, use --http auto.'
const BROKEN_ANSWER = 'The server, or a proxy in front of it, sends invalid data: curl -v shows the response.'
const NO_WEBSOCKET = 'Check that the path is a WebSocket, and that a proxy in front of the server forwards it.'
const BROKEN_FRAMES = 'The server, or a proxy in front of it, violates WebSocket (RFC 6455): check its library.'
const TRUST = 'Trust its authority with --ca, or disable verification with -k (--insecure).'
const TLS_OFFER = '--tls-min, --tls-max and --ciphers change the offer.'
const CLIENT_CERTIFICATE = 'Set a certificate with --cert and --key.'
const NETWORK = 'Check the address, the routes and the VPN of this machine.'
const FEWER_CONNECTIONS =
  'Use fewer connections (-c), or raise the limit: ulimit -n, LimitNOFILE= in systemd, --ulimit nofile= in Docker.'
const PORTS =
  'Reconnect less often, use several source addresses (--local-address), or widen sysctl net.ipv4.ip_local_port_range.'
const SERVER_LOG = 'Check the log of the server, which sent this code.'

/** Of a stream that the server reset, and of a connection that it ended. @param {string} error @param {string} hint */
const ofHttp2 = (error, hint) => ({ [`AC_H2_RESET_${error}`]: hint, [`AC_H2_GOAWAY_${error}`]: hint })

/** @type {Readonly<Record<string, string>>} */
const HINTS = Object.freeze({
  AC_NO_STREAM: 'Check the status of the response first: const stream = await http.stream(path).',
  AC_UNREAD_EVENTS: 'Read events in the loop, and leave it with break when enough have arrived.',
  AC_TIMEOUT: WAIT_LONGER,
  AC_IDLE_TIMEOUT: 'Raise --idle-timeout if the server needs longer between events.',
  AC_BEHIND_TIMEOUT: 'See the timeout of the earlier request; with -p 1, requests do not wait for each other.',
  AC_CONNECT_TIMEOUT: 'Check the address and the firewall. To wait longer, raise --connect-timeout.',
  AC_LOOKUP_TIMEOUT: '--resolve HOST:PORT:ADDR sets an address without a name server.',
  AC_NOT_ALLOWED: 'Start the agent with --allow for that host.',
  AC_PROXY_CONNECT: 'Is the proxy running at that address?',
  AC_PROXY_TIMEOUT: 'Check that it is a proxy of that kind. To wait longer, raise --connect-timeout.',
  AC_PROXY_CLOSED: 'Check the log of the proxy: it may limit connections, or be of another kind.',
  AC_PROXY_AUTH: 'Set user:password@ in the URL of --proxy.',
  AC_PROXY_REFUSED: 'Check that the proxy allows this client to use that host and port.',
  AC_PROXY_UNREACHED: 'Check that the server is running and reachable from the proxy.',
  AC_PROXY_ANSWER: 'Check the kind of the proxy: http:// or socks5:// in its address.',
  AC_TUNNEL_CLOSED: 'Check that the server speaks TLS at that port, and that the proxy allows it.',
  AC_UNDICI_BODY: 'Send the body with POST, PUT or PATCH, or omit --client undici.',
  AC_UNDICI_SESSION: BROKEN_ANSWER,
  AC_CLOSED: PEER_BROKE,
  AC_TRUNCATED: PEER_BROKE,
  AC_EVENT_SIZE: 'Check that the server ends its events: an empty line in SSE, a line break in NDJSON.',
  AC_LLM_EMPTY: 'The server generated nothing. Check the request, the model and the log of the server.',
  AC_LLM_ERROR: 'The reason has the message of the server. Under load, check its limits of requests and of memory.',
  AC_LLM_JSON: 'Check what the server, or a proxy in front of it, writes into the stream.',
  AC_LLM_TRUNCATED: 'Check the server and the timeouts of proxies: something ended the stream early.',
  AC_TLS_ALERT: 'Use https:// in the address.',
  AC_STATUS_LINE: 'The server may speak another protocol; for HTTP/2, add --http2.',
  AC_HEADER: BROKEN_ANSWER,
  AC_HEAD_SIZE: BROKEN_ANSWER,
  AC_CONTENT_LENGTH: BROKEN_ANSWER,
  AC_TRANSFER_ENCODING: BROKEN_ANSWER,
  AC_CHUNK: BROKEN_ANSWER,
  AC_UNREQUESTED: BROKEN_ANSWER,
  AC_CONTENT_ENCODING: 'Omit --compressed to receive undecoded bodies.',
  AC_CHARSET: 'Fix the charset that the server sends, or read response.bytes in a function.',
  AC_DECODED_SIZE: 'Omit --compressed to receive undecoded bodies.',
  AC_WS_STATUS: 'Check the path, and what the server requires: credentials, an Origin, a subprotocol.',
  AC_WS_UPGRADE: NO_WEBSOCKET,
  AC_WS_CONNECTION: NO_WEBSOCKET,
  AC_WS_ACCEPT: NO_WEBSOCKET,
  AC_WS_SILENT: `${NO_WEBSOCKET} To wait longer, raise --connect-timeout, or the timeout of that ws().`,
  AC_WS_HTTP2: 'Omit --http2, or let the server send ENABLE_CONNECT_PROTOCOL (0x8) = 1 in its SETTINGS.',
  AC_WS_SUBPROTOCOL: 'Check which subprotocols the server supports.',
  AC_WS_EXTENSION: BROKEN_FRAMES,
  AC_WS_RESERVED: BROKEN_FRAMES,
  AC_WS_OPCODE: BROKEN_FRAMES,
  AC_WS_MASKED: BROKEN_FRAMES,
  AC_WS_LENGTH: BROKEN_FRAMES,
  AC_WS_CONTROL: BROKEN_FRAMES,
  AC_WS_FRAGMENT: BROKEN_FRAMES,
  AC_WS_UTF8: BROKEN_FRAMES,
  AC_WS_CLOSE_FRAME: BROKEN_FRAMES,
  AC_WS_SIZE: 'Check why the server sends a message of that size.',
  AC_WS_DEFLATE: BROKEN_FRAMES,
  AC_WS_MATCH: 'Give the message such a value, such as {{counter}}, or another match.',
  AC_WS_REPEATED: 'Give each message a different id, such as {{counter}}.',
  AC_WS_ABNORMAL: PEER_BROKE,
  AC_WS_CLOSED: 'Open another one with await ws(path), or close it later.',
  AC_WS_PING_TIMEOUT: PEER_BROKE,
  AC_WS_CLOSE: 'Check the log of the server, which closed the WebSocket.',
  AC_WS_CLOSE_TOO_LARGE: 'Send smaller messages, or raise the limit of the server.',
  AC_WS_CLOSE_TRY_AGAIN_LATER: 'The server is overloaded: reduce the load.',
  AC_H2_HEADER: 'Remove that header: HTTP/2 has no connection headers.',
  AC_H2_ALPN: NO_HTTP2,
  AC_H2_HTTP1: NO_HTTP2,
  AC_H2_SILENT: `If the server speaks HTTP/1.1: ${NO_HTTP2[0].toLowerCase()}${NO_HTTP2.slice(1)}`,
  AC_H2_NO_STREAMS: 'Check the limit of concurrent streams of the server.',
  AC_H2_PREFACE: NO_HTTP2,
  AC_H2_RESET: SERVER_LOG,
  AC_H2_GOAWAY: SERVER_LOG,
  ...ofHttp2('REFUSED_STREAM', 'The server is at its limit of streams: use fewer streams (-p) or connections (-c).'),
  ...ofHttp2('ENHANCE_YOUR_CALM',
    'The server takes the load for an attack: reduce it, or raise the limits of the server.'),
  ...ofHttp2('HTTP_1_1_REQUIRED', NO_HTTP2),
  ...ofHttp2('INADEQUATE_SECURITY', TLS_OFFER),

  ECONNREFUSED: 'Check that the server is running on that port. If it responded before, it may have crashed.',
  ECONNRESET: PEER_BROKE,
  EPIPE: PEER_BROKE,
  ENOENT: 'Check the path of -S (--socketPath), and that the server is running.',
  ENOTFOUND: 'Check the name of the host.',
  EAI_AGAIN: '--resolve HOST:PORT:ADDR sets an address without a name server.',
  EHOSTUNREACH: NETWORK,
  ENETUNREACH: NETWORK,
  ETIMEDOUT: PEER_BROKE,
  EADDRNOTAVAIL: PORTS,
  EADDRINUSE: PORTS,
  EMFILE: FEWER_CONNECTIONS,
  ENFILE: 'Use fewer connections (-c), or raise sysctl fs.file-max.',
  UND_ERR_SOCKET: PEER_BROKE,
  HTTPParserError: BROKEN_ANSWER,
  UND_ERR_HEADERS_OVERFLOW: 'Raise it with NODE_OPTIONS=--max-http-header-size=65536.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN_ANSWER,
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'Remove Content-Length from the headers: it is set automatically.',
  UND_ERR_INVALID_ARG: 'Omit --client undici, or change the request.',
  UND_ERR_NOT_SUPPORTED: 'Omit --client undici, or change the request.',
  UND_ERR_CONNECT_TIMEOUT: 'Check the address and the firewall.',
  UND_ERR_HEADERS_TIMEOUT: WAIT_LONGER,
  UND_ERR_BODY_TIMEOUT: WAIT_LONGER,
  UND_ERR_INFO: PEER_BROKE,
  UND_ERR_ABORTED: 'Check the interceptors of the dispatcher, and its proxy.',
  ERR_HTTP2_ERROR: `If the server speaks HTTP/1.1: ${NO_HTTP2[0].toLowerCase()}${NO_HTTP2.slice(1)}`,
  ERR_HTTP2_INVALID_SESSION: PEER_BROKE,
  ERR_HTTP2_GOAWAY_SESSION: PEER_BROKE,
  ERR_HTTP2_SESSION_ERROR: SERVER_LOG,
  ERR_HTTP2_STREAM_ERROR: SERVER_LOG,
  ERR_HTTP2_STREAM_CANCEL: PEER_BROKE,
  ERR_ASSERTION: 'Omit --client undici, or use another version of undici.',
  UND_ERR_DESTROYED: 'End the dispatcher after the run.',
  UND_ERR_CLOSED: 'End the dispatcher after the run.',
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a name of the certificate, in the URL or with --servername.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'Use http:// in the address.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'Use http:// in the address.',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'Offer another one with --alpn, or omit --http2.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: TLS_OFFER,
  ERR_SSL_UNSUPPORTED_PROTOCOL: TLS_OFFER,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: `${TLS_OFFER} ${CLIENT_CERTIFICATE}`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE
})

/** Other codes of a server that violates HTTP/2, or reports that we did. */
const OF_HTTP2 = /^AC_H2_(?!RESET|GOAWAY)/
const OF_THE_PEER = /^AC_(?:H2_RESET|H2_GOAWAY|WS_CLOSE)_/

/**
 * @param {string} code
 * @returns {string | undefined} advice, as a sentence; none for a code that no request ends with
 */
function hintOf (code) {
  if (Object.hasOwn(HINTS, code)) return HINTS[code]
  return OF_HTTP2.test(code) ? BROKEN_ANSWER : OF_THE_PEER.test(code) ? SERVER_LOG : undefined
}

module.exports = { hintOf }
