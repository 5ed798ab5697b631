'use strict'

// Files that never end, and files without a writer: a run that has not begun ends by an error or by a signal.

const t = require('tap')
const { spawn, spawnSync } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')

const BIN = path.join(__dirname, '../../bin/autocannon.js')
const URL = 'http://127.0.0.1:1'
const IS_LINUX = process.platform === 'linux'

/** A process that needs more memory, or more time, ends. */
const LIMITS = /** @type {const} */ ({ timeout: 60_000, killSignal: 'SIGKILL', encoding: 'utf8' })

/** @param {string[]} argv */
const run = argv => spawnSync(process.execPath, ['--max-old-space-size=1024', BIN, '-d', '1', ...argv], LIMITS)

t.test('a device without an end is refused', { skip: !IS_LINUX && '/dev/zero is of Linux' }, async t => {
  for (const argv of [['--config', '/dev/zero'], ['-i', '/dev/zero', URL], ['--config', '-']]) {
    const { status, stdout, stderr } = argv[1] === '-'
      ? spawnSync('sh', ['-c', `"${process.execPath}" "${BIN}" --config - < /dev/zero`], LIMITS)
      : run(argv)
    t.equal(status, 2, `${argv.join(' ')}: ${stderr.slice(0, 300)}`)
    t.match(stderr, 'it has more than 512 MiB, or no end')
    t.equal(stdout, '')
  }
})

t.test('a line without an end is refused', { skip: !IS_LINUX && '/dev/zero is of Linux' }, async t => {
  const { readLines } = require('../../lib/requests/file')
  t.throws(() => [...readLines('/dev/zero').parts], { message: 'a line is longer than 64 MiB' })
})

t.test('a signal ends a command that waits for the writer of its file', { skip: !IS_LINUX && 'mkfifo is not everywhere' }, async t => {
  const pipe = path.join(t.testdir(), 'pipe')
  t.equal(spawnSync('mkfifo', [pipe]).status, 0)
  for (const command of [[], ['find'], ['versus']]) {
    const child = spawn(process.execPath, [BIN, ...command, '--config', pipe], { stdio: ['ignore', 'ignore', 'inherit'] })
    // The writer's end opens as soon as the command waits at the other one. A writer that stays keeps it waiting.
    const writer = spawn('sh', ['-c', 'exec 3> "$0"; echo open; sleep 60', pipe], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    await once(writer.stdout, 'data')
    child.kill('SIGTERM')
    const [, signal] = await once(child, 'exit')
    t.equal(signal, 'SIGTERM', command.join(' '))
    process.kill(-(/** @type {number} */ (writer.pid)), 'SIGKILL')
  }
})
