'use strict'

// Checks whether a listening socket speaks HTTP. It may belong to a database, or close soon because a program only
// searched for a free port.

const { request } = require('node:http')
const { now } = require('../core/clock')

/**
 * The timeout of an attempt, and the pause after a failed one, ms. Both double with each attempt on the same socket.
 */
const FIRST_TIMEOUT = 1000
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
 * @typedef {object} Probes of a candidate
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
const PROBES = [probeHttp1('OPTIONS', '*'), probeHttp2, probeTls, probeHttp1('GET', '/')]

class Readiness {
  constructor () {
    /** @type {Map<string, Probes>} */
    this.probes = new Map()
    /** Functions that abort the pending attempts. @type {Set<() => void>} */
    this.ends = new Set()
    this.onReady = () => {}
  }

  /**
   * @param {Candidate} candidate
   * @returns {boolean} whether the candidate is ready; starts an attempt if that is unknown
   */
  of (candidate) {
    const key = JSON.stringify(candidate)
    let probes = this.probes.get(key)
    if (probes === undefined) {
      this.probes.set(key, probes = {
        address: candidate.address, ready: false, listens: true, tries: 0, next: -Infinity
      })
    }
    if (!probes.ready && now() >= probes.next) this.probe(candidate, probes)
    return probes.ready
  }

  /** @type {(candidate: Candidate, probes: Probes) => void} */
  probe ({ address, http }, probes) {
    const tries = probes.tries++
    probes.next = Infinity
    /** @type {() => void} */
    let end = () => {}
    /** @type {Done} */
    const done = error => {
      if (!this.ends.delete(stop)) return
      clearTimeout(timer)
      end()
      probes.ready = error === undefined
      probes.listens = !CLOSED.has(error?.code ?? '')
      if (!probes.listens) probes.tries = tries
      probes.next = now() + (probes.listens ? Math.min(PAUSE * 2 ** tries, LONGEST_PAUSE) : 0)
      if (probes.ready) this.onReady()
    }
    const stop = () => done(new Error('it did not respond'))
    const timer = setTimeout(stop, FIRST_TIMEOUT * 2 ** Math.min(tries, 6))
    this.ends.add(stop)
    end = (http ? connectOnly : PROBES[tries % PROBES.length])(address, done)
  }

  /** @returns {Promise<void>} resolves when a candidate is ready */
  next () {
    return new Promise(resolve => { this.onReady = resolve })
  }

  /** @returns {Address[]} addresses that listened, but did not speak HTTP */
  silent () {
    return [...this.probes.values()].filter(({ ready, listens }) => listens && !ready).map(({ address }) => address)
  }

  close () {
    for (const end of this.ends) end()
  }
}

/**
 * @param {Address} address
 * @returns {{ host: string, port: number } | { socketPath: string }} as options for node:http
 */
function target (address) {
  return 'port' in address
    ? { host: address.host, port: address.port }
    : { socketPath: address.socketPath.replace(/^@/, '\0') }
}

/**
 * A Node.js program has reported this HTTP server, which may have closed again. A connection suffices as a check, so no
 * request reaches the program.
 * @param {Address} address
 * @param {Done} done
 */
function connectOnly (address, done) {
  // Nothing is sent before end().
  const probing = request({ ...target(address), agent: false }).on('error', done)
  probing.on('socket', socket => socket.on('connect', () => done()))
  return () => probing.destroy()
}

/**
 * OPTIONS * queries the capabilities of a server and reaches no resource (RFC 9110 §9.3.7). A small server may support
 * GET only.
 * @type {(method: string, path: string) => (address: Address, done: Done) => () => void}
 */
function probeHttp1 (method, path) {
  return (address, done) => {
    const probing = request({ ...target(address), agent: false, method, path }, () => done()).end()
    probing.on('error', (/** @type {NodeJS.ErrnoException & { rawPacket?: Buffer }} */ error) => {
      // The run reports a wrong response.
      const hasResponse = error.rawPacket?.toString('latin1', 0, 5) === 'HTTP/'
      done(hasResponse ? undefined : error)
    })
    return () => probing.destroy()
  }
}

/** @param {Address} address @param {Done} done */
function probeHttp2 (address, done) {
  const { connect } = require('node:http2')
  const where = target(address)
  const session = connect('http://localhost', /** @type {any} */ ('port' in where ? where : { path: where.socketPath }))
  session.on('remoteSettings', () => done()).on('error', done).on('close', () => done(new Error('it closed')))
  return () => session.destroy()
}

/** @param {Address} address @param {Done} done */
function probeTls (address, done) {
  const probing = require('node:https').request({ ...target(address), agent: false, rejectUnauthorized: false })
  probing.on('socket', socket => socket.on('secureConnect', () => done()))
  probing.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
    done(REFUSED_BY_TLS.test(error.code ?? '') ? undefined : error))
  return () => probing.destroy()
}

module.exports = { Readiness }
