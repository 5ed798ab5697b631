'use strict'

// A proxy in reports: its time to connect, and how requests were sent if not by HTTP/1.1 directly to the server.

const { proxyName } = require('../../words/instruments')

/**
 * @param {Record<string, any>} result
 * @returns {string} such as `Sent over HTTP/2, by undici, through the proxy http://proxy:3128`
 */
function transportSentence ({ http, client, proxy, options }) {
  return 'Sent ' + [
    ...http === '2' ? ['over HTTP/2'] : [],
    ...client === undefined ? [] : [`by ${client}`],
    ...proxy === undefined ? [] : [`through ${proxyName(options?.proxy)}`]
  ].join(', ')
}

/** @type {import('../../report/authored').TimesOf} */
function times ({ proxy }) {
  return proxy?.connect === undefined ? [] : [{ name: 'Connect, proxy', distribution: proxy.connect, after: 'Connect' }]
}

module.exports = { times, transportSentence }
