'use strict'

// One connection attempt before a run, which is not part of the result. The connection is closed as soon as it is
// established.

const { codeOf } = require('../core/errors')

/**
 * @typedef {object} Attempt
 * @property {string | null} code of the error; null after a successful connection
 * @property {string | null} protocol selected by ALPN (RFC 7301); empty without ALPN, null without a connection
 */

/**
 * @param {import('../net/transport').Connect} connect
 * @param {import('../options/plan').Plan['targets'][number]} target
 * @param {number} timeout ms
 * @param {AbortSignal} signal aborts the attempt
 * @returns {Promise<Attempt>}
 */
function attempt (connect, target, timeout, signal) {
  return new Promise(resolve => {
    const onread = { buffer: Buffer.alloc(1024), callback: () => true }
    const socket = connect(target, onread, ready => {
      end({ code: null, protocol: ready.alpnProtocol || '' })
    })
    const stop = () => fail('AC_CONNECT_TIMEOUT')
    const timer = setTimeout(stop, Math.max(0, timeout))
    signal.addEventListener('abort', stop)
    /** @param {string} code */
    const fail = code => end({ code, protocol: null })
    /** @param {Attempt} outcome */
    const end = outcome => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      socket.destroy()
      resolve(outcome)
    }
    socket.on?.('error', error => fail(codeOf(error)))
    socket.on?.('close', () => fail('AC_CLOSED'))
  })
}

module.exports = { attempt }
