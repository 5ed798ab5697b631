'use strict'

// The declaration of the streams of OpenAI-compatible servers, chat completions and completions: Server-Sent Events
// with a JSON object each, whose tokens are counted as well.

/** @type {import('../stream').Kind} */
module.exports = {
  types: ['text/event-stream'],
  message: 'event',
  scanner: onMessage => new (require('./scanner').CompletionScanner)(onMessage)
}
