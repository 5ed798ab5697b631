'use strict'

// The shape of what is counted of goodput.

const { each, fields, list, object, COUNT, TEXT } = require('../../core/shape')

const COUNTS = each(object(fields(['good', 'requests'], COUNT)))

const report = object({ all: COUNTS, named: list(object({ name: TEXT, counts: COUNTS })) })

module.exports = { report }
