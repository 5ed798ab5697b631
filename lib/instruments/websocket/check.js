'use strict'

const { COUNTS, DISTRIBUTION } = require('../../record/shapes')
const { fields, object, COUNT } = require('../../core/shape')

const report = object({
  ...fields(['opened', 'compressed', 'sent', 'received', 'unmatched', 'late'], COUNT),
  ...fields(['refused', 'closed'], COUNTS),
  ...fields(['ping', 'age'], DISTRIBUTION)
})

module.exports = { report }
