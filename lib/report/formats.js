'use strict'

// Owns which formats a result can be written in, and which ending of a file means which.

const { OptionsError } = require('../errors')
const { printableData, show, toJson } = require('../foreign-text')

/**
 * @typedef {object} FormatOptions
 * @property {Record<string, any> | Array<Record<string, any>>} [baseline] another run, or the first of several, to compare with
 */

/**
 * Each is loaded by those who use it.
 * @type {Readonly<Record<string, (result: Record<string, any>, options: { baseline: Record<string, any> | undefined }) => string>>}
 */
const FORMATS = Object.freeze({
  json: result => toJson(result) + '\n',
  csv: result => require('./csv').toCsv(result),
  md: (result, options) => require('./markdown').toMarkdown(result, options),
  html: (result, options) => require('./html/page').toHtml(result, options),
  ndjson: result => require('./ndjson').toNdjson(result),
  junit: result => require('./junit').toJunit(result)
})

/** Formats that say a result as it is. */
const IS_DATA = new Set(['json', 'ndjson'])

/** JUnit has no ending of its own. */
const ENDINGS = Object.freeze(['json', 'csv', 'md', 'html', 'ndjson'])

/**
 * @param {Record<string, any>} result also after a way through JSON
 * @param {string} format one of FORMATS
 * @param {FormatOptions} [options]
 * @returns {string} ends with a line break
 * @throws {OptionsError}
 */
function formatResult (result, format, { baseline } = {}) {
  if (!Object.hasOwn(FORMATS, format)) throw new OptionsError([`expected one of the formats ${Object.keys(FORMATS).join(', ')}, got ${show(format)}`])
  if (format !== 'json' && typeof result?.requests?.total !== 'number') {
    throw new OptionsError([`expected a result${result?.format === undefined ? '' : ': a raw one has to pass through aggregateResult first'}, got ${show(result)}`])
  }
  // JSON escapes what the others write out.
  const prepared = IS_DATA.has(format) ? (/** @type {any} */ data) => data : printableData
  return FORMATS[format](prepared(result), { baseline: prepared([baseline].flat()[0]) })
}

/**
 * @param {string} file
 * @returns {string | undefined} its format; undefined when no format has that ending
 */
function formatOf (file) {
  return ENDINGS.find(ending => file.toLowerCase().endsWith('.' + ending))
}

module.exports = { formatResult, formatOf, ENDINGS }
