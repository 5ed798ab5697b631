'use strict'

// Hints for unknown keys in a list of requests.

const { FIELDS } = require('./blocks')
const { KINDS, SOCKET_KINDS } = require('./block-kinds')

/** Words for blocks in other tools → the form here. @type {Readonly<Record<string, string>>} */
const WORDS = Object.freeze({
  foreach: ", did you mean 'forEach'?",
  for: ", did you mean 'forEach'? As in forEach: items as item, with requests",
  loop: ", did you mean 'repeat'? As in repeat: 3, with requests; over a list it is forEach: items as item",
  until: "; a loop is while: \"state != 'done'\", with max and requests: it goes on while that is true",
  when: ", did you mean 'if'? As in if: status == 200, with requests",
  switch: '; a choice is if: status == 200, with requests and else',
  else: '; it belongs to a block with if and requests'
})

/** Keys that only blocks have. */
const INSIDE = [...new Set(Object.values(FIELDS).flatMap(Object.keys))].filter(key => !KINDS.some(kind => kind === key))

/** @param {string} place */
const isEntry = place => /\b(requests|else|parallel|setup|teardown)\[\d+\]$/.test(place)

/**
 * @param {string} place of an object in a config
 * @param {string} key an unknown key of it
 * @returns {string | undefined} a suggestion
 */
function hintInEntry (place, key) {
  if (/\.capture\.\w+$/.test(place) && key === 'json') {
    return '; a value of a JSON body is captured by its path, as in capture: { name: $.items[0].id }'
  }
  if (!isEntry(place)) return undefined
  const word = key.toLowerCase()
  if (Object.hasOwn(WORDS, word)) return WORDS[word]
  return INSIDE.includes(key) ? `; it belongs to a block with ${KINDS.join(', ').replace(/, (\w+)$/, ' or $1')}` : undefined
}

/**
 * @param {string} place of an object in a config
 * @param {string[]} known keys of it
 * @returns {string[]} these keys, and in a request those that begin a block or a WebSocket step
 */
function knownInEntry (place, known) {
  return isEntry(place) && known.includes('path') ? [...known, ...KINDS, ...SOCKET_KINDS] : known
}

/**
 * @param {ReadonlyArray<import('../config-values').Strange>} strange
 * @returns {import('../config-values').Strange[]} without consequences of another mistake: with a misspelt key of a
 *   block, its other keys are unknown as well
 */
function withoutRests (strange) {
  return strange.filter(({ place, key }) => !(isEntry(place) && INSIDE.includes(key) && strange.some(other =>
    other.place === place && !INSIDE.includes(other.key) && Object.hasOwn(WORDS, other.key.toLowerCase()))))
}

module.exports = { hintInEntry, knownInEntry, withoutRests }
