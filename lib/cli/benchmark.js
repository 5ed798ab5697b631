'use strict'

// One run from the command line, with its terminal, files and views. Lazy: neither the help nor a wrong flag needs the
// engine.

const { measured, measuredBefore } = require('./commands/measure')
const { responsesOf } = require('./exit-code')
const { limitHeap } = require('./process/heap-limit')
const { AutocannonError } = require('../core/errors')
const { printableData, toJson } = require('../core/foreign-text')
const { Terminal } = require('../follow/terminal')
const { mostConnections } = require('../options/load/load')
const { readValues } = require('../options/read')
const { printResult } = require('../report/text')
const { Instance } = require('../run/instance')

/**
 * @typedef {object} Context
 * @property {import('./process/interrupt').Interrupt} interrupt
 * @property {import('../server/on-port').Server | null} server started by --on-port; the run ends when it exits
 * @property {import('./output/outputs').Outputs | null} outputs
 * @property {import('./output/views').View} views beside the terminal
 * @property {typeof import('./process/user-code').UserCode | null} UserCode null without user functions
 * @property {NodeJS.WriteStream} stdout
 * @property {NodeJS.WriteStream} stderr
 * @property {Console} printer
 * @property {(text: string) => void} print
 * @property {(message: string) => void} complain
 * @property {(instance: Instance | null) => void} onRun receives the run at its start, and null at its end
 */

/**
 * JSON results usually go to a file: the log shows what failed or was inconclusive.
 * @param {Record<string, any>} result a raw one has no figures to check
 * @param {(message: string) => void} complain
 */
function explain (result, complain) {
  if (result.requests === undefined) return
  const { hasFailed, isUnsure, headlineOf } = require('../report/headline')
  const { hints } = require('../report/findings')
  const isSilent = responsesOf(result) === 0 && !result.interrupted
  const why = isSilent ? hints(printableData(result))[0].text : undefined
  if (isSilent || result.endedBy !== undefined || hasFailed(result) || isUnsure(result)) {
    complain(why ?? headlineOf(printableData(result)).sentence)
  }
}

/**
 * @param {import('../options/normalize').Values} values
 * @param {Context} context
 * @returns {Promise<Record<string, any>>} the result
 */
async function benchmark (values, {
  interrupt, server, outputs, views, UserCode, stdout, stderr, printer, print, complain, onRun
}) {
  const instance = new Instance(values, undefined, UserCode?.startWorker, readValues)
  onRun(instance)
  // A run continues to its verdict even if a full disk prevents its report; an endless series of runs has none.
  if (values.forever) interrupt.onLost = () => instance.stop()
  if (values.debug) require('./output/debug').printErrors(instance, stderr)
  instance.on('notice', complain)
  instance.on('log', line => stderr.write(`${line}\n`))
  let hasReport = false
  // Before the followers that show the result.
  if (values.baseline !== undefined) {
    const { compareRuns } = require('./commands/comparison')
    instance.follow({ done: result => { result.comparison = compareRuns(values.baseline, [result], values) } })
  }
  const isData = values.json || values.skipAggregateResult
  if (isData) {
    instance.follow({
      done (result) {
        print(toJson(result) + '\n')
        if (values.forever) explain(result, complain)
      }
    })
  } else {
    instance.follow(new Terminal(instance, {
      renderProgressBar: values.progress,
      renderResultsTable: values.verbose !== false,
      chartInTables: values.chart,
      verbose: values.verbose === true,
      renderLatencyTable: values.latency,
      renderStatusCodes: values.renderStatusCodes,
      // Shown by default when several requests have names.
      ...values.byRequest && { renderRequestTable: true },
      // An endless run has no last line until a signal ends it.
      concluded: !values.forever
    }, undefined, () => require('../follow/live/live').goLive(
      instance, stderr, { others: [stdout], chart: values.chart }
    )))
    instance.follow({ done: () => { hasReport = true } })
  }
  outputs?.follow(instance, values.baseline)
  views.follow(instance)
  const code = UserCode === null ? null : new UserCode(instance, values, { complain, printer })
  const limit = limitHeap(mostConnections(values), () => code?.waitForThreads())
  if (limit !== null) instance.follow(limit)
  try {
    const result = await measured(instance, { interrupt, server, forever: values.forever })
    if (code !== null && code.failure !== null) throw code.failure
    // The error already reports the end of the server.
    if (isData && !values.forever) explain(result, complain)
    return result
  } catch (error) {
    const { isReported = false } = /** @type {{ isReported?: boolean }} */ (error)
    const result = isReported ? null : measuredBefore(error)
    if (result !== null && isData) print(toJson(result) + '\n')
    else if (result !== null) {
      stderr.write(printResult(result))
      hasReport = true
    }
    throw error instanceof AutocannonError ? Object.assign(error, { hasReport }) : error
  } finally {
    onRun(null)
    code?.end()
  }
}

module.exports = { benchmark }
