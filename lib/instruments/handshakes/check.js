'use strict'

const { COUNTS, DISTRIBUTION } = require('../../record/shapes')
const { object, COUNT } = require('../../core/shape')

const report = object({ latency: DISTRIBUTION, resumed: COUNT, agreed: COUNTS })

module.exports = { report }
