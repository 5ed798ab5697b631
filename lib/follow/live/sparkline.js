'use strict'

// Draws values as one line of characters, from 0 to the highest. A missing value is a gap.

const LEVELS = '▁▂▃▄▅▆▇█'

/**
 * @param {Array<number | null>} values in order; null where nothing was measured
 * @param {number} width the limit of characters; if several values share one, it shows the highest
 */
function sparkline (values, width) {
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, width)))
  const highest = values.reduce((/** @type {number} */ highest, value) => Math.max(highest, value ?? 0), 0)
  let line = ''
  for (let i = 0; i < values.length; i += each) {
    const some = values.slice(i, i + each).filter(value => value !== null)
    const most = Math.max(...some.map(Number))
    const isEmpty = some.length === 0 || (highest > 0 && most === 0)
    line += isEmpty ? ' ' : LEVELS[highest === 0 ? 0 : Math.round(most / highest * (LEVELS.length - 1))]
  }
  return line
}

module.exports = { sparkline }
