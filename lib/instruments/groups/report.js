'use strict'

// How reports show the groups of user functions.

const { cut } = require('../../core/foreign-text')
const { formatInteger, formatRate } = require('../../core/units')
const { laidOut, timeColumn } = require('../../report/authored')

/** How much of a name a terminal shows. */
const LONGEST_NAME = 40

/** @type {import('../../report/authored').TablesOf} */
function tables ({ groups = {} }, form) {
  const rows = Object.entries(groups).map(([name, group]) => ({ name, ...(group) }))
  if (rows.length === 0) return []
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
    elastic: [0],
    breakAt: 3
  }]
}

module.exports = { tables }
