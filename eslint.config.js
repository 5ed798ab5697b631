'use strict'

module.exports = [
  ...require('neostandard')({ ignores: ['.tap/**', 'node_modules/**'] }),
  { rules: { 'no-void': 'off' } }
]
