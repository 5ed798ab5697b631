'use strict'

// The declaration of Server-Sent Events as a kind of stream.

/** @type {import('../stream').Kind} */
module.exports = {
  types: ['text/event-stream'],
  message: 'event',
  scanner: (onMessage, isContinued) => new (require('./scanner').SseScanner)(onMessage, isContinued)
}
