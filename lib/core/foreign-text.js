'use strict'

// Escapes untrusted text of servers, files, hooks and users: control characters, text direction, forged lines, CI
// commands and invisible characters. Markdown, HTML, XML and CSV add their own escaping.

/**
 * Control, formatting, invisible and unpaired characters. Without variation selectors, which only choose between two
 * forms of an emoji.
 */
const UNSEEN =
  /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/**
 * Logging commands of a CI: `::name …::` of GitHub Actions at the start of a line, after any white space; `##[…]` of
 * GitHub and Azure, `##vso[…]` of Azure and `##teamcity[…]` anywhere. The break is visible: .NET compares text without
 * zero-width characters, so GitHub's runner would still find a command that has one in it.
 */
const CI_COMMAND = /(?<=#)#(?=\w*\[)|(?<=(?<!\S):):(?=[a-z][\w-]*(?:\s|::|$))/gi

/** Escape sequences of colours in the output of assertions and servers. */
// eslint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[\d;:]*m/g

/** @type {Readonly<Record<string, string>>} */
const SHORT = Object.freeze({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })

/** The limit of a text in a result. */
const LONGEST = 10_000

/** The depth limit. A result has 6 levels. */
const DEEPEST = 20

/**
 * @param {string} text
 * @returns {string} one line, with invisible characters escaped as in JavaScript: `\n`, `\x1b`, `\u202e`
 */
function printable (text) {
  return text.replace(UNSEEN, writtenOut).replace(CI_COMMAND, asHex)
}

/** Like printable(), but keeps line breaks and tabs. @type {(text: string) => string} */
function printableLines (text) {
  return text.replaceAll('\r\n', '\n')
    .replace(UNSEEN, character => character === '\n' || character === '\t' ? character : writtenOut(character))
    .replace(CI_COMMAND, asHex)
}

/** Removes colours. @type {(text: string) => string} */
function withoutColours (text) {
  return text.replace(COLOURS, '')
}

/**
 * @param {string} text words
 * @param {number} [longest]
 * @returns {string} one line, in which line breaks are spaces
 */
function oneLine (text, longest = Infinity) {
  return cut(printable(withoutColours(text).replace(/[\s\x85]+/g, ' ').trim()), longest)
}

/** Shortens a text, with … at the end. @type {(text: string, longest: number) => string} */
function cut (text, longest) {
  // Does not cut a surrogate pair.
  return text.length > longest ? text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '') + '…' : text
}

/** @param {string} character */
function writtenOut (character) {
  return SHORT[character] ?? asHex(character)
}

/** @param {string} character */
function asHex (character) {
  const code = /** @type {number} */ (character.codePointAt(0))
  const hex = code.toString(16)
  return code < 0x100 ? `\\x${hex.padStart(2, '0')}` : code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`
}

/** Shows a given value in an error message, as one short line. @type {(given: unknown) => string} */
function show (given) {
  if (typeof given === 'string') return `'${printable(cut(given, 60))}'`
  if (typeof given === 'function') return 'a function'
  if (typeof given !== 'object' || given === null) return printable(cut(String(given), 60))
  let kind
  try {
    if (Array.isArray(given)) return 'an array'
    kind = Object.prototype.toString.call(given).slice(8, -1)
  } catch {
    return 'something that cannot be read'
  }
  return kind === 'Object' ? 'an object' : `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${printable(cut(kind, 60))}`
}

/**
 * @param {unknown} given
 * @returns {given is Record<string, unknown>} whether it is an object of names and values: not an array, and not a
 *   Date, Promise or Map, which keep values elsewhere
 */
function isRecord (given) {
  return Object.prototype.toString.call(given) === '[object Object]'
}

/**
 * Makes every text and key of a result printable before it is rendered, also keys of later versions. Only the bodies of
 * samples keep line breaks.
 * @template T
 * @param {T} data
 * @returns {T}
 */
function printableData (data) {
  return /** @type {T} */ (printableValue(data, '', 0))
}

/** @type {(value: unknown, key: string, depth: number) => unknown} */
function printableValue (value, key, depth) {
  if (typeof value === 'string') {
    const text = key === 'body' ? printableLines(value) : printable(value)
    return key === 'histogram' ? text : cut(text, LONGEST)
  }
  if (depth > DEEPEST) return '…'
  if (Array.isArray(value)) return value.map(one => printableValue(one, '', depth + 1))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [cut(printable(name), LONGEST), printableValue(one, name, depth + 1)])
  )
}

/** @param {unknown} value @param {number} [indent] @returns {string} JSON that is safe for a terminal and a CI log */
function toJson (value, indent) {
  return harmlessJson(JSON.stringify(value, null, indent))
}

/** @type {(value: unknown) => string} */
const jsonLine = value => toJson(value) + '\n'

/**
 * @param {string} json
 * @returns {string} the same JSON, safe for a terminal and a CI log: JSON.stringify does not escape invisible
 *   characters
 */
function harmlessJson (json) {
  return json
    .replace(UNSEEN, character => character === '\n' ? character : asUnits(character))
    // A line of JSON never starts with a colon, so no CI command needs an escape.
    .replace(CI_COMMAND, character => character === '#' ? asUnits(character) : character)
}

/** @param {string} character */
function asUnits (character) {
  return Array.from({ length: character.length }, (_, i) =>
    `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`)
    .join('')
}

module.exports = {
  printable, printableLines, withoutColours, oneLine, cut, show, isRecord, printableData, harmlessJson, jsonLine, toJson
}
