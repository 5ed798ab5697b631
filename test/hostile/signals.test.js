'use strict'

// The end that comes from outside: signals at any moment, readers that go away, full disks, terminals that are closed.
// test/cli/main.test.js has what a report says after a signal, test/server/on-port.test.js how servers are stopped.
//
// Run first: it takes longer than most.

const t = require('tap')
const { readdirSync } = require('node:fs')
const { constants } = require('node:os')
const { setTimeout: sleep } = require('node:timers/promises')
const path = require('node:path')
const { BIN, cleanEnv, shell, start } = require('../helpers/processes/cli')
const { serve, closedPort } = require('../helpers/servers/http-server')
const { conserves } = require('../helpers/results/conservation')
const { closeTerminal, lacksTerminal, spawnOnTerminal } = require('../helpers/processes/terminal')

const WINDOWS = process.platform === 'win32'
const SERVER = path.join(__dirname, '../fixtures/cli/server.js')
/** @type {Array<[signal: NodeJS.Signals, code: number]>} */
const SIGNALS = [['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]]

/** @param {number} pid */
function lives (pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** @param {number} pid */
async function ends (pid) {
  for (let i = 0; i < 1500 && lives(pid); i++) await sleep(20)
  return !lives(pid)
}

/** @param {string} text @returns {number} of the server of --on-port */
const pidIn = text => Number(/server (\d+)/.exec(text)?.[1])

t.test('a signal ends a run at any moment with its code, and the server of --on-port with it', { skip: WINDOWS }, async t => {
  const { url } = await serve(t)
  const mute = await serve(t, () => {})
  const dead = `http://127.0.0.1:${await closedPort()}`
  /** What it says on stderr when the moment has come. @type {Array<[moment: string, argv: string[], says: string]>} */
  const moments = [
    ['in the warm-up', ['-W', '[', '-d', '60', ']', '-d', '60', url], 'Warming up'],
    ['in a later run of forever', ['-f', '-a', '1', '-c', '1', '-n', '--no-verbose', url], 'read\n'],
    ['with workers', ['-w', '2', '-d', '60', url], 'workers'],
    ['while nothing answers', ['-d', '60', mute.url], 'connections'],
    ['without a listener on the port', ['-d', '60', dead], 'connections'],
    ['with a server of ours', ['-d', '60', '--', 'node', SERVER], 'connections'],
    ['with a server of ours, in the warm-up', ['-W', '[', '-d', '60', ']', '--', 'node', SERVER], 'Warming up'],
    ['with a server of ours, forever', ['-f', '-d', '0.1', '--', 'node', SERVER], 'read\n']
  ]
  const cases = moments.flatMap(([moment, argv, says], i) =>
    // Where there is a server, each signal; elsewhere one of them.
    (argv.includes(SERVER) ? SIGNALS : [SIGNALS[i % 3]]).map(([signal, expected]) => /** @type {const} */ ([moment, argv, says, signal, expected])))
  for (const some of [cases.slice(0, 7), cases.slice(7)]) {
    await Promise.all(some.map(async ([moment, argv, says, signal, expected]) => {
      const running = start(argv)
      await running.says('stderr', says)
      running.kill(signal)
      const { code, stderr } = await running.ended
      t.equal(code, expected, `${signal} ${moment}`)
      t.notMatch(stderr, '    at ', 'no stack')
      if (argv.includes(SERVER)) t.equal(lives(pidIn(stderr)), false, 'its server has ended')
    }))
  }
})

t.test('a signal before anything runs ends it, too', { skip: WINDOWS }, async t => {
  const { url } = await serve(t)
  await Promise.all([0, 20, 40, 60, 80, 100].map(async (delay, i) => {
    const [signal, expected] = SIGNALS[i % 3]
    const running = start(['-d', '60', '-n', url])
    await sleep(delay)
    running.kill(signal)
    const end = await running.ended
    // Before the first line of ours runs, the system ends the process by the signal itself.
    t.ok(end.code === expected || end.signal === signal, `${signal} after ${delay} ms: ${end.code ?? end.signal}`)
  }))
})

t.test('two signals at once ask for the report once, a later one ends the process', { skip: WINDOWS }, async t => {
  const { url } = await serve(t)
  /** @type {Array<[name: string, argv: string[], says: string, reported: RegExp]>} */
  const commands = [
    ['a run', ['-d', '60', url], 'connections', /Ended by SIGINT, exit code 130/],
    ['find', ['find', '--step', '60', '--threshold', 'p99 < 1s', url], 'Searching', /Ended by SIGINT, exit code 130/],
    ['versus', ['versus', '-d', '60', url, url], 'runs', /interrupted after 0 runs of base and 0 of new/]
  ]
  await Promise.all(commands.map(async ([name, argv, says, reported]) => {
    const running = start(argv)
    await running.says('stderr', says)
    await sleep(500)
    running.kill('SIGINT')
    await sleep(2)
    running.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    t.equal(code, 130, name)
    t.match(stdout + stderr, reported, name)
  }))
  const { url: command } = await serve(t)
  // It does not end by SIGTERM, so the run waits for it when the second signal comes.
  const stubborn = start(['-d', '60', '--', process.execPath, '-e', "process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); require('node:http').createServer((_, response) => response.end()).listen(0, '127.0.0.1')", command])
  await stubborn.says('stderr', 'connections')
  stubborn.kill('SIGINT')
  await sleep(400)
  const at = Date.now()
  stubborn.kill('SIGINT')
  t.equal((await stubborn.ended).code, 130)
  t.ok(Date.now() - at < 2000)
})

t.test('SIGKILL leaves no server behind', { skip: WINDOWS }, async t => {
  const running = start(['-d', '60', '--', 'node', SERVER])
  await running.says('stderr', 'connections')
  const pid = pidIn(running.stderr)
  t.ok(lives(pid))
  running.kill('SIGKILL')
  await running.ended
  t.ok(await ends(pid))
})

t.test('a reader that goes away ends a run that would last for ever', { skip: WINDOWS }, async t => {
  const { url } = await serve(t)
  const lines = await shell(`{ $AUTOCANNON -f -j -a 5 -c 1 ${url}; echo "exit $?" >&2; } | head -1`)
  conserves(t, JSON.parse(lines.stdout))
  t.equal(lines.stderr, 'exit 141\n', 'no stack')
  const report = await shell(`{ $AUTOCANNON -f -d 0.2 -c 1 ${url} 2>&1; echo "exit $?" >&2; } | head -1`)
  t.match(report.stdout, 'Run 1')
  t.equal(report.stderr, 'exit 141\n')
})

t.test('streams that are closed from the start do no harm', { skip: WINDOWS }, async t => {
  const server = await serve(t)
  const { stdout } = await shell(`$AUTOCANNON -a 3 -c 1 ${server.url} >&- 2>&- <&-; echo "exit $?"`)
  t.equal(stdout, 'exit 0\n')
  t.equal(server.requests.length, 3)
})

t.test('a result that can not be written is an error', { skip: process.platform !== 'linux' && '/dev/full is of Linux' }, async t => {
  const { url } = await serve(t)
  const message = 'autocannon: the output could not be written: ENOSPC: no space left on device, write\n'
  const result = await shell(`$AUTOCANNON -j -a 3 -c 1 ${url} > /dev/full; echo "exit $?"`)
  t.strictSame([result.stdout, result.stderr], ['exit 1\n', message])
  const runs = await shell(`$AUTOCANNON -f -j -a 3 -c 1 ${url} > /dev/full; echo "exit $?"`)
  t.strictSame([runs.stdout, runs.stderr], ['exit 1\n', message], 'no further run')
  const report = await shell(`$AUTOCANNON -a 3 -c 1 ${url} 2> /dev/full; echo "exit $?"`)
  t.equal(report.stdout, 'exit 1\n')
})

t.test('a terminal that is closed ends the run, and the server with it', { skip: lacksTerminal }, async t => {
  const terminal = spawnOnTerminal([process.execPath, BIN, '-d', '60', '--', 'node', SERVER], { env: cleanEnv({ TERM: 'xterm', CI: '' }) })
  let said = ''
  // The terminal goes when the last descriptor of its other end is closed: SIGHUP for us, EIO for what we write.
  terminal.onData(text => {
    said += text
    if (said.includes('░')) closeTerminal(terminal)
  })
  const { signal } = await new Promise(resolve => terminal.onExit(resolve))
  // By the signal itself, which a shell calls 129, and not by an abort of Node.js.
  t.equal(signal, constants.signals.SIGHUP, said)
  t.ok(await ends(pidIn(said)))
})

t.test('nothing is left in the temporary folder', { skip: WINDOWS }, async t => {
  const TMPDIR = t.testdir({})
  const running = start(['-d', '60', '--', 'node', SERVER], { env: { TMPDIR } })
  await running.says('stderr', 'connections')
  running.kill('SIGTERM')
  await running.ended
  t.strictSame(readdirSync(TMPDIR), [])
})
