'use strict'

// The requests of a run, from its result. Two runs are compared only if these are the same. The load (connections, rate
// and the like) may differ, which is a finding.

const { MESSAGES, countedAt } = require('../../core/counted')

/**
 * @param {Array<Record<string, any>>} base results
 * @param {Array<Record<string, any>>} next
 * @returns {string | null} the difference of their requests; null for none, or if it is unknown
 */
function differenceOfWork (base, next) {
  // Results of autocannon 9, and merged results of different runs, have no options: only their paths are known.
  const whole = [...base, ...next].every(({ options }) => options !== undefined)
  const [before, after] = [base, next].map(side =>
    [...new Set(side.map(result => (whole ? requestsOf(result) : pathsOf(result)).join(', ')))].join(' or '))
  return before === after ? null : `${brief(before)} and ${brief(after)}`
}

/**
 * @param {Record<string, any>} result
 * @returns {string[]} such as `POST /login [18 bytes]`, in the order in which they are sent
 */
function requestsOf (result) {
  const { body, form, har, targets, requests = [{}], scenarios } = result.options
  const method = result.options.method ?? (countedAt(result.url) === MESSAGES ? [] : 'GET')
  if (har !== undefined) return [`a HAR of ${har}`]
  if (targets !== undefined) return [`the targets ${targets}`]
  if (scenarios !== undefined) {
    return scenarios.flatMap((/** @type {any} */ { name, weight = 1, requests }) => [
      `${weight} × ${name ?? 'a scenario'}:`,
      ...requestsOf({ ...result, options: { ...result.options, scenarios: undefined, requests } })
    ].join(' '))
  }
  const isPause = (/** @type {any} */ entry) => Object.keys(entry).join() === 'pause'
  return requests
    .filter((/** @type {any} */ entry) => !isPause(entry))
    .flatMap((/** @type {any} */ request) => pathsOf(result).map(path => [
      ...[request.method ?? method].flat(),
      request.path === undefined ? path : withoutQuery(request.path),
      ...[request.body ?? form ?? body ?? []].flat()
    ].join(' ')))
}

/** @param {Record<string, any>} result */
function pathsOf ({ url }) {
  return [...new Set([url].flat().map(pathOf))]
}

/** @param {unknown} url @returns {string} without the origin, which differs for two servers */
function pathOf (url) {
  try {
    return new URL(/^[a-z]+:\/\//i.test(String(url)) ? String(url) : `http://${url}`).pathname
  } catch {
    return '/'
  }
}

/** @param {string} path */
function withoutQuery (path) {
  return String(path).replace(/[?#].*/s, '')
}

/** @param {string} requests */
function brief (requests) {
  return requests.length > 100 ? requests.slice(0, 99) + '…' : requests
}

module.exports = { differenceOfWork }
