'use strict'

// Requests a tunnel from an HTTP proxy (RFC 9110 §9.3.6), and reads its response.

const { ConnectionError, ProtocolError } = require('../../core/errors')
const { oneLine } = require('../../core/foreign-text')
const { redactedText } = require('../../core/secrets')

/** The limit of a proxy's head. */
const LONGEST_HEAD = 16 * 1024

/** Statuses of a proxy that could not reach the server. */
const UNREACHED = new Set([500, 502, 503, 504])

/** The limit of shown text from a proxy. */
const LONGEST_REASON = 100

class ConnectMethod {
  /** @param {import('../route').Proxy} proxy @param {import('../route').Place} place the destination of the tunnel */
  constructor ({ shown, authorization }, { host, port }) {
    this.shown = shown
    this.to = `${host.includes(':') ? `[${host}]` : host}:${port}`
    this.authorization = authorization
    this.head = ''
    /** Whether the tunnel is open. */
    this.done = false
    /** @type {Error | null} the reason when there is no tunnel */
    this.error = null
  }

  /** @param {(bytes: string | Buffer) => void} write to the proxy */
  begin (write) {
    const { to, authorization } = this
    write(`CONNECT ${to} HTTP/1.1\r\nHost: ` +
      `${to}\r\n${authorization === null ? '' : `Proxy-Authorization: ${authorization}\r\n`}\r\n`)
  }

  /**
   * @param {Buffer} bytes from the proxy
   * @returns {number} the number of bytes of its response; the rest is from the server
   */
  read (bytes) {
    const before = this.head.length
    // In Latin-1, each byte is one character. Interim responses precede the final one (RFC 9110 §15.2).
    this.head += bytes.toString('latin1', 0, LONGEST_HEAD + 1)
    let start = 0
    for (let end = endOf(this.head, 0); end !== -1; end = endOf(this.head, end)) {
      const [, status] = /^HTTP\/1\.\d (\d\d\d)(?: |\r?\n)/.exec(this.head.slice(start, end)) ?? []
      if (status === undefined || status === '101') break
      if (!status.startsWith('1')) return this.response(Number(status), this.head.slice(start, end), end - before)
      start = end
    }
    if (!'HTTP/1.'.startsWith(this.head.slice(start, start + 7))) this.error = this.strange('no HTTP')
    else if (endOf(this.head, start) !== -1) this.error = this.strange('no status line')
    else if (this.head.length > LONGEST_HEAD) {
      this.error = this.strange(`a head of more than ${LONGEST_HEAD / 1024} KiB`)
    }
    return bytes.length
  }

  /** Returns `taken`. @type {(status: number, head: string, taken: number) => number} */
  response (status, head, taken) {
    this.done = status < 300
    if (this.done) return taken
    const reason = shown(head.slice(13))
    const code = status === 407 ? 'AC_PROXY_AUTH' : UNREACHED.has(status) ? 'AC_PROXY_UNREACHED' : 'AC_PROXY_REFUSED'
    const advice = status !== 407
      ? ''
      : this.authorization === null
        ? ': give user and password in its URL'
        : ': user or password of its URL are wrong'
    this.error = new ConnectionError(code, `the proxy ${this.shown} responded to CONNECT ${this.to} with ` +
      `${status}${reason === '' ? '' : ' '}${reason}${advice}`)
    return taken
  }

  /** @param {string} what */
  strange (what) {
    return new ProtocolError(
      'AC_PROXY_ANSWER',
      `the proxy ${this.shown} responded to CONNECT ${this.to} with ${what}: ${shown(this.head)}`
    )
  }
}

/**
 * @param {string} text of the proxy, which may contain secrets of the request
 * @returns {string} its first line
 */
function shown (text) {
  return oneLine(redactedText(text.split(/\r?\n/, 1)[0]), LONGEST_REASON)
}

/** Returns the index after the next empty line, -1 for none. @type {(text: string, from: number) => number} */
function endOf (text, from) {
  const match = /\r?\n\r?\n/g
  match.lastIndex = from
  return match.test(text) ? match.lastIndex : -1
}

module.exports = { ConnectMethod }
