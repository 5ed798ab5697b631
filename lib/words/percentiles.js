'use strict'

// The sentence on percentiles that are the maximum of too few values.

const { formatInteger, listed, plural } = require('../core/units')
const { valuesFor } = require('../record/percentiles')

/**
 * @param {number[]} percentiles for which `isMaximum` holds
 * @param {number[]} counts their numbers of values
 * @returns {string} `p99.9 of 100 values is the maximum: it needs 1,000 values`
 */
function maximumNote (percentiles, counts, perRun = false) {
  const names = listed(percentiles.map(percentile => `p${percentile}`))
  const needed = listed(percentiles.map(percentile => formatInteger(valuesFor(percentile))))
  const verb = percentiles.length === 1 ? 'is' : 'are'
  const [inOne, inEach] = perRun ? [' in a run', ' in each run'] : ['', '']
  if (counts.length === 1 && counts[0] === 1) {
    return `${names} of 1 value${inOne} ${verb} that value: p${percentiles.at(-1)} needs ` +
      `${formatInteger(valuesFor(Number(percentiles.at(-1))))} values${inEach}`
  }
  const of = counts.length > 1 ? 'so few values' : plural(counts[0], 'value')
  return `${names} of ${of}${inOne} ${verb} the maximum: ` +
    `${percentiles.length === 1 ? 'it needs' : 'they need'} ${needed} values${inEach}`
}

module.exports = { maximumNote }
