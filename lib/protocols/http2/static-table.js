'use strict'

// The static table of HPACK (RFC 7541 Appendix A). Index 0 is unused.

const NAMES = [
  '', ':authority', ':method', ':method', ':path', ':path', ':scheme', ':scheme', ':status', ':status', ':status',
  ':status', ':status', ':status', ':status', 'accept-charset', 'accept-encoding', 'accept-language', 'accept-ranges',
  'accept', 'access-control-allow-origin', 'age', 'allow', 'authorization', 'cache-control', 'content-disposition',
  'content-encoding', 'content-language', 'content-length', 'content-location', 'content-range', 'content-type',
  'cookie', 'date', 'etag', 'expect', 'expires', 'from', 'host', 'if-match', 'if-modified-since', 'if-none-match',
  'if-range', 'if-unmodified-since', 'last-modified', 'link', 'location', 'max-forwards', 'proxy-authenticate',
  'proxy-authorization', 'range', 'referer', 'refresh', 'retry-after', 'server', 'set-cookie',
  'strict-transport-security', 'transfer-encoding', 'user-agent', 'vary', 'via', 'www-authenticate'
]

/** The values of entries that have one. */
const VALUES = ['',
  '', 'GET', 'POST', '/', '/index.html', 'http', 'https',
  '200', '204', '206', '304', '400', '404', '500',
  '', 'gzip, deflate']

/** Returns the value of that entry. @type {(index: number) => string} */
function valueAt (index) {
  return VALUES[index] ?? ''
}

/** Returns the first entry with that name, 0 when there is none. @type {(name: string) => number} */
function findName (name) {
  return Math.max(0, NAMES.indexOf(name))
}

/** Returns the entry that is this field, 0 when there is none. @type {(name: string, value: string) => number} */
function findField (name, value) {
  let index = findName(name)
  while (index > 0 && valueAt(index) !== value) index = Math.max(0, NAMES.indexOf(name, index + 1))
  return index
}

module.exports = { NAMES, valueAt, findName, findField }
