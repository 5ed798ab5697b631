'use strict'

const { list, object, COUNT, TEXT } = require('../../core/shape')

module.exports = {
  report: object({ busyMs: COUNT, places: list(object({ file: TEXT, line: COUNT, name: TEXT, ms: COUNT })) })
}
