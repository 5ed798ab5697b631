'use strict'

const { DISTRIBUTION } = require('../../record/shapes')
const { fields, list, object, COUNT, TEXT } = require('../../core/shape')

const report = object({
  connect: DISTRIBUTION, refused: COUNT, errors: list(object({ ...fields(['code', 'message'], TEXT), count: COUNT }))
})

module.exports = { report }
