'use strict'

// The declaration of chunks as a kind of stream: what one read brings of a body, of which nothing is known.

/** @type {import('../stream').Kind} */
module.exports = {
  types: [],
  message: 'chunk',
  scanner: onMessage => new (require('./scanner').ReadScanner)(onMessage)
}
