'use strict'

const { DISTRIBUTION, PART } = require('../../record/shapes')
const { list, object, COUNT, TEXT } = require('../../core/shape')

const REQUEST = object({ name: TEXT, errors: COUNT, ...PART, ttfb: DISTRIBUTION })

module.exports = { report: list(REQUEST) }
