'use strict'

// One viewer of a live page, fed by server-sent events. At most one event waits for it: a slow viewer skips states and
// receives the latest.

/** Returns the event in the wire format; JSON has no line breaks. @type {(event: string, data: unknown) => string} */
function eventOf (event, data) {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

class Viewer {
  /** @param {import('node:http').ServerResponse} response with its head already sent */
  constructor (response) {
    this.response = response
    /** Whether it has missed an event, or has received none yet. */
    this.isBehind = true
    /** Whether the last event is still being written. */
    this.isBusy = false
    /** Called when the viewer can receive again and has missed an event. */
    this.onReady = () => {}
    /** Resolves when the viewer has disconnected, or all events are written. */
    this.gone = new Promise(resolve => response.once('close', () => resolve(undefined)))
  }

  /**
   * @param {string} change since the last event
   * @param {() => string} whole returns the full state, for a viewer that has missed an event
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
