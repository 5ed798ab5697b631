'use strict'

// Owns which of the names that there are somebody may have meant who gave another.

/**
 * @param {string} name
 * @param {string[]} known
 * @param {number} [slack] how many letters of a short name may be wrong
 * @returns {string} `, did you mean 'duration'?`, or nothing when no name is near
 */
function suggest (name, known, slack = 2) {
  if (name.length > 40) return ''
  const ranked = known
    .map(candidate => ({ candidate, far: require('fastest-levenshtein').distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  const nearest = ranked[0]
  return nearest !== undefined && nearest.far < name.length && nearest.far <= Math.max(slack, name.length / 3) ? `, did you mean '${nearest.candidate}'?` : ''
}

module.exports = { suggest }
