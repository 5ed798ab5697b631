'use strict'

// Owns the shape of what is known of a watched server.

const { MAYBE_COUNT } = require('../../record/shapes')
const { each, maybe } = require('../../core/shape')

module.exports = { point: { server: maybe(each(MAYBE_COUNT)) } }
