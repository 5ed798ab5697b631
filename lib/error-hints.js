'use strict'

// Owns what to do about each kind of error that a request or a connection can end with, beside what it means (errors.js). One sentence each, which
// stands in docs/errors.md, too.

const PEER_BROKE = 'Look at the log of the server, and of what stands before it (a proxy, a load balancer): one of them may have crashed, or limits connections.'
const ASK_LONGER = 'If the server needs longer, raise -t (--timeout); if it should not, send less load.'
const NO_HTTP2 = 'Leave --http2 out, or let --http auto choose.'
const BROKEN_ANSWER = 'That is a fault of the server or of what stands before it: curl -v shows the response.'
const TRUST = 'Give the authority that signed it by --ca, or -k (--insecure) to verify nothing.'
const TLS_OFFER = 'See --tls-min, --tls-max and --ciphers for what is offered.'
const CLIENT_CERTIFICATE = 'Give a certificate by --cert and --key.'
const NETWORK = 'Check the address, the routes and the VPN of this machine.'
const FEWER_CONNECTIONS = 'Use fewer connections (-c), or raise the limit: ulimit -n, LimitNOFILE= in systemd, --ulimit nofile= in Docker.'
const PORTS = 'Make fewer connections anew, connect from several addresses (--local-address), or widen sysctl net.ipv4.ip_local_port_range.'
const REFUSED_STREAM = 'The server had no room for the request: use fewer streams (-p) or connections (-c).'
const SERVER_LOG = 'Look at the log of the server: the code is its own.'

