'use strict'

// The warning for an unknown method: it is sent unchanged, but is usually a mistake.

const { isCommon } = require('../../requests/request')
const { nearest } = require('../../core/suggest')
const { entriesIn } = require('./requests')

/** The registry of IANA (RFC 9110 §16.1), and methods of caches, UPnP and Icecast. */
const KNOWN = Object.freeze([
  'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'ACL', 'BASELINE-CONTROL', 'BIND', 'CHECKIN',
  'CHECKOUT', 'CONNECT', 'COPY', 'LABEL', 'LINK', 'LOCK', 'MERGE', 'MKACTIVITY', 'MKCALENDAR', 'MKCOL',
  'MKREDIRECTREF', 'MKWORKSPACE', 'MOVE', 'ORDERPATCH', 'PRI', 'PROPFIND', 'PROPPATCH', 'QUERY', 'REBIND', 'REPORT',
  'SEARCH', 'TRACE', 'UNBIND', 'UNCHECKOUT', 'UNLINK', 'UNLOCK', 'UPDATE', 'UPDATEREDIRECTREF', 'VERSION-CONTROL',
  'BAN', 'PURGE', 'M-SEARCH', 'NOTIFY', 'SUBSCRIBE', 'UNSUBSCRIBE', 'SOURCE'
])

/** Returns a warning for each unknown method. @type {(values: import('../normalize').Values) => string[]} */
function strangeMethods (values) {
  const given = [values.method, ...entriesIn(values).map(([, { method }]) => method)]
  const methods = new Set(
    given.filter(method => typeof method === 'string' && !isCommon(method) && !KNOWN.includes(method))
  )
  return Array.from(methods, method => {
    const near = nearest(method, [...KNOWN])
    return `unknown method ${method}${near === null ? ': it is sent as it is' : `; did you mean ${near}?`}`
  })
}

module.exports = { strangeMethods }
