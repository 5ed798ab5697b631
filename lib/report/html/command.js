'use strict'

// Owns the command line that repeats a run, made from what its result says of the options.

/**
 * @param {Record<string, any>} options of a result
 * @returns {string | null} null when a command line can't say it: hooks, several requests, or a value that was left out
 */
function commandOf ({ url, headers = [], ...others }) {
  const flags = Object.entries(others).map(([name, value]) => {
    if (value === true) return `--${name}`
    if (name === 'thresholds') return value.every((/** @type {unknown} */ one) => typeof one === 'string') ? value.map((/** @type {string} */ one) => `--threshold ${quote(one)}`).join(' ') : null
    if (name === 'percentiles') return `--percentiles ${value.join(',')}`
    if (typeof value === 'number') return `--${name} ${value}`
    return typeof value === 'string' && !value.startsWith('[') ? `--${name} ${quote(value)}` : null
  })
  if (flags.includes(null)) return null
  return ['autocannon', ...flags, ...headers.map((/** @type {[string, string]} */ [name, value]) => `-H ${quote(`${name}: ${value}`)}`), ...[url].flat().map(quote)].join(' ')
}

/** @param {string} text */
function quote (text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

module.exports = { commandOf }
