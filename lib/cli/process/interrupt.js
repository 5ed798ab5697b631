'use strict'

// Ends a run from outside. The first signal, or a closed output pipe (`| head`), requests the report so far. A second
// signal ends the process at once, unless it arrives together with the first. Other errors of the standard streams are
// reported.

const { isatty } = require('node:tty')
const clock = require('../../core/clock')
const { SIGNALS } = require('../exit-code')

/** Without SIGPIPE: a server that closes its socket raises it, too. */
const CAUGHT = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * One user action may send several signals, ms: `timeout` signals its child and its group, and npm forwards signals
 * that the terminal has sent to both.
 */
const TOGETHER = 250

/**
 * @typedef {object} Context
 * @property {NodeJS.WriteStream[]} streams stdout and stderr
 * @property {(error: Error) => void} onUnwritten receives the first write error; once, perhaps after the run
 * @property {() => void} onUnread the reader of a stream closed it; perhaps after the run
 * @property {(code: number) => void} exit
 * @property {import('../../core/clock').Clock} [now]
 */

/** The instance that watches the streams: a program may run the command line several times. @type {Interrupt | null} */
let current = null

/**
 * @this {NodeJS.WriteStream}
 * @param {NodeJS.ErrnoException} error
 */
function lose (error) {
  current?.lose(this, error)
}

class Interrupt {
  /** @param {Context} context */
  constructor ({ streams, onUnwritten, onUnread, exit, now = clock.now }) {
    this.now = now
    this.onUnwritten = onUnwritten
    this.onUnread = onUnread
    this.signal = null
    this.signalledAt = -Infinity
    /** The cause of the end, if it was not a signal from outside. @type {string | undefined} */
    this.by = undefined
    this.onSignal = () => {}
    /** A stream accepts no more data, as on a full disk. */
    this.onLost = () => {}
    this.hungUp = false
    this.reported = false
    this.atTerminal = [0, 1, 2].some(isatty)
    /** @param {string} signal */
    this.handle = signal => {
      // A failed write may report the closed terminal before SIGHUP arrives.
      if (this.hungUp && signal === 'SIGHUP') return
      if (this.signal !== null) return this.isRepeated ? undefined : exit(SIGNALS[signal])
      this.signal = signal
      this.signalledAt = this.now()
      this.onSignal()
    }
    current = this
    for (const stream of streams) if (!stream.listeners('error').includes(lose)) stream.on('error', lose)
  }

  /** Whether a signal that comes now belongs to the first one. */
  get isRepeated () {
    return this.now() - this.signalledAt < TOGETHER
  }

  /** From now on a signal requests a report. Before, it ends the process at once, even while it waits for a file. */
  listen () {
    for (const signal of CAUGHT) process.on(signal, this.handle)
  }

  /** @type {(stream: NodeJS.WriteStream, error: NodeJS.ErrnoException) => void} */
  lose (stream, error) {
    const signal = signalOf(stream, error)
    if (signal === null) {
      this.onLost()
      if (!this.reported) this.onUnwritten(error)
      this.reported = true
    } else {
      if (signal === 'SIGPIPE') this.onUnread()
      if (this.signal === null) this.handle(signal)
      this.hungUp ||= signal === 'SIGHUP'
    }
  }

  /**
   * Restores the default effect of signals, except for late ones of the same user action. The streams stay watched: the
   * last write may fail after everything else.
   */
  forget () {
    const off = () => { for (const signal of CAUGHT) process.off(signal, this.handle) }
    // After SIGHUP the process ends by that signal.
    if (this.isRepeated && this.signal !== 'SIGHUP') setTimeout(off, TOGETHER).unref()
    else off()
    this.onSignal = () => {}
    this.onLost = () => {}
  }
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {NodeJS.ErrnoException} error
 * @returns {'SIGPIPE' | 'SIGHUP' | null} the equivalent signal for a closed pipe or a closed terminal
 */
function signalOf ({ isTTY }, { code }) {
  return code === 'EPIPE' ? 'SIGPIPE' : code === 'EIO' && isTTY ? 'SIGHUP' : null
}

module.exports = { Interrupt }