/** @type {Readonly<Record<string, string>>} */
const HINTS = Object.freeze({
  AC_TIMEOUT: ASK_LONGER,
  AC_BEHIND_TIMEOUT: 'See the timeout before it; with -p 1 no request waits behind another one.',
  AC_CONNECT_TIMEOUT: 'Is the address right, and does a firewall let it through? To wait longer, raise --connect-timeout.',
  AC_LOOKUP_TIMEOUT: '--resolve HOST:PORT:ADDR says an address without a name server.',
  AC_NOT_ALLOWED: 'Start the agent with --allow for that host.',
  AC_PROXY_CONNECT: 'Is the proxy running at that address?',
  AC_PROXY_TIMEOUT: 'Is it a proxy, and of that kind? To wait longer, raise --connect-timeout.',
  AC_PROXY_CLOSED: 'Look at the log of the proxy: it may limit connections, or be of another kind.',
  AC_PROXY_AUTH: 'Give user:password@ in the URL of --proxy.',
  AC_PROXY_REFUSED: 'Does the proxy let this client reach that host and port?',
  AC_PROXY_UNREACHED: 'Is the server running where the proxy looks for it?',
  AC_PROXY_ANSWER: 'Is it a proxy of that kind? http:// and socks5:// in front of its address say which.',
  AC_TUNNEL_CLOSED: 'Does the server speak TLS at that port, and does the proxy let it through?',
  AC_UNDICI_BODY: 'Send the body with POST, PUT or PATCH, or leave --client undici out.',
  AC_UNDICI_SESSION: BROKEN_ANSWER,
  AC_CLOSED: PEER_BROKE,
  AC_TRUNCATED: PEER_BROKE,
  AC_TLS_ALERT: 'Write https:// in front of the address.',
  AC_STATUS_LINE: 'What listens there may speak another protocol; if it is HTTP/2, add --http2.',
  AC_HEADER: BROKEN_ANSWER,
  AC_HEAD_SIZE: BROKEN_ANSWER,
  AC_CONTENT_LENGTH: BROKEN_ANSWER,
  AC_TRANSFER_ENCODING: BROKEN_ANSWER,
  AC_CHUNK: BROKEN_ANSWER,
  AC_UNREQUESTED: BROKEN_ANSWER,
  AC_CONTENT_ENCODING: 'Leave --compressed out to take bodies as they come.',
  AC_CHARSET: 'Have the server send the charset that the body has, or read response.bytes in a function.',
  AC_DECODED_SIZE: 'Leave --compressed out to take bodies as they come.',
  AC_H2_HEADER: 'Leave that header out: HTTP/2 has none that are about the connection.',
  AC_H2_ALPN: NO_HTTP2,
  AC_H2_HTTP1: NO_HTTP2,
  AC_H2_SILENT: `If the server speaks HTTP/1.1: ${NO_HTTP2[0].toLowerCase()}${NO_HTTP2.slice(1)}`,
  AC_H2_NO_STREAMS: 'Look at how many concurrent streams the server is set to allow.',
  AC_H2_PREFACE: NO_HTTP2,
  AC_H2_RESET: SERVER_LOG,
  AC_H2_GOAWAY: SERVER_LOG,
  AC_H2_RESET_REFUSED_STREAM: REFUSED_STREAM,
  AC_H2_GOAWAY_REFUSED_STREAM: REFUSED_STREAM,
  AC_H2_RESET_ENHANCE_YOUR_CALM: 'The server limits load: it takes this for an attack. Send less, or raise its limits.',
  AC_H2_GOAWAY_ENHANCE_YOUR_CALM: 'The server limits load: it takes this for an attack. Send less, or raise its limits.',
  AC_H2_RESET_HTTP_1_1_REQUIRED: NO_HTTP2,
  AC_H2_GOAWAY_HTTP_1_1_REQUIRED: NO_HTTP2,
  AC_H2_RESET_INADEQUATE_SECURITY: TLS_OFFER,
  AC_H2_GOAWAY_INADEQUATE_SECURITY: TLS_OFFER,

  ECONNREFUSED: 'Is the server running, and is that its port? If it was there at first, it may have crashed.',
  ECONNRESET: PEER_BROKE,
  EPIPE: PEER_BROKE,
  ENOENT: 'Is the path of -S (--socketPath) right, and the server running?',
  ENOTFOUND: 'Is the name of the host right?',
  EAI_AGAIN: '--resolve HOST:PORT:ADDR says an address without a name server.',
  EHOSTUNREACH: NETWORK,
  ENETUNREACH: NETWORK,
  ETIMEDOUT: PEER_BROKE,
  EADDRNOTAVAIL: PORTS,
  EADDRINUSE: PORTS,
  EMFILE: FEWER_CONNECTIONS,
  ENFILE: 'Use fewer connections (-c), or raise sysctl fs.file-max.',
  UND_ERR_SOCKET: PEER_BROKE,
  HTTPParserError: BROKEN_ANSWER,
  UND_ERR_HEADERS_OVERFLOW: 'Raise it by NODE_OPTIONS=--max-http-header-size=65536.',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN_ANSWER,
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'Leave Content-Length out of the headers: it is set to what the body has.',
  UND_ERR_INVALID_ARG: 'Leave --client undici out, or change the request.',
  UND_ERR_NOT_SUPPORTED: 'Leave --client undici out, or change the request.',
  UND_ERR_CONNECT_TIMEOUT: 'Is the address right, and does a firewall let it through?',
  UND_ERR_HEADERS_TIMEOUT: ASK_LONGER,
  UND_ERR_BODY_TIMEOUT: ASK_LONGER,
  UND_ERR_INFO: PEER_BROKE,
  UND_ERR_ABORTED: 'Look at the interceptors of the dispatcher, and at its proxy.',
  ERR_HTTP2_ERROR: `If the server speaks HTTP/1.1: ${NO_HTTP2[0].toLowerCase()}${NO_HTTP2.slice(1)}`,
  ERR_HTTP2_INVALID_SESSION: PEER_BROKE,
  ERR_HTTP2_GOAWAY_SESSION: PEER_BROKE,
  ERR_HTTP2_SESSION_ERROR: SERVER_LOG,
  ERR_HTTP2_STREAM_ERROR: SERVER_LOG,
  ERR_HTTP2_STREAM_CANCEL: PEER_BROKE,
  ERR_ASSERTION: 'Leave --client undici out, or take another version of undici.',
  UND_ERR_DESTROYED: 'End the dispatcher after the run.',
  UND_ERR_CLOSED: 'End the dispatcher after the run.',
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use the name that is in the certificate, or say it by --servername.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'Write http:// in front of the address.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'Write http:// in front of the address.',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'Offer another one by --alpn, or leave --http2 out.',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: TLS_OFFER,
  ERR_SSL_UNSUPPORTED_PROTOCOL: TLS_OFFER,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: `${TLS_OFFER} ${CLIENT_CERTIFICATE}`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE
})

/** Of the other ways in which a server can break HTTP/2, or say that we did. */
const OF_HTTP2 = /^AC_H2_(?!RESET|GOAWAY)/
const OF_THE_PEER = /^AC_H2_(RESET|GOAWAY)_/

/**
 * @param {string} code
 * @returns {string | undefined} what to do, as a sentence; nothing of what no request ends with
 */
function hintOf (code) {
  if (Object.hasOwn(HINTS, code)) return HINTS[code]
  return OF_HTTP2.test(code) ? BROKEN_ANSWER : OF_THE_PEER.test(code) ? SERVER_LOG : undefined
}

module.exports = { hintOf }
