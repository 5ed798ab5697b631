'use strict'

// Owns what is known of the requests that have a name: the figures that a result has of each, and those that follow from them.

const { countNon2xx } = require('../record/statuses')

/**
 * @typedef {object} Named one name; results of older versions have less
 * @property {string} name
 * @property {number} count answers
 * @property {number} perSecond answers
 * @property {number} non2xx answers
 * @property {number} errors
 * @property {number} [failures]
 * @property {number} [unexpected]
 * @property {Record<string, { count: number }>} statusCodeStats
 * @property {Array<Record<string, any>>} [checks]
 * @property {Record<string, any>} latency
 * @property {Record<string, any>} ttfb
 */

/**
 * @param {Record<string, any>} result
 * @returns {Named[]} in the order of the result
 */
function namedRequests ({ byRequest = {}, duration }) {
  return Object.entries(byRequest).map(([name, one]) =>
    ({ ...one, name, perSecond: one.count / duration, non2xx: countNon2xx(countsIn(one.statusCodeStats)) }))
}

/**
 * @param {Record<string, any>} result
 * @param {string} name
 * @returns {Named | null} null when no request of that name was made
 */
function findNamed ({ byRequest = {}, duration }, name) {
  return Object.hasOwn(byRequest, name) ? namedRequests({ byRequest: { [name]: byRequest[name] }, duration })[0] : null
}

/**
 * @param {Record<string, { count: number }>} [stats]
 * @returns {Record<string, number>} how many answers had each status
 */
function countsIn (stats = {}) {
  return Object.fromEntries(Object.entries(stats).map(([status, { count }]) => [status, count]))
}

module.exports = { namedRequests, findNamed, countsIn }
