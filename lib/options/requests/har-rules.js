'use strict'

// Checks that the requests of a HAR match the URLs of the run, and which options cannot be combined with recorded gaps.

const { problemAt, problemWith } = require('../../core/problem')
const { isPaced } = require('../load/load')

/** @type {(values: import('../normalize').Values) => string[]} */
function skippedOrigins ({ har, url }) {
  const origins = new Set(url.map((/** @type {string} */ one) => new URL(one).origin))
  const skipped = [...har?.keys() ?? []].filter(origin => !origins.has(origin))
  return skipped.length === 0
    ? []
    : [`the HAR's requests to ${skipped.join(', ')} are skipped: give these origins as URLs, too, to send them`]
}

/** A problem for each URL without a request in the HAR. @type {import('../normalize').Rules} */
function missingOrigins ({ har, url = [] }, call) {
  if (har === undefined) return []
  /** @type {string[]} */
  const origins = url.map((/** @type {string} */ one) => new URL(one).origin)
  return origins.filter(origin => !har.has(origin)).map(origin =>
    problemAt(call, 'har', `no request of the file goes to ${origin}; it has ` +
      `${[...har.keys()].join(', ') || 'none'}; give one of these as the URL, or change the origins in the file`))
}

/** @type {import('../normalize').Rules} */
function aboutPauses (values, call) {
  const { har, harPauses, speed } = values
  if (!harPauses) {
    return speed === undefined || speed === 1
      ? []
      : [problemAt(call, 'speed', `expected ${call('harPauses')} as well, got none: there are no recorded gaps that ` +
        'could be shorter or longer')]
  }
  if (har === undefined) {
    return [problemAt(call, 'harPauses', `expected ${call('har')} as well, got none: there is no recording with gaps ` +
      'to keep')]
  }
  const problems = []
  if (isPaced(values)) {
    problems.push(problemWith(call, 'harPauses', 'and a rate each set when a request is sent: use one of them'))
  }
  if (har.untimed !== null) problems.push(problemAt(call, 'harPauses', har.untimed))
  return problems
}

module.exports = { aboutPauses, missingOrigins, skippedOrigins }
