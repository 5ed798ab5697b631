'use strict'

// Detects that the process ends while the command still runs: a user module called process.exit(), or nothing keeps the
// event loop alive. A build must not read that as a passed run, or as failed thresholds.

class UnexpectedEnd {
  /**
   * @param {(code: number) => void} onEnd receives the exit code, in the exit event of the process. It is not called
   *   for an uncaught exception, which Node.js reports
   */
  constructor (onEnd) {
    let thrown = false
    this.onThrown = () => { thrown = true }
    this.onExit = (/** @type {number} */ code) => { if (!thrown) onEnd(code) }
    process.on('uncaughtExceptionMonitor', this.onThrown)
    process.on('exit', this.onExit)
  }

  forget () {
    process.off('exit', this.onExit)
    process.off('uncaughtExceptionMonitor', this.onThrown)
  }

  /**
   * @param {number} code
   * @param {import('../../run/instance').Instance | null} instance the current run
   * @param {{ stderr: NodeJS.WritableStream, complain: (message: string) => void }} edge the partial result is shown
   */
  static report (code, instance, { stderr, complain }) {
    const result = instance?.soFar() ?? null
    if (result !== null && result.requests?.sent > 0) {
      stderr.write(require('../../report/text').printResult({ ...result, interrupted: true }))
    }
    complain(code === 0
      ? 'the command ended without a result: a module called process.exit(), or something that it waited for can ' +
        'never come'
      : `the command ended before ${instance === null ? 'it had a result' : 'its run was over'}: a module called ` +
        `process.exit(${code}); throw an error to end a run with its report`)
  }
}

module.exports = { UnexpectedEnd }
