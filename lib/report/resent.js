'use strict'

// Owns the sentence about requests that were sent again, and the share of them that makes the verdict of a run a warning. Users of such a server whose
// clients do not retry, and all who send a POST, get an error there.

const { formatInteger, formatPercent, plural } = require('../units')

/** Above this share of the requests the verdict is a warning. A connection that is closed after 1,000 requests, one at a time, stays below. */
const MOST = 0.001

/**
 * @param {Record<string, any>} result
 * @returns {number} requests sent again ÷ requests sent; above 1 where most were sent several times, and 0 of a result that does not count them
 */
function resentShare ({ resent = 0, requests }) {
  return requests?.sent > 0 ? resent / requests.sent : 0
}

/** @param {Record<string, any>} result */
function isResentOften (result) {
  return resentShare(result) > MOST
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} how many requests were sent again, and why, without a full stop; null for none
 */
function resentSentence (result) {
  const { resent, requests } = result
  if (!(resent > 0)) return null
  const share = resentShare(result)
  const why = 'because the server closed connections that were in use'
  if (!isResentOften(result) || share > 1) return `${plural(resent, 'request was', 'requests were')} sent again, ${why}`
  return `${formatPercent(share)} of the requests were sent again (${formatInteger(resent)} of ${formatInteger(requests.sent)}), ${why}`
}

module.exports = { isResentOften, resentSentence }
