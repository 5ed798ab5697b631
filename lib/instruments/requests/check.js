'use strict'

// Owns the shape of what is counted of named requests.

const { DISTRIBUTION, PART } = require('../../record/shapes')
const { list, object, COUNT, TEXT } = require('../../core/shape')

const REQUEST = object({ name: TEXT, errors: COUNT, ...PART, ttfb: DISTRIBUTION })

module.exports = { report: list(REQUEST) }
