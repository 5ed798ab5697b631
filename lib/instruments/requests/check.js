'use strict'

const { shapesOf } = require('../../record/shapes')
const { list, object, COUNT, TEXT } = require('../../core/shape')
const { RequestTally } = require('./record')

module.exports = { report: list(object({ name: TEXT, errors: COUNT, ...shapesOf(RequestTally) })) }
