'use strict'

// The public API, assembled.

const { track } = require('./lib/follow/terminal')
const { Instance } = require('./lib/run/instance')
const { formatResult } = require('./lib/report/formats')
const { printResult } = require('./lib/report/text')
const { aggregateResult } = require('./lib/run/aggregate-result')
const { compareResults } = require('./lib/run/compare-results')

/**
 * Benchmarks an HTTP server.
 * @param {Record<string, any>} opts
 * @param {(error: Error | null, result?: Record<string, any>) => void} [callback] when left out, the returned instance is
 *   a promise of the result
 * @returns {Instance}
 */
function autocannon (opts, callback) {
  return new Instance(opts, callback)
}

module.exports = autocannon
module.exports.track = track
module.exports.printResult = printResult
module.exports.aggregateResult = aggregateResult
module.exports.compareResults = compareResults
module.exports.formatResult = formatResult
// A search for the limit is loaded by those who make one.
/** @type {typeof import('./lib/run/find').find} */
module.exports.find = (opts, callback) => require('./lib/run/find').find(opts, callback)
// The command line is loaded by those who use it.
/** @type {typeof import('./lib/cli/main').start} */
module.exports.start = given => require('./lib/cli/main').start(given)
/** @type {typeof import('./lib/cli/main').parseArguments} */
module.exports.parseArguments = argv => require('./lib/cli/main').parseArguments(argv)
