'use strict'

const { VERDICTS } = require('./verdict')

module.exports = {
  rows: {
    generator: { unit: 'verdict', words: VERDICTS, noAbortOn: 'the generator: what it is held to is the whole run' }
  }
}
