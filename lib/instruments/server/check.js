'use strict'

const { MAYBE_COUNT } = require('../../record/shapes')
const { each, maybe } = require('../../core/shape')

module.exports = { point: { server: maybe(each(MAYBE_COUNT)) } }
