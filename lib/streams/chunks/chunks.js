'use strict'

// The declaration of chunks as a kind of stream: the bytes of one read of a body, with unknown content.

/** @type {import('../stream').Kind} */
module.exports = {
  types: [],
  message: 'chunk',
  scanner: onMessage => new (require('./scanner').ReadScanner)(onMessage)
}
