'use strict'

// The declaration of NDJSON as a kind of stream. Its servers name many media types, so any will do.

/** @type {import('../stream').Kind} */
module.exports = {
  types: [],
  message: 'line',
  scanner: onMessage => new (require('./scanner').LineScanner)(onMessage)
}
