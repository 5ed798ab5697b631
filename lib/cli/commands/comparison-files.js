'use strict'

// The files of `-o` for a comparison: the formats it supports, and the text of each.

const { printableData, show, toJson } = require('../../core/foreign-text')
const { comparisonMarkdown } = require('../../report/markdown/verdicts')
const { formatOf } = require('../../report/formats/format')

/** @type {Record<string, (versus: import('../../report/html/page').Versus) => string>} */
const FORMATS = {
  json: ({ comparison }) => toJson(comparison) + '\n',
  md: versus => comparisonMarkdown(printableData(versus).comparison).text,
  html: versus => require('../../report/html/page').comparisonHtml(printableData(versus))
}

/** @param {unknown} output as it was given */
function filesOf (output) {
  return [output ?? []].flat().map(String).filter(file => file !== '')
}

/**
 * @param {unknown} output as it was given
 * @returns {string[]} a sentence for each file in a format that comparisons do not support
 */
function problemsOfFormats (output) {
  return filesOf(output).flatMap(file => {
    if (Object.hasOwn(FORMATS, formatOf(file) ?? '')) return []
    return [`-o/--output: a comparison is written as ${Object.keys(FORMATS).map(format => `.${format}`).join(', ')}, ` +
      `got ${show(file)}; --save-base and --save-new write the runs`]
  })
}

/**
 * @type {(output: unknown, versus: import('../../report/html/page').Versus) => Array<{ file: string, text: string }>}
 */
function comparisonFiles (output, versus) {
  return filesOf(output).map(file => ({ file, text: FORMATS[/** @type {string} */ (formatOf(file))](versus) }))
}

module.exports = { comparisonFiles, filesOf, problemsOfFormats }
