'use strict'

// Owns which paths of URLs stay as they are when the URL is parsed, and where in a URL the path begins.

/** Bytes that stay as they are. */
const PLAIN = new Uint8Array(256)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&()*+,;=:@/?%') PLAIN[char.charCodeAt(0)] = 1

const [PERCENT, DOT, SLASH] = Buffer.from('%./')

/**
 * @param {string} url
 * @returns {number} where its path begins, with a slash; −1 when it has none
 */
function pathStart (url) {
  const slash = url.indexOf('/')
  return slash > 0 && url[slash - 1] === ':' && url[slash + 1] === '/' ? url.indexOf('/', slash + 2) : slash
}

/**
 * @param {string} url
 * @param {number} from where its path begins
 * @returns {boolean} whether a parser would leave the path as it is
 */
function isPlain (url, from) {
  for (let i = from; i < url.length; i++) {
    const code = url.charCodeAt(i)
    if (PLAIN[code] !== 1) return false
    // A parser takes dots out of paths, and %2e is a dot. Two slashes at the start are no path.
    if (code === SLASH && isTurn(url.charCodeAt(i + 1), i === from)) return false
  }
  return true
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @returns {number} behind the path that begins there, as far as a parser would leave it as it is; −1 when there is none
 */
function plainEnd (bytes, start) {
  if (bytes[start] !== SLASH) return -1
  let at = start
  for (; PLAIN[bytes[at]] === 1; at++) {
    if (bytes[at] === SLASH && isTurn(bytes[at + 1], at === start)) return -1
  }
  return at
}

/**
 * @param {number} next the byte behind a slash
 * @param {boolean} isFirst
 */
const isTurn = (next, isFirst) => next === DOT || next === PERCENT || (isFirst && next === SLASH)

module.exports = { isPlain, pathStart, plainEnd }
