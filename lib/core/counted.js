'use strict'

// The noun of a run's unit: requests, or messages over WebSocket. All output uses it. The keys of results are the same
// for both.

/**
 * @typedef {object} Counted
 * @property {string} one
 * @property {string} many
 * @property {string} rate after a number
 * @property {string} name of a column with their number
 * @property {string} title the start of titles about them
 * @property {string} head of a column or a row of rates
 */

/** @type {Counted} */
const REQUESTS = Object.freeze({
  one: 'request', many: 'requests', rate: 'req/s', name: 'Request', title: 'Requests', head: 'Req/s'
})

/** @type {Counted} */
const MESSAGES = Object.freeze({
  one: 'message', many: 'messages', rate: 'messages/s', name: 'Message', title: 'Messages', head: 'Messages/s'
})

/**
 * User functions send WebSocket messages beside HTTP requests, and their URL is one of HTTP.
 * @param {Record<string, any>} result
 */
const countsMessages = ({ websocket, url, options }) =>
  websocket !== undefined && !/^https?:/i.test(String([options?.url ?? url].flat()[0]))

/**
 * @type {(result: Record<string, any> | null | undefined) => Counted} the noun of a result, or of a part of it with its
 *   key
 */
const countedIn = result => result != null && countsMessages(result) ? MESSAGES : REQUESTS

/** @type {(url: string | string[] | undefined) => Counted} the noun of a run without a result */
const countedAt = url => [url].flat().some(one => /^wss?:/i.test(one ?? '')) ? MESSAGES : REQUESTS

/**
 * @param {Record<string, any> | null} result
 * @returns {string} the noun of events in a rate, to distinguish them from the rate of sent messages
 */
const eventRate = result => result?.streams?.kind === 'messages' ? 'received/s' : 'events/s'

module.exports = { MESSAGES, REQUESTS, countedAt, countedIn, countsMessages, eventRate }
