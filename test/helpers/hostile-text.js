'use strict'

// Text that may not reach a terminal, a page or a log as it is: something of each kind, and the search for it.

/** One of each: terminal sequences, other controls, directions, invisible characters, line breaks, tags, halves of characters. */
const HOSTILE = '\x1b[2J\x1b]0;X\x07\0\b\x7f\x85\x9b31m\u202e\u202a\u2066\u2069\u200e\u200f\u061c\u200b\u2060\ufeff\u00ad\u3164\u2028\u2029\r\n\u{e0041}\ud800 \udc00'

/** Logging commands of GitHub Actions, Azure Pipelines and TeamCity, where each of them reads one. */
const CI_COMMANDS = '::error file=a.js,line=1::X ##[add-mask]X ##vso[task.setvariable variable=a]X ##teamcity[buildStop comment=\'X\']\r\n  ::stop-commands::X'

/**
 * @param {string} text
 * @returns {string[]} what a CI would run of it: `::name …::` at the start of a line, `##[`, `##vso[` and `##teamcity[` anywhere
 */
function ciCommandsIn (text) {
  return [...text.split(/[\n\r]/).map(line => line.trim()).filter(line => /^::[a-z][^:]*::/i.test(line)), ...text.match(/##\w*\[/g) ?? []]
}

/**
 * Not the expression of lib/core/foreign-text.js: what that forgets is to be found.
 * @param {string} text
 * @param {string} [allowed] characters that may stand in it
 * @returns {string[]} code points that have no business in it, each once
 */
function hostileIn (text, allowed = '') {
  const found = [...text].filter(character => {
    const code = /** @type {number} */ (character.codePointAt(0))
    return !allowed.includes(character) && (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0xad || code === 0x61c || code === 0x3164 ||
      (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code === 0xfeff ||
      (code >= 0xd800 && code < 0xe000) || (code >= 0xe0000 && code < 0xe0080))
  })
  return [...new Set(found)].map(character => `U+${character.codePointAt(0)?.toString(16)}`)
}

module.exports = { HOSTILE, hostileIn, CI_COMMANDS, ciCommandsIn }
