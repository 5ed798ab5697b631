'use strict'

// Handles user functions in the process of the command: output, errors outside of promises, blocked event loops, and
// leftover timers. Loaded for user functions only.

const { UncaughtErrors } = require('./uncaught-errors')

/** How long timers and sockets of a module may keep the process alive after the last write, ms. */
const GRACE = 1000

/**
 * @typedef {object} Edge of the process
 * @property {(message: string) => void} complain
 * @property {Console} printer
 */

class UserCode {
  /**
   * @param {import('../../run/instance').Instance} instance
   * @param {import('../../options/normalize').Values} values
   * @param {Edge} edge
   */
  constructor (instance, values, { complain, printer }) {
    this.printing = UserCode.printedAside(printer)
    this.uncaught = new UncaughtErrors(instance, values.keepGoing, complain)
    this.watchdog = watchdogFor(values)
  }

  /** The error outside of promises that ended the run. */
  get failure () {
    return this.uncaught.failure
  }

  /** Blocks until its threads run. */
  waitForThreads () {
    this.watchdog?.waitForStart()
  }

  end () {
    this.watchdog?.end()
    this.printing.end()
    this.uncaught.forget()
  }

  /**
   * Keeps the output of functions out of the result on stdout.
   * @param {Console} printer
   * @returns {{ end: () => void }}
   */
  static printedAside (printer) {
    const { log, info, debug } = printer
    printer.log = printer.info = printer.debug = (...details) => printer.error(...details)
    return { end: () => { Object.assign(printer, { log, info, debug }) } }
  }

  /** How workers are started. */
  static startWorker () {
    return require('../../run/transport-thread').startThreadAside(process.stderr)
  }

  /**
   * Ends the process although a module may have left a timer or a connection pool open.
   * @param {NodeJS.WriteStream[]} streams of the process
   * @param {() => void} exit
   */
  static endProcess (streams, exit) {
    setTimeout(() => {
      if (streams.every(({ writableLength }) => writableLength === 0)) exit()
      else UserCode.endProcess(streams, exit)
    }, GRACE).unref()
  }
}

/** Only for functions in this thread. @param {import('../../options/normalize').Values} values */
function watchdogFor (values) {
  if (values.workers !== undefined || values.agents !== undefined) return null
  const { Watchdog, isDebugged } = require('./watchdog')
  return isDebugged() ? null : new Watchdog()
}

module.exports = { UserCode }
