'use strict'

// Finds the known name closest to a misspelt one.

const { show } = require('./foreign-text')

/** Up to this number of unknown keys are named. */
const MOST_UNKNOWN = 10

/** Names of other tools for our options. */
const ELSEWHERE = new Map(Object.entries({
  requests: ['flow', 'exec', 'tasks', 'steps'],
  pause: ['think', 'thinktime', 'sleep', 'wait_time', 'waittime'],
  every: ['pace', 'pacing', 'constant_pacing'],
  path: ['get', 'url', 'uri'],
  method: ['post', 'put', 'patch', 'delete'],
  capture: ['extract', 'saveas', 'save'],
  times: ['count', 'max', 'attempts', 'limit'],
  status: ['stat', 'statuscode', 'status_code', 'code'],
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
 * @param {number} [slack] the limit of wrong letters in a short name; a name of four letters may have one
 * @returns {string} `, did you mean 'duration'?`, or empty if no name is close
 */
function suggest (name, known, slack) {
  const near = nearest(name, known, slack)
  return near === null ? '' : `, did you mean '${near}'?`
}

/**
 * @param {string} name
 * @param {readonly string[]} known
 * @param {number} [slack] as above
 * @returns {string | null} the closest name; null if none is close
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
 * Returns the number of wrong letters. Two swapped neighbours count as one: `hlep` is closer to `help` than to `http`.
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
 * @param {string} [list] of the names, for the message
 * @param {number} [slack]
 * @returns {string} the closest name, and the list
 */
function suggestOf (name, known, list = known.join(', '), slack = undefined) {
  const nearest = suggest(name, known, slack)
  return `${nearest}${nearest === '' ? '; there' : ' There'} are ${list}`
}

/**
 * @param {Record<string, unknown>} object of a user
 * @param {ReadonlyArray<string>} known
 * @throws {TypeError} for unknown keys
 */
function refuseUnknownKeys (object, known) {
  const [unknown, ...more] = Object.keys(object).filter(key => !known.includes(key))
  if (unknown === undefined) return
  if (more.length === 0) throw new TypeError(`unknown key ${show(unknown)}${suggestOf(unknown, [...known])}`)
  const named = [unknown, ...more].slice(0, MOST_UNKNOWN).map(key => {
    const near = nearest(key, known)
    return near === null ? show(key) : `${show(key)} (did you mean ${near}?)`
  })
  throw new TypeError(`unknown keys ${named.join(', ')}; there are ${known.join(', ')}`)
}

module.exports = { nearest, refuseUnknownKeys, suggest, suggestOf }
