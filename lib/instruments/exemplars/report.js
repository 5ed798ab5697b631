'use strict'

// Exemplars in reports: the slowest requests, and the first failed ones. Columns without a value are omitted.

const { countedIn } = require('../../core/counted')
const { cut } = require('../../core/foreign-text')
const { formatBytes, formatInteger, formatLatency } = require('../../core/units')

/** @typedef {Record<string, any>} Exemplar */

/**
 * @typedef {object} Column
 * @property {string} head begins with > if the column is aligned to the right
 * @property {(exemplar: Exemplar, start: number) => string} show
 * @property {(exemplar: Exemplar) => boolean} [hasValue] whether the request has a value in it; always by default
 * @property {true} [code] whether it is shown as code
 */

/** Time since the start of the run. The head has the time of day of the start, to find a request in a server's log. */
const AFTER = '>After'

/** The column of the request, or of the message. */
const SENT = ''

/** @type {ReadonlyArray<Column>} */
const COLUMNS = Object.freeze([
  { head: SENT, show: ({ name, request }) => name === null ? request : `${name}: ${request}`, code: true },
  { head: AFTER, show: ({ time }, start) => `${(Math.max(0, +new Date(time) - start) / 1000).toFixed(3)} s` },
  { head: '>Connection', show: ({ connection }) => formatInteger(connection) },
  {
    head: 'Response',
    // A message over WebSocket has no status.
    show: ({ status, error, firstByte }) => [status, error].filter(part => part !== null).join(', ') ||
      (firstByte === null ? 'none at the end' : 'a message')
  },
  {
    head: '>Connect',
    show: ({ connect }) => connect === null ? '' : formatLatency(connect),
    hasValue: ({ connect }) => connect !== null
  },
  {
    head: '>Waited',
    show: ({ waited }) => waited > 0 ? formatLatency(waited) : '',
    hasValue: ({ waited }) => waited > 0
  },
  {
    head: '>First byte',
    show: ({ firstByte }) => firstByte === null ? '' : formatLatency(firstByte),
    hasValue: ({ firstByte }) => firstByte !== null
  },
  { head: '>Total', show: ({ total }) => formatLatency(total) },
  { head: '>Size', show: ({ size }) => formatBytes(size), hasValue: ({ size }) => size !== null && size > 0 },
  { head: 'Trace', show: ({ trace }) => trace?.id ?? '', hasValue: ({ trace }) => trace !== undefined, code: true },
  {
    head: 'Sampled',
    show: ({ trace }) => trace === undefined ? '' : trace.sampled ? 'yes' : 'no',
    hasValue: ({ trace }) => trace?.sampled === false
  }
])

/**
 * @type {import('../../report/authored').TablesOf} one for the slowest requests, and one for the first failures
 */
function tables (result, form) {
  if (form === 'text') return []
  const { slowest = [], firstFailures = [], start } = result
  const { many, name } = countedIn(result)
  const begun = Number.isNaN(+new Date(start)) ? null : `${new Date(start).toISOString().slice(11, -1)} UTC`
  /** @type {Record<string, string>} */
  const heads = { [SENT]: name, ...begun !== null && { [AFTER]: `${AFTER} ${begun}` } }
  return [
    { id: 'slowest-requests', title: `Slowest ${many}`, exemplars: slowest },
    { id: 'first-failures', title: 'First failures', exemplars: firstFailures }
  ]
    .filter(({ exemplars }) => exemplars.length > 0).map(({ id, title, exemplars }) => {
      const columns = COLUMNS.filter(({ hasValue }) => hasValue === undefined || exemplars.some(hasValue))
      const rows = exemplars.map((/** @type {Exemplar} */ exemplar) => columns.map(({ code, show }) => {
        const text = show(exemplar, +new Date(start))
        return code ? { text, tone: /** @type {const} */ ('code') } : text
      }))
      return {
        id,
        title,
        heads: columns.map(({ head }) => heads[head] ?? head),
        rows,
        isLong: true
      }
    })
}

/**
 * @param {Record<string, any>} result
 * @returns {string | null} the trace of the slowest sampled request; null without one
 */
function traceSentence ({ slowest = [] }) {
  const found = slowest.find((/** @type {Exemplar} */ { trace }) => trace?.sampled)
  return found === undefined
    ? null
    : `Slowest trace: ${found.trace.id}, ${cut(found.request, 20)}, ${formatLatency(found.total)}`
}

module.exports = { tables, traceSentence }
