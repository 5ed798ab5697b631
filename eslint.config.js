'use strict'

module.exports = [
  ...require('neostandard')({ ignores: ['.tap/**', 'node_modules/**'] }),
  {
    files: ['**/*.js'],
    ignores: ['bench/peers/k6.js', 'bench/peers/k6-echo.js', 'bench/peers/k6-flow.js', 'bench/peers/k6-stall.js'],
    languageOptions: { sourceType: 'commonjs' }
  },
  { rules: { 'no-void': 'off', '@stylistic/object-property-newline': 'off' } },
  {
    files: ['*.js', 'bin/**/*.js', 'lib/**/*.js'],
    rules: {
      '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true }]
    }
  }
]
