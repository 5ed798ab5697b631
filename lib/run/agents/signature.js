'use strict'

// Authenticates messages between coordinator and agent by HMAC-SHA256 with a shared key (AUTOCANNON_KEY). It does not
// encrypt: a reader of the queue can read the plan.
//
// A replayed message does not verify. The run is a random name of the coordinator, the nonce a random name of the agent
// for this session: a recorded order is invalid in another session or for another agent, and a report in another run.
// The direction prevents reflection to the sender, and the number prevents reordering. All data that the other side
// acts on must be in the payload.

const { createHmac, timingSafeEqual } = require('node:crypto')
const { OptionsError } = require('../../core/errors')

/** The minimum length of a key: a recorded message allows an offline search, which finds short keys. */
const SHORTEST_KEY = 16

/**
 * @typedef {object} Session identifies one direction of a conversation
 * @property {string} run
 * @property {string} agent
 * @property {string} nonce
 * @property {'order' | 'report'} direction to the agent, or to the coordinator
 */

/**
 * @param {string | undefined} text of AUTOCANNON_KEY
 * @returns {string | null} the key without a line break at its end, which files with secrets often have; null for none
 * @throws {OptionsError} without the key in its message
 */
function readKey (text) {
  const key = text?.trim() ?? ''
  if (key !== '' && key.length < SHORTEST_KEY) {
    throw new OptionsError([`AUTOCANNON_KEY: expected at least ${SHORTEST_KEY} characters, got ${key.length}. To ` +
      'make one: openssl rand -hex 32'])
  }
  return key === '' ? null : key
}

/** Signs and verifies messages of one direction of a session. */
class Signature {
  /** @param {string | null} key null without signatures @param {Session} session */
  constructor (key, { run, agent, nonce, direction }) {
    /** The derived key of this direction and session. JSON separates the parts unambiguously. */
    this.key = key === null
      ? null
      : createHmac('sha256', key).update(JSON.stringify(['autocannon agents', run, agent, nonce, direction])).digest()
  }

  /**
   * @param {number} number of the message
   * @param {string | Buffer} payload
   * @returns {string} the signature; empty without a key
   */
  sign (number, payload) {
    if (this.key === null) return ''
    return createHmac('sha256', this.key).update(`${number}\n`).update(payload).digest('base64url')
  }

  /**
   * Returns whether the signature is valid. Without a key, the message must be unsigned.
   * @type {(number: unknown, payload: string | Buffer, mac: unknown) => boolean}
   */
  verify (number, payload, mac) {
    if (typeof mac !== 'string' || !isNumber(number)) return false
    const given = Buffer.from(mac)
    const right = Buffer.from(this.sign(number, payload))
    return given.length === right.length && timingSafeEqual(given, right)
  }
}

/** @param {unknown} number @returns {number is number} */
function isNumber (number) {
  return Number.isSafeInteger(number) && /** @type {number} */ (number) >= 0
}

/**
 * @param {string | null} key of this side
 * @param {boolean} signs whether the other side claims to have a key
 * @param {{ here: string, there: string }} sides such as `this agent`, `the coordinator`
 * @returns {string | null} the reason why the sides cannot work together; null if they can
 */
function disagreement (key, signs, { here, there }) {
  if (signs === (key !== null)) return null
  return signs
    ? `${there} signs what it sends, and ${here} has no AUTOCANNON_KEY: set the same on both sides`
    : `${here} has an AUTOCANNON_KEY, and ${there} has none: set the same on both sides`
}

module.exports = { Signature, disagreement, readKey }
