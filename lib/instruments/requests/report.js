'use strict'

const { countedIn } = require('../../core/counted')
const { cut } = require('../../core/foreign-text')
const { requestParts } = require('../../figures/parts')
const { percentileKey } = require('../../record/percentiles')
const { laidOut, timeColumn } = require('../../report/authored')
const { formatKnown } = require('../../report/figures')
const { fitting, restOf, unnamedNote } = require('../../report/overview')
const { formatInteger, formatRate } = require('../../core/units')

/** Rows of a table in a terminal without --verbose. */
const MOST_ROWS = 20

/** Characters of a name in a terminal. */
const LONGEST_NAME = 40

/** The default percentiles in a terminal. */
const SHOWN = [2.5, 50, 97.5, 99]

/** @param {{ failures?: number }} part without `failures` in results of older versions */
const failureCell = ({ failures }) => failures !== undefined && failures > 0
  ? { text: formatInteger(failures), tone: /** @type {const} */ ('bad') }
  : formatKnown(failures, formatInteger)

/** @param {Record<string, any>} row */
function checksCell ({ checks = [] }) {
  if (checks.every((/** @type {any} */ { passed, failed }) => passed + failed === 0)) return '–'
  const failed = checks.filter((/** @type {any} */ { failed }) => failed > 0).length
  return {
    text: failed === 0 ? String(checks.length) : `${failed} of ${checks.length} failed`,
    tone: /** @type {const} */ ('mark'),
    passed: failed === 0
  }
}

/** @type {import('../../report/authored').TablesOf} */
function tables (result, form, { verbose }) {
  const all = requestParts(result)
  if (all.length === 0) return []
  const { one, name, title, head } = countedIn(result)
  const isText = form === 'text'
  const rows = isText && !verbose ? fitting(all, ({ failures = 0 }) => failures > 0, MOST_ROWS) : all
  const { percentiles = SHOWN } = result
  /** @type {import('../../report/authored').Column} */
  const failures = ['>Failures', failureCell]
  const ofPercentile = (/** @type {number} */ percentile) => timeColumn(`p${percentile}`, percentileKey(percentile))
  const times = isText
    ? [...percentiles.map(ofPercentile), timeColumn('Avg', 'average')]
    : ['p50', 'p95', 'p99'].map(key => timeColumn(key, key))
  return [{
    id: 'requests',
    title: `${title} by name`,
    ...laidOut([
      [name, ({ name }) => ({ text: isText ? cut(name, LONGEST_NAME) : name, tone: 'name' })],
      [isText ? '>Count' : '>Responses', ({ count }) => formatInteger(count)],
      form !== 'md' && [`>${head}`, ({ perSecond }) => formatRate(perSecond)],
      isText && failures,
      ...times,
      timeColumn('Max', 'max'),
      form === 'html' && timeColumn('First byte p50', 'p50', ({ ttfb }) => ttfb),
      form === 'html' && ['>Not 2xx', ({ non2xx }) => formatInteger(non2xx)],
      !isText && failures,
      !isText && ['>Errors', ({ errors }) => formatInteger(errors)],
      form === 'html' && ['Checks', checksCell]
    ], rows),
    rest: [...restOf(all.length - rows.length, one), ...unnamedNote(result)],
    elastic: [0],
    breakAt: 4
  }]
}

module.exports = { LONGEST_NAME, MOST_ROWS, failureCell, tables }
