'use strict'

// The formats of a result, by the file extension.

const { OptionsError } = require('../../core/errors')
const { isRecord, printableData, show } = require('../../core/foreign-text')
const { RENDERERS } = require('../../parts')
const { completed, isRaw } = require('../partial')

/**
 * @typedef {object} FormatOptions
 * @property {Record<string, any> | Array<Record<string, any>>} [baseline] another run, or the first of several, to
 *   compare with
 * @property {boolean} [soFar] of a page: whether the run is still in progress
 */

/**
 * @typedef {object} Format
 * @property {(result: Record<string, any>, options: { baseline: Record<string, any> | undefined, soFar?: boolean }) =>
 *   string} write the whole report, from a result
 * @property {(point: import('../../figures/series').Point, start: number) => string} [line] of a format whose file
 *   grows during the run: a line for a point of the series; `start` in ms since 1970
 * @property {(result: Record<string, any>) => string} [last] the end of such a file, which may be empty
 * @property {(error: Error, about: import('./junit').About) => string} [failure] the report on a run without a valid
 *   result
 */

/** JUnit has no unique extension, so a flag selects it. */
const ENDINGS = Object.freeze(Object.keys(RENDERERS).filter(name => !RENDERERS[name].byFlag))

/**
 * @param {Record<string, any>} result which may be parsed JSON
 * @param {string} format one of RENDERERS
 * @param {FormatOptions} [options]
 * @returns {string} ends with a line break
 * @throws {OptionsError}
 */
function formatResult (result, format, { baseline, soFar } = {}) {
  if (!Object.hasOwn(RENDERERS, format)) {
    throw new OptionsError([`expected one of the formats ${Object.keys(RENDERERS).join(', ')}, got ${show(format)}`])
  }
  if (format !== 'json' && (!isRecord(result) || isRaw(result))) {
    const how = result?.format === undefined ? '' : ': a raw one has to pass through aggregateResult first'
    throw new OptionsError([`expected a result${how}, got ${show(result)}`])
  }
  const { isData, load } = RENDERERS[format]
  // JSON escapes control characters by itself. In other formats they are made visible.
  const prepared = (/** @type {any} */ data) => isData || data === undefined ? data : completed(printableData(data))
  return load().write(prepared(result), { baseline: prepared([baseline].flat()[0]), soFar })
}

/** @param {string} file @returns {string | undefined} its format; undefined if no format has that extension */
function formatOf (file) {
  return ENDINGS.find(ending => file.toLowerCase().endsWith('.' + ending))
}

module.exports = { formatResult, formatOf, ENDINGS }
