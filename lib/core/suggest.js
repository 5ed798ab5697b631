'use strict'

// Finds the known name closest to a misspelt one.

const { show } = require('./foreign-text')

/** Words that other tools have for the same. */
const ELSEWHERE = new Map(Object.entries({
  requests: ['flow', 'exec', 'tasks', 'steps'],
  pause: ['think', 'thinktime', 'sleep', 'wait_time', 'waittime'],
  every: ['pace', 'pacing', 'constant_pacing'],
  path: ['get', 'url', 'uri'],
  method: ['post', 'put', 'patch', 'delete'],
  capture: ['extract', 'saveas', 'save'],
  times: ['count', 'max', 'attempts', 'limit'],
  status: ['statuscode', 'status_code', 'code'],
  connections: ['vus', 'virtualusers', 'virtual_users'],
  stages: ['phases'],
  rate: ['arrivalrate'],
  data: ['payload', 'feeder', 'feeders'],
  file: ['path'],
  pick: ['order', 'strategy'],
  check: ['checks', 'validate']
}).flatMap(([here, words]) => words.map(word => [word, here])))

/**
 * @param {string} name
 * @param {string[]} known
 * @param {number} [slack] how many letters of a short name may be wrong; of four letters, one
 * @returns {string} `, did you mean 'duration'?`, or nothing when no name is near
 */
function suggest (name, known, slack) {
  const near = nearest(name, known, slack)
  return near === null ? '' : `, did you mean '${near}'?`
}

/**
 * @param {string} name
 * @param {string[]} known
 * @param {number} [slack] as above
 * @returns {string | null} the one that is meant; null when no name is near
 */
function nearest (name, known, slack = name.length > 4 ? 2 : 1) {
  if (name.length > 40) return null
  const here = ELSEWHERE.get(name.toLowerCase())
  if (here !== undefined && known.includes(here) && !known.includes(name)) return here
  const ranked = known
    .map(candidate => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const first = ranked[0]
  return first !== undefined && first.far < name.length && first.far <= Math.max(slack, name.length / 3)
    ? first.candidate
    : null
}

/**
 * Returns wrong letters; two neighbours that are swapped are one: `hlep` is nearer to `help` than to `http`.
 * @type {(a: string, b: string) => number}
 */
function distance (a, b) {
  const at = a.split('').findIndex((letter, i) => letter !== b[i])
  if (a.length === b.length && at !== -1 && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b) return 1
  return require('fastest-levenshtein').distance(a, b)
}

/**
 * @param {string} name
 * @param {string[]} known
 * @param {string} [list] of them, as it is shown
 * @param {number} [slack]
 * @returns {string} the nearest one, and which there are
 */
function suggestOf (name, known, list = known.join(', '), slack = undefined) {
  const nearest = suggest(name, known, slack)
  return `${nearest}${nearest === '' ? '; there' : ' There'} are ${list}`
}

/**
 * @param {Record<string, unknown>} object of a user
 * @param {ReadonlyArray<string>} known
 * @throws {TypeError} for a key that is not known
 */
function refuseUnknownKeys (object, known) {
  const unknown = Object.keys(object).find(key => !known.includes(key))
  if (unknown !== undefined) throw new TypeError(`unknown key ${show(unknown)}${suggestOf(unknown, [...known])}`)
}

module.exports = { nearest, refuseUnknownKeys, suggest, suggestOf }
