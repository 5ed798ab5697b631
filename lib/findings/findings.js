'use strict'

// The findings of a result, as data. They are functions of the result, so a result file of any version has them.

const { INSTRUMENTS } = require('../instruments')
const { loadGenerator, pace } = require('./load-generator')
const { noResponse } = require('./no-response')
const { rate } = require('./rate')
const {
  badRequests, failures, outsideOfPath, reconnects, redirects, resent, streamLimit, upgradeRequired
} = require('./responses')
const { shortages } = require('./shortages')
const {
  bailout, gaps, interruption, lateConnections, silence, undiciClient, unfinished, unjudged, warmUp
} = require('./start-and-end')
const { idleUrls } = require('./idle-urls')

/** @typedef {import('../core/finding').Finding} Finding */

/**
 * @param {import('../instruments').Place} place
 * @returns {(result: Record<string, any>) => Finding[]} the findings of instruments with that place
 */
const measured = place => result => /** @type {any[]} */ (Object.values(INSTRUMENTS))
  .filter(one => one.place === place && one.findings && one.isShown(result))
  .flatMap(({ findings }) => findings().findings(result))

/**
 * The groups of findings, in the order of reading.
 * @type {Readonly<Record<string, ReadonlyArray<(result: Record<string, any>) => Finding[]>>>}
 */
const GROUPS = Object.freeze({
  outcome: [silence, failures, interruption],
  resending: [resent],
  urls: [idleUrls],
  hints: [noResponse, redirects, badRequests, upgradeRequired, outsideOfPath],
  shortages: [shortages],
  end: [measured('end')],
  rate: [rate],
  parts: [measured('parts')],
  connections: [pace, streamLimit, reconnects],
  times: [measured('times')],
  course: [undiciClient, bailout, gaps, lateConnections, warmUp, unfinished, unjudged],
  loadGenerator: [loadGenerator],
  last: [measured('last')]
})

/**
 * @param {Record<string, any>} result of one run; also of an older version, or of autocannon 9
 * @param {ReadonlyArray<keyof typeof GROUPS>} [groups] all by default
 * @returns {Finding[]} in the order of reading
 */
function findingsOf (result, groups = Object.keys(GROUPS)) {
  return groups.flatMap(group => GROUPS[group]).flatMap(detect => detect(result))
}

module.exports = { findingsOf }
