'use strict'

// Owns `[<id>]`: where it stands in a request, and the ids that take its place. All ids have one length, so a request's
// Content-Length is known before any is made: a fresh id is written over the last one.

const { randomBytes } = require('node:crypto')

const TAG = '[<id>]'
const DIGITS = 10
/** Stands for an id until the first one is written: random, so that nothing else in a request is taken for it. */
const PLACE = randomBytes(16).toString('hex').slice(0, 15) + '-' + '0'.repeat(DIGITS)

/**
 * @param {import('./request').Request} request
 * @returns {import('./request').Request} with places for ids instead of tags
 */
function withPlaces ({ method, path, headers, body }) {
  return {
    method,
    path: path === null ? null : path.replaceAll(TAG, PLACE),
    headers: headers.map(([name, value]) => /** @type {const} */ ([name, value.replaceAll(TAG, PLACE)])),
    body: body === null
      ? null
      : typeof body === 'string'
        ? body.replaceAll(TAG, PLACE)
        : Buffer.from(Buffer.from(body).toString('latin1').replaceAll(TAG, PLACE), 'latin1')
  }
}

/**
 * @param {Buffer} bytes
 * @returns {number[]} where the places are
 */
function findPlaces (bytes) {
  const places = []
  for (let at = bytes.indexOf(PLACE); at !== -1; at = bytes.indexOf(PLACE, at + PLACE.length)) places.push(at)
  return places
}

/** Makes ids that no other maker makes: a random part of its own, then a count. */
class Ids {
  constructor () {
    this.prefix = randomBytes(8).toString('hex').slice(0, 15) + '-'
    this.count = 0
  }

  /**
   * @param {Buffer} bytes
   * @param {number[]} places each gets an id of its own
   */
  write (bytes, places) {
    for (const place of places) {
      bytes.write(this.prefix, place, 'latin1')
      let rest = ++this.count
      for (let at = place + PLACE.length - 1; at >= place + this.prefix.length; at--) {
        bytes[at] = 48 + rest % 10
        rest = Math.floor(rest / 10)
      }
    }
  }
}

module.exports = { withPlaces, findPlaces, Ids }
