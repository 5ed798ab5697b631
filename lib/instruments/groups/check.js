'use strict'

const { DISTRIBUTION } = require('../../record/shapes')
const { list, object, TEXT } = require('../../core/shape')

module.exports = { report: list(object({ name: TEXT, duration: DISTRIBUTION })) }
