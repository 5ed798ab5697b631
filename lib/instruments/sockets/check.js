'use strict'

const { fields, list, object, COUNT, TEXT } = require('../../core/shape')

module.exports = { report: list(object({ reason: TEXT, ...fields(['generators', 'connections'], COUNT) })) }
