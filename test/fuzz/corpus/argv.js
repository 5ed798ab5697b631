'use strict'

// Arguments that were not refused as they should have been, each with what it led to; and those that were, but should not.

module.exports = {
  refused: [
    ['the server name on', ['-json', 'http://localhost']],
    ['a request at 0.0.0.5', ['--json', '5', 'http://localhost']],
    ['a request at the host -', ['-']],
    ['a request at the host [', ['-W', '[', '-c', '1', ']', '-W', '[', '-c', '2', ']', 'http://localhost']]
  ],
  accepted: [
    ['flags called =, f and a', ['-x=false', 'http://localhost']],
    ['an unknown flag', ['--warmup=[ -c 1 -d 1 ]', 'http://localhost']]
  ]
}
