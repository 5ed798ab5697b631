'use strict'

const { each, fields, list, object, COUNT, TEXT } = require('../../core/shape')

const COUNTS = { counts: each(object(fields(['good', 'requests'], COUNT))) }

const report = object({ ...COUNTS, ...fields(['named', 'scenarios'], list(object({ name: TEXT, ...COUNTS }))) })

module.exports = { COUNTS, report }
