'use strict'

// Owns the metric of the load generator: its verdict.

const { VERDICTS } = require('./verdict')

module.exports = {
  rows: {
    generator: { unit: 'verdict', words: VERDICTS, noAbortOn: 'the generator: what it is held to is the whole run' }
  }
}
