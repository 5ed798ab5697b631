'use strict'

const { withPartShapes } = require('../../record/shapes')
const { each, fields, object, COUNT } = require('../../core/shape')

const COUNTS = { counts: each(object(fields(['good', 'requests'], COUNT))) }

module.exports = { COUNTS, report: withPartShapes(COUNTS) }
