'use strict'

// Requests a tunnel from a SOCKS5 proxy (RFC 1928, RFC 1929) with npm socks. It receives single bytes, so that it does
// not consume bytes of the server after the last byte of the proxy.

const { Duplex } = require('node:stream')
const { SocksClient } = require('socks')
const { ConnectionError, ProtocolError } = require('../../core/errors')

/** The length of a name is one byte in the protocol. */
const LONGEST_NAME = 255

/** Names in npm socks for replies of RFC 1928 §6 that report an unreachable server, not a missing permission. */
const UNREACHED = /(Failure|NetworkUnreachable|HostUnreachable|ConnectionRefused|TTLExpired)$/

class Socks {
  /**
   * @param {import('../route').Proxy} proxy
   * @param {import('../route').Place} place the destination of the tunnel
   * @param {number} timeout ms
   * @param {Pick<import('../addresses').Addresses, 'of'> | null} addresses for the look-up, if the proxy receives an
   *   address; null if it receives the name
   */
  constructor (proxy, place, timeout, addresses) {
    this.proxy = proxy
    this.place = place
    this.timeout = timeout
    this.addresses = addresses
    this.done = false
    /** @type {Error | null} */
    this.error = null
    this.socket = new Duplex({ read () {}, write: (bytes, encoding, callback) => { this.write(bytes); callback() } })
    this.write = (/** @type {Buffer} */ bytes) => {}
    /** @type {(error: Error) => void} */
    this.fail = () => {}
  }

  /** @param {(bytes: Buffer) => void} write to the proxy @param {(error: Error) => void} fail */
  begin (write, fail) {
    const { addresses, place, proxy: { shown } } = this
    this.write = write
    this.fail = fail
    if (addresses !== null) {
      const { host, lookup } = addresses.of(place)
      return lookup(host, { all: false }, (error, address) =>
        error === null ? this.request({ host: /** @type {string} */ (address), port: place.port }) : fail(error))
    }
    if (Buffer.byteLength(place.host) <= LONGEST_NAME) this.request(place)
    else {
      fail(new ConnectionError(
        'AC_PROXY_REFUSED',
      `the proxy ${shown} does not support a host of more than ${LONGEST_NAME} bytes: ${place.host.slice(0, 60)}…`
      ))
    }
  }

  /** @param {import('../route').Place} destination */
  request (destination) {
    const { proxy: { host, port, credentials }, socket, timeout } = this
    const client = new SocksClient({
      proxy: {
        host, port, type: 5, ...credentials !== null && { userId: credentials.user, password: credentials.password }
      },
      command: 'connect',
      destination,
      timeout,
      existing_socket: /** @type {any} */ (socket)
    })
    client.on('established', () => { this.done = true })
    // npm socks reads the response to user and password asynchronously, after `read` has returned.
    client.on('error', ({ message }) => {
      this.error ??= this.explained(message)
      this.fail(this.error)
    })
    client.connect(/** @type {any} */ (socket))
  }

  /**
   * @param {Buffer} bytes from the proxy
   * @returns {number} the number of bytes of its response; the rest is from the server
   */
  read (bytes) {
    let taken = 0
    while (taken < bytes.length && !this.done && this.error === null) {
      this.socket.emit('data', bytes.subarray(taken, ++taken))
    }
    return taken
  }

  /** @param {string} message of npm socks @returns {Error} */
  explained (message) {
    const { proxy: { shown, credentials }, place: { host, port } } = this
    const [, refusal] = /rejected connection - (\w+)$/.exec(message) ?? []
    const reply = `the proxy ${shown} responded to a request for ${host}:${port} with`
    if (refusal !== undefined && refusal !== 'undefined') {
      return new ConnectionError(
        UNREACHED.test(refusal) ? 'AC_PROXY_UNREACHED' : 'AC_PROXY_REFUSED',
        `${reply} ${refusal}`
      )
    }
    if (/no accepted authentication|Authentication failed/.test(message)) {
      return new ConnectionError(
        'AC_PROXY_AUTH',
        credentials === null
          ? `the proxy ${shown} wants credentials: give user and password in its URL`
          : `the proxy ${shown} does not take user and password of its URL`
      )
    }
    return new ProtocolError('AC_PROXY_ANSWER', `${reply} what is no SOCKS5: ${message}`)
  }
}

module.exports = { Socks }
