'use strict'

// A proxy in reports: the time until it had connected, and its name.

const { proxyName } = require('../../words/instruments')

/** @param {Record<string, any>} result @returns {string} the proxy, without credentials */
function shownProxy ({ options: { proxy } = {} }) {
  return proxyName(proxy)
}

/** @type {import('../../report/authored').TimesOf} */
function times ({ proxy }) {
  return proxy?.connect === undefined ? [] : [{ name: 'Connect, proxy', distribution: proxy.connect, after: 'Connect' }]
}

module.exports = { shownProxy, times }
