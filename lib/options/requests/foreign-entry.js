'use strict'

// The likely meaning of a key in a list of requests that neither a request nor a block has.

const { FIELDS } = require('./blocks')
const { KINDS, SOCKET_KINDS } = require('./block-kinds')

/** A word that begins a block elsewhere → how that is written here. @type {Readonly<Record<string, string>>} */
const WORDS = Object.freeze({
  foreach: ", did you mean 'forEach'?",
  for: ", did you mean 'forEach'? As in forEach: items as item, with requests",
  loop: ", did you mean 'repeat'? As in repeat: 3, with requests; over a list it is forEach: items as item",
  until: "; a loop is while: \"state != 'done'\", with max and requests: it goes on while that is true",
  when: ", did you mean 'if'? As in if: status == 200, with requests",
  switch: '; a choice is if: status == 200, with requests and else',
  else: '; it belongs to a block with if and requests'
})

/** Keys of blocks only. */
const INSIDE = [...new Set(Object.values(FIELDS).flatMap(Object.keys))].filter(key => !KINDS.some(kind => kind === key))

/** @param {string} place */
const isEntry = place => /\b(requests|else|parallel|setup|teardown)\[\d+\]$/.test(place)

/**
 * @param {string} place of an object in a config
 * @param {string} key of it that is unknown there
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
 * @returns {string[]} these, and those that make another entry of a list of requests out of a request
 */
function knownInEntry (place, known) {
  return isEntry(place) && known.includes('path') ? [...known, ...KINDS, ...SOCKET_KINDS] : known
}

/**
 * @param {ReadonlyArray<import('../config-values').Strange>} strange
 * @returns {import('../config-values').Strange[]} the same without what follows from another one: with a misspelt key
 *   of a block, its other keys are unknown, too
 */
function withoutRests (strange) {
  return strange.filter(({ place, key }) => !(isEntry(place) && INSIDE.includes(key) && strange.some(other =>
    other.place === place && !INSIDE.includes(other.key) && Object.hasOwn(WORDS, other.key.toLowerCase()))))
}

module.exports = { hintInEntry, knownInEntry, withoutRests }
