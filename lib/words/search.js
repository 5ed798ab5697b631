'use strict'

// The sentences on a search for the limit: why one of its thresholds, or the load to be found, failed or is
// inconclusive.

/** By the load at which the load generator was at its limit. @type {Record<string, string>} */
const CLIENT_LIMITS = {
  load: 'the load generator was at its limit',
  above: 'the load generator was at its limit in the range above',
  limit: 'the load generator was at its limit, and not the server'
}

/** The sentences by code. @type {Record<string, import('./judgements').Words>} */
const SEARCH = {
  'uncertain-load': () => 'the figures are too close to the limit for a certain verdict',
  'search-expired': () => 'the time of the search was over before this was certain',
  'search-interrupted': () => 'the search was interrupted',
  'client-limit': ({ where }) => CLIENT_LIMITS[where],
  'lowest-failed': () => 'not even the lowest load was held',
  'server-silent': () => 'the server no longer responds'
}

module.exports = { SEARCH }
