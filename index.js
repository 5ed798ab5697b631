'use strict'

// The public API, assembled: what a run does not need is loaded by the first call.

const { Instance } = require('./lib/run/instance')

/**
 * Benchmarks an HTTP server.
 * @param {Record<string, any>} opts
 * @param {(error: Error | null, result?: Record<string, any>) => void} [callback] when left out, the returned instance
 *   is a promise of the result
 * @returns {Instance}
 */
function autocannon (opts, callback) {
  return new Instance(opts, callback)
}

module.exports = autocannon
/** @type {typeof import('./lib/follow/terminal').track} */
module.exports.track = (instance, options) => require('./lib/follow/terminal').track(instance, options)
/** @type {typeof import('./lib/report/text').printResult} */
module.exports.printResult = (result, options) => require('./lib/report/text').printResult(result, options)
/** @type {(results: Array<Record<string, any>>, opts?: Record<string, any>) => Record<string, any>} */
module.exports.aggregateResult = (results, opts) => require('./lib/run/aggregate-result').aggregateResult(results, opts)
/** @type {typeof import('./lib/run/compare-results').compareResults} */
module.exports.compareResults = (base, next, opts) =>
  require('./lib/run/compare-results').compareResults(base, next, opts)
/** @type {typeof import('./lib/report/formats/format').formatResult} */
module.exports.formatResult = (result, format, options) =>
  require('./lib/report/formats/format').formatResult(result, format, options)
/** @type {typeof import('./lib/experiments/find/find').find} */
module.exports.find = (opts, callback) => require('./lib/experiments/find/find').find(opts, callback)
/** @type {typeof import('./lib/experiments/versus/versus').versus} */
module.exports.versus = (opts, callback) => require('./lib/experiments/versus/versus').versus(opts, callback)
/** @type {typeof import('./lib/cli/main').start} */
module.exports.start = given => require('./lib/cli/main').start(given)
/** @type {typeof import('./lib/cli/main').parseArguments} */
module.exports.parseArguments = argv => require('./lib/cli/main').parseArguments(argv)
