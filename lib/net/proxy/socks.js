'use strict'

// Requests a tunnel from a SOCKS5 proxy (RFC 1928, RFC 1929) with npm socks. It is fed byte by byte, so that it
// consumes no bytes of the server after the proxy's last byte.

const { Duplex } = require('node:stream')
const { SocksClient } = require('socks')
const { ConnectionError, ProtocolError } = require('../../core/errors')

/** A name has a length of one byte in the protocol. */
const LONGEST_NAME = 255

/** npm socks's names of the refusals of RFC 1928 §6 that are about the way to the server, not about permission. */
const UNREACHED = /(Failure|NetworkUnreachable|HostUnreachable|ConnectionRefused|TTLExpired)$/

class Socks {
  /**
   * @param {import('../route').Proxy} proxy
   * @param {import('../route').Place} place to which the tunnel is to lead
   * @param {number} timeout ms
   * @param {Pick<import('../addresses').Addresses, 'of'> | null} addresses of the place, if the proxy gets an address;
   *   null if it gets the host
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
    // npm socks reads the response to user and password in a promise, after this read.
    client.on('error', ({ message }) => {
      this.error ??= this.explained(message)
      this.fail(this.error)
    })
    client.connect(/** @type {any} */ (socket))
  }

  /**
   * @param {Buffer} bytes from the proxy
   * @returns {number} how many of them are its response; the rest is the server's
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
    const said = `the proxy ${shown} responded to a request for ${host}:${port} with`
    if (refusal !== undefined && refusal !== 'undefined') {
      return new ConnectionError(
        UNREACHED.test(refusal) ? 'AC_PROXY_UNREACHED' : 'AC_PROXY_REFUSED',
        `${said} ${refusal}`
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
    return new ProtocolError('AC_PROXY_ANSWER', `${said} what is no SOCKS5: ${message}`)
  }
}

module.exports = { Socks }
