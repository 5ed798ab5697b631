'use strict'

// The code of users in the process of the command: what it prints, what it throws where nothing waits for it, whether
// it holds the thread, and what it leaves behind. Loaded by those whose users are functions.

const { StrayErrors } = require('./stray-errors')

/** How long timers and sockets of a module may keep the process, once all is written, ms. */
const GRACE = 1000

/**
 * @typedef {object} Edge of the process
 * @property {(message: string) => void} complain
 * @property {Console} printer
 */

/** While one run has such code. */
class UserCode {
  /**
   * @param {import('../run/instance').Instance} instance
   * @param {import('../options/normalize').Values} values
   * @param {Edge} edge
   */
  constructor (instance, values, { complain, printer }) {
    this.printing = UserCode.printedAside(printer)
    this.strays = new StrayErrors(instance, values.keepGoing, complain)
    this.watchdog = watchdogFor(values)
  }

  /** What the run ended with, thrown where nothing waits for it. */
  get failure () {
    return this.strays.failure
  }

  end () {
    this.watchdog?.end()
    this.printing.end()
    this.strays.forget()
  }

  /** What functions print does not come into the result. @param {Console} printer @returns {{ end: () => void }} */
  static printedAside (printer) {
    const { log, info, debug } = printer
    printer.log = printer.info = printer.debug = (...details) => printer.error(...details)
    return { end: () => { Object.assign(printer, { log, info, debug }) } }
  }

  /** How workers are started. */
  static startWorker () {
    return require('../run/transport-thread').startThreadAside(process.stderr)
  }

  /**
   * A module may leave a timer or a pool of connections behind: the command ends all the same.
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

/** Of functions that run in this thread. @param {import('../options/normalize').Values} values */
function watchdogFor (values) {
  if (values.workers !== undefined || values.agents !== undefined) return null
  const { Watchdog, isDebugged } = require('./watchdog')
  return isDebugged() ? null : new Watchdog()
}

module.exports = { UserCode }
