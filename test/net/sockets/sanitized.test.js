'use strict'

// The tests of native sockets over an add-on that is compiled with AddressSanitizer and UndefinedBehaviorSanitizer: a read or write beyond a buffer,
// of memory that was given back, or an overflow ends the process.
//
// Run first: it takes longer than most.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const { existsSync } = require('node:fs')
const path = require('node:path')
const { Running } = require('../../helpers/processes/cli')
const { noCompiler } = require('../../helpers/add-on')
const { shortFolder } = require('../../helpers/short-folder')
const { missing } = require('../../helpers/missing')
const { build } = require('../../../native/build')

/** Whole runs are those of contract/protocols/native-sockets: what contract/load/arrival compares are times, and this add-on is slow beside other tests. */
const FILES = ['faults.test.js', 'native-sockets.test.js', '../../contract/protocols/native-sockets.test.js']

const library = noCompiler() ? '' : spawnSync(process.env.CC || 'cc', ['-print-file-name=libasan.so'], { encoding: 'utf8' }).stdout.trim()
const skip = noCompiler() || (!existsSync(library) && missing('there is no AddressSanitizer: install it (Debian: apt-get install gcc libc6-dev)'))

t.test('nothing is read or written beyond a buffer', { skip }, async t => {
  const file = path.join(shortFolder(t), 'sanitized.node')
  t.equal(build({ file, sanitized: true }), null)
  // Node.js frees little at its end, so leaks are none of this. faults.test.js counts what the add-on allocates.
  const env = { LD_PRELOAD: library, ASAN_OPTIONS: 'detect_leaks=0', ADD_ON: file, SANITIZED: '1' }
  for (const name of FILES) {
    const { code, signal, stdout, stderr } = await new Running(process.execPath, ['-r', require.resolve('../../helpers/add-on'), path.join(__dirname, name)], { env }).ended
    const failed = stdout.split('\n').filter(line => line.trimStart().startsWith('not ok'))
    t.strictSame([code, signal, failed, /runtime error|AddressSanitizer/.exec(stderr)], [0, null, [], null], `${name} ${code === 0 ? '' : stderr}`)
  }
})
