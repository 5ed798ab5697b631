'use strict'

// The noun of a run's unit: requests, or messages over WebSocket. All output takes it from here; the keys of results
// are those of requests in either case.

/**
 * @typedef {object} Counted
 * @property {string} one
 * @property {string} many
 * @property {string} rate after a number
 * @property {string} name of a column that has them
 * @property {string} title how a title begins that is about them
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

/** User functions send messages among requests of HTTP, to a URL of HTTP. @param {Record<string, any>} result */
const countsMessages = ({ websocket, url, options }) =>
  websocket !== undefined && !/^https?:/i.test(String([options?.url ?? url].flat()[0]))

/** @type {(result: Record<string, any> | null | undefined) => Counted} also of a part of a result that has its key */
const countedIn = result => result != null && countsMessages(result) ? MESSAGES : REQUESTS

/** @type {(url: string | string[] | undefined) => Counted} of a run that has no result yet */
const countedAt = url => [url].flat().some(one => /^wss?:/i.test(one ?? '')) ? MESSAGES : REQUESTS

/**
 * @param {Record<string, any> | null} result
 * @returns {string} the noun of events in a rate: sent messages have one as well
 */
const eventRate = result => result?.streams?.kind === 'messages' ? 'received/s' : 'events/s'

module.exports = { MESSAGES, REQUESTS, countedAt, countedIn, countsMessages, eventRate }
