'use strict'

// The errors that mean that the peer ended an established connection.

/** TCP reports an RST as ECONNRESET to a read and as EPIPE to a write. undici reports a FIN as UND_ERR_SOCKET. */
const CODES = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * FIN and RST mean the same here: the kernel of a server that closes an idle connection sends RST instead of FIN if the
 * connection has unread bytes, such as a request that arrived at that moment (RFC 9112 §9.6).
 * @param {Error & { code?: string } | null} error null after FIN
 */
function isEndedByPeer (error) {
  return error === null || CODES.has(error.code ?? '')
}

module.exports = { isEndedByPeer }
