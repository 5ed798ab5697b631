'use strict'

const { shapesOf } = require('../../record/shapes')
const { fields, list, object, COUNT, TEXT } = require('../../core/shape')
const { Proxied } = require('./record')

const ERROR = object({ ...fields(['code', 'message'], TEXT), count: COUNT })

module.exports = { report: object({ ...shapesOf(Proxied), errors: list(ERROR) }) }
