'use strict'

// Owns regular expressions that do not remember where their last match was, as flags g and y make them.

/**
 * @param {RegExp} pattern
 * @returns {RegExp} that begins anew with each text
 */
function stateless (pattern) {
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''))
}

module.exports = { stateless }
