'use strict'

// The shape of what is counted of groups.

const { DISTRIBUTION } = require('../../record/shapes')
const { list, object, TEXT } = require('../../core/shape')

module.exports = { report: list(object({ name: TEXT, duration: DISTRIBUTION })) }
