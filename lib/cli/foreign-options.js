'use strict'

// What options of other tools are in a config.

/** Of k6 and Artillery. @type {Readonly<Record<string, string>>} */
const ELSEWHERE = Object.freeze({
  vus: 'virtual users (k6) are connections',
  iterations: "iterations (k6) are an amount, as in amount: '100 iterations'",
  config: 'options stand at the top, without config around them: its target (Artillery) is url, its phases are ' +
    'stages, its payload is data',
  target: 'the server (Artillery) is url'
})

/** @type {(name: string) => string | undefined} */
const hintOn = name => Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined

/**
 * @param {string} place of an object in a config
 * @param {string} key that it has and nobody knows there
 * @returns {string | undefined} what may be meant
 */
function hintInOption (place, key) {
  if (/^\.stages\[\d+\]$/.test(place) && key === 'target') return '; the target of a stage (k6) is connections'
  if (place === '.thresholds' && /^(http_|iteration|checks|vus|data_|dropped_)/.test(key)) {
    return "; thresholds are a list of texts: http_req_duration: ['p(95)<200'] (k6) is 'p95 < 200ms', " +
      "http_req_failed: ['rate<0.01'] is 'failures < 1%'"
  }
  return undefined
}

module.exports = { hintInOption, hintOn }
