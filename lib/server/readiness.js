'use strict'

// Checks whether a listening socket speaks HTTP. A port may be that of a database, or be closed a moment later by a
// program that only searched for a free port.

const { request } = require('node:http')
const { now } = require('../core/clock')

/**
 * How long an attempt may take, and the pause after a failed one, ms. Both double with each attempt on the same socket.
 */
const PATIENCE = 1000
const PAUSE = 50
const LONGEST_PAUSE = 1000

/** Errors of a socket without a listener: it may open at any time, so the pause does not grow. */
const CLOSED = new Set(['ECONNREFUSED', 'ENOENT', 'EADDRNOTAVAIL'])
/** A TLS server that refuses the handshake is a server: the run reports the reason. */
const REFUSED_BY_TLS = /ALERT/

/**
 * @typedef {import('./listening-sockets').Address} Address
 * @typedef {import('./listening-sockets').Candidate} Candidate
 * @typedef {(error?: NodeJS.ErrnoException) => void} Done without an error the socket speaks HTTP
 *
 * @typedef {object} Asked the probes of a candidate
 * @property {Address} address
 * @property {boolean} ready
 * @property {boolean} listens false when the last attempt was refused
 * @property {number} tries
 * @property {number} next when the next probe may start, ms; Infinity during one
 */

/**
 * The probes of a socket, round-robin: each calls `done`, perhaps more than once, and returns how to end the attempt.
 * @type {Array<(address: Address, done: Done) => () => void>}
 */
const WAYS = [askHttp1('OPTIONS', '*'), askHttp2, askTls, askHttp1('GET', '/')]

class Readiness {
  constructor () {
    /** @type {Map<string, Asked>} */
    this.asked = new Map()
    /** Ends of the attempts that last. @type {Set<() => void>} */
    this.ends = new Set()
    this.heard = () => {}
  }

  /**
   * @param {Candidate} candidate
   * @returns {boolean} whether an attempt has shown that it is ready; begins one if it is not known
   */
  of (candidate) {
    const key = JSON.stringify(candidate)
    let asked = this.asked.get(key)
    if (asked === undefined) {
      this.asked.set(key, asked = {
        address: candidate.address, ready: false, listens: true, tries: 0, next: -Infinity
      })
    }
    if (!asked.ready && now() >= asked.next) this.ask(candidate, asked)
    return asked.ready
  }

  /** @type {(candidate: Candidate, asked: Asked) => void} */
  ask ({ address, http }, asked) {
    const tries = asked.tries++
    asked.next = Infinity
    /** @type {() => void} */
    let end = () => {}
    /** @type {Done} */
    const done = error => {
      if (!this.ends.delete(stop)) return
      clearTimeout(timer)
      end()
      asked.ready = error === undefined
      asked.listens = !CLOSED.has(error?.code ?? '')
      if (!asked.listens) asked.tries = tries
      asked.next = now() + (asked.listens ? Math.min(PAUSE * 2 ** tries, LONGEST_PAUSE) : 0)
      if (asked.ready) this.heard()
    }
    const stop = () => done(new Error('it did not respond'))
    const timer = setTimeout(stop, PATIENCE * 2 ** Math.min(tries, 6))
    this.ends.add(stop)
    end = (http ? connectOnly : WAYS[tries % WAYS.length])(address, done)
  }

  /** @returns {Promise<void>} resolves when a candidate turns out to be ready */
  next () {
    return new Promise(resolve => { this.heard = resolve })
  }

  /** @returns {Address[]} that listened, but did not speak HTTP */
  silent () {
    return [...this.asked.values()].filter(({ ready, listens }) => listens && !ready).map(({ address }) => address)
  }

  close () {
    for (const end of this.ends) end()
  }
}

/** @param {Address} address @returns {{ host: string, port: number } | { socketPath: string }} as node:http has it */
function target (address) {
  return 'port' in address
    ? { host: address.host, port: address.port }
    : { socketPath: address.socketPath.replace(/^@/, '\0') }
}

/**
 * An HTTP server of Node.js that reports its port may have closed again: a connect suffices, and no request reaches the
 * program.
 * @param {Address} address
 * @param {Done} done
 */
function connectOnly (address, done) {
  // Nothing is sent before end().
  const asking = request({ ...target(address), agent: false }).on('error', done)
  asking.on('socket', socket => socket.on('connect', () => done()))
  return () => asking.destroy()
}

/**
 * OPTIONS * queries the capabilities of a server, and reaches no resource (RFC 9110, 9.3.7). A small server may know
 * GET only.
 * @type {(method: string, path: string) => (address: Address, done: Done) => () => void}
 */
function askHttp1 (method, path) {
  return (address, done) => {
    const asking = request({ ...target(address), agent: false, method, path }, () => done()).end()
    asking.on('error', (/** @type {NodeJS.ErrnoException & { rawPacket?: Buffer }} */ error) => {
      // The run reports a wrong response.
      const hasResponse = error.rawPacket?.toString('latin1', 0, 5) === 'HTTP/'
      done(hasResponse ? undefined : error)
    })
    return () => asking.destroy()
  }
}

/** @param {Address} address @param {Done} done */
function askHttp2 (address, done) {
  const { connect } = require('node:http2')
  const where = target(address)
  const session = connect('http://localhost', /** @type {any} */ ('port' in where ? where : { path: where.socketPath }))
  session.on('remoteSettings', () => done()).on('error', done).on('close', () => done(new Error('it closed')))
  return () => session.destroy()
}

/** @param {Address} address @param {Done} done */
function askTls (address, done) {
  const asking = require('node:https').request({ ...target(address), agent: false, rejectUnauthorized: false })
  asking.on('socket', socket => socket.on('secureConnect', () => done()))
  asking.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
    done(REFUSED_BY_TLS.test(error.code ?? '') ? undefined : error))
  return () => asking.destroy()
}

module.exports = { Readiness }
