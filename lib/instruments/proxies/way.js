'use strict'

// The connection in reports, where it is not HTTP/1.1 straight to the server.

const { shownProxy } = require('./report')

/**
 * @param {Record<string, any>} result
 * @returns {string} such as `Sent over HTTP/2, by undici, through the proxy http://proxy:3128`
 */
function waySentence (result) {
  const { http, client, proxy } = result
  const ways = [
    ...http === '2' ? ['over HTTP/2'] : [],
    ...client === undefined ? [] : [`by ${client}`],
    ...proxy === undefined ? [] : [`through ${shownProxy(result)}`]
  ]
  return `Sent ${ways.join(', ')}`
}

module.exports = { waySentence }
