'use strict'

// The streams of OpenAI-compatible servers, chat completions and completions: Server-Sent Events with a JSON object
// each, in which tokens are counted.

const { SseScanner } = require('../sse/sse')
const { Completion } = require('./completion')
const { DataLines } = require('./data-lines')

class CompletionScanner extends SseScanner {
  /** @param {import('../stream').OnMessage | null} [onEvent] null where nothing looks at the text of events */
  constructor (onEvent = null) {
    super(onEvent)
    this.completion = new Completion()
    this.lines = new DataLines(this.completion, this.fields)
    this.fields = /** @type {any} */ (this.lines)
  }

  /** @type {import('../stream').Scanner['scan']} */
  scan (bytes, start, end) {
    this.completion.size += end - start
    let alike = 0
    if (this.isBetween && this.lines.texts === null) {
      for (let next; (next = this.completion.skip(bytes, start, end)) !== -1; start = next) alike++
      if (start === end) return alike
    }
    const events = super.scan(bytes, start, end)
    this.lines.endRead()
    return alike + events
  }

  reset () {
    super.reset()
    this.completion.reset()
  }
}

/** @type {import('../stream').Kind & { CompletionScanner: typeof CompletionScanner }} */
module.exports = {
  CompletionScanner,
  types: ['text/event-stream'],
  message: 'event',
  scanner: onMessage => new CompletionScanner(onMessage)
}
