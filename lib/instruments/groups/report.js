'use strict'

// The groups of user functions in reports.

const { cut } = require('../../core/foreign-text')
const { formatInteger, formatRate } = require('../../core/units')
const { laidOut, timeColumn } = require('../../report/authored')
const { restOf } = require('../../report/overview')
const { LONGEST_NAME, MOST_ROWS } = require('../requests/report')

/** @type {import('../../report/authored').TablesOf} */
function tables ({ groups = {} }, form, { verbose }) {
  const all = Object.entries(groups).map(([name, group]) => ({ name, ...(group) }))
  if (all.length === 0) return []
  const rows = form === 'text' && !verbose ? all.slice(0, MOST_ROWS) : all
  return [{
    id: 'groups',
    title: 'Groups',
    ...laidOut([
      ['Group', ({ name }) => ({ text: form === 'text' ? cut(name, LONGEST_NAME) : name, tone: 'name' })],
      ['>Count', ({ count }) => formatInteger(count)],
      ['>Groups/s', ({ perSecond }) => formatRate(perSecond)],
      ...['p50', 'p95', 'p99'].map(key => timeColumn(key, key, ({ duration }) => duration)),
      timeColumn('Avg', 'average', ({ duration }) => duration),
      timeColumn('Max', 'max', ({ duration }) => duration)
    ], rows),
    rest: restOf(all.length - rows.length, 'group'),
    elastic: [0],
    breakAt: 3
  }]
}

module.exports = { tables }
