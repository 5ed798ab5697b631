'use strict'

// One viewer of a live page, fed by server-sent events. At most one event waits for it: a slow viewer skips states and
// receives the latest.

/** Returns as it goes over the wire; JSON has no line breaks. @type {(event: string, data: unknown) => string} */
function eventOf (event, data) {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

class Viewer {
  /** @param {import('node:http').ServerResponse} response whose head is sent */
  constructor (response) {
    this.response = response
    /** Whether it has lost something, or was never sent anything. */
    this.isBehind = true
    /** Whether the last message to it is still on its way to the network. */
    this.isBusy = false
    /** It takes something again, and has lost something. */
    this.onReady = () => {}
    /** Resolves when it is gone, or all that it was sent is on its way. */
    this.gone = new Promise(resolve => response.once('close', () => resolve(undefined)))
  }

  /**
   * @param {string} change since the last message to it
   * @param {() => string} whole the full state, for a viewer that has missed some
   */
  send (change, whole) {
    if (this.isBusy) {
      this.isBehind = true
      return
    }
    this.isBusy = true
    this.response.write(this.isBehind ? whole() : change, () => {
      this.isBusy = false
      if (this.isBehind) this.onReady()
    })
    this.isBehind = false
  }

  /** @param {string} last */
  end (last) {
    this.response.end(last)
    return this.gone
  }
}

module.exports = { Viewer, eventOf }
