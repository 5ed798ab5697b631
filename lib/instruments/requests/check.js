'use strict'

// Owns the shape of what is counted of a named request.

const { DISTRIBUTION, PART } = require('../../record/shapes')
const { object, COUNT, TEXT } = require('../../core/shape')

module.exports = object({ name: TEXT, errors: COUNT, ...PART, ttfb: DISTRIBUTION })
