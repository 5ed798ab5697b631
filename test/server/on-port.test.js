'use strict'

// Real programs are started, found and stopped. Each test ends with nothing of them left.
//
// Run first: it takes longer than most.

const t = require('tap')
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } = require('node:fs')
const http = require('node:http')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { PassThrough } = require('node:stream')
const { setTimeout: sleep } = require('node:timers/promises')
const { AutocannonError } = require('../../lib/core/errors')
const { startServer } = require('../../lib/server/on-port')
const { closedPort } = require('../helpers/servers/http-server')
const { parseJournal, quote } = require('../../lib/server/preload/journal')
const { parseStat, parseTcp, parseUnix, familyOf, readProcess, CandidateFilter } = require('../../lib/server/listening-sockets')

// Dozens of programs start here, and most of the time is spent waiting for them: groups run side by side.
t.jobs = 3
t.setTimeout(300_000)
const group = (name, body, options) => t.test(name, { buffered: true, ...options }, body)

const FIXTURES = join(__dirname, '..', 'fixtures', 'on-port')
const LIB = join(__dirname, '..', '..', 'lib')
const LINUX = process.platform === 'linux'
const onLinux = LINUX ? {} : { skip: 'only Linux shows where any program listens' }
const onUnix = process.platform === 'win32' ? { skip: 'no shell' } : {}
const node = (name, ...args) => [process.execPath, join(FIXTURES, name), ...args]
const shell = script => ['sh', '-c', script]
const PLAIN = node('plain.js').map(word => `"${word}"`).join(' ')

/** What went to the two streams, and the server, which the test does not leave running. */
async function start (t, command, surroundings = {}) {
  const out = surroundings.out ?? { stdout: new PassThrough(), stderr: new PassThrough() }
  for (const stream of Object.values(out)) stream.setEncoding('utf8')
  const server = await startServer(command, { ...out, waitMs: 60_000, ...surroundings })
  t.teardown(() => server.stop())
  return { ...server, out }
}

/** Why a command does not become a server. */
async function fails (t, command, code, surroundings = {}) {
  const error = await start(t, command, surroundings).then(() => null, error => error)
  t.ok(error instanceof AutocannonError)
  t.equal(error?.code, code)
  return error?.message ?? ''
}

/** @returns {Promise<any>} what the server answers */
async function ask ({ addresses: [address] }) {
  const target = 'socketPath' in address ? address : { host: address.host, port: address.port }
  const [response] = await once(http.get({ ...target, agent: false }), 'response')
  return JSON.parse(Buffer.concat(await response.toArray()).toString())
}

/** A process that has ended may still have its pid until its parent takes notice. */
function alive (pid) {
  if (LINUX) return readProcess(pid)?.zombie === false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * A program that starts a server and says where it listens.
 */
function starter (t, command, { how = 'wait', lib = LIB, cwd, env = {} } = {}) {
  const clean = Object.entries({ PATH: process.env.PATH, ...env }).map(([name, value]) => `${name}=${value}`)
  const child = spawn('env', ['-i', ...clean, process.execPath, join(FIXTURES, 'starts.js'), lib, how, ...command], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

async function startElsewhere (t, command, surroundings) {
  const child = starter(t, command, surroundings)
  const [line] = await once(child.stdout, 'data')
  const { pid, ...address } = JSON.parse(line)
  return { child, pid, addresses: [address] }
}

/** @returns {number[]} the processes in whose environment the text stands */
function processesWith (text) {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(Number).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}

async function ends (pid, within = 15_000) {
  for (const deadline = Date.now() + within; alive(pid) && Date.now() < deadline;) await sleep(20)
  return !alive(pid)
}

/** @param {string} pid */
function commandOf (pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function folder (t, name = 'plain') {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'on-port-test-')))
  t.teardown(() => rmSync(parent, { recursive: true, force: true }))
  const made = join(parent, name)
  mkdirSync(made)
  return made
}

const AWKWARD = 'it\'s "my" \\ $HOME'

group('finds where a command listens', async t => {
  t.test('a Node.js program', async t => {
    const server = await start(t, node('plain.js'))
    t.equal(server.addresses[0].host, '127.0.0.1')
    const { pid } = await ask(server)
    t.equal(pid, server.pid)
    await server.stop()
    t.notOk(alive(pid))
  })

  t.test('a program inherits no secret of ours, in any process, unless the command gives it', async t => {
    const env = { ...process.env, AUTOCANNON_KEY: 'hush '.repeat(4), AUTOCANNON_REDIS: 'redis://:hush@localhost' }
    const server = await start(t, node('plain.js'), { env })
    const { env: seen } = await ask(server)
    t.notMatch(JSON.stringify(seen), 'hush')
    t.equal(seen.PATH, process.env.PATH)
    const given = await start(t, ['AUTOCANNON_KEY=given', ...node('plain.js')], { env })
    t.match((await ask(given)).env, { AUTOCANNON_KEY: 'given', AUTOCANNON_REDIS: undefined })
    // The shell that watches over the command is a process of its own.
    if (!LINUX) return
    process.env.AUTOCANNON_KEY = env.AUTOCANNON_KEY
    t.teardown(() => { delete process.env.AUTOCANNON_KEY })
    const guarded = await start(t, node('plain.js'))
    const watchdogs = readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && commandOf(pid).includes(`autocannon-watchdog\0${guarded.pid}\0`))
    t.equal(watchdogs.length, 1)
    t.notMatch(readFileSync(`/proc/${watchdogs[0]}/environ`, 'utf8'), 'hush')
  })

  t.test('an ESM program', async t => {
    t.same(await ask(await start(t, node('esm.mjs'))), { esm: true })
  })

  t.test('a program behind a shell', onUnix, async t => {
    const server = await start(t, shell(`${PLAIN}; true`))
    const { pid } = await ask(server)
    t.not(pid, server.pid)
    await server.stop()
    t.notOk(alive(pid))
  })

  t.test('a program that a shell leaves in the background', onUnix, async t => {
    const server = await start(t, shell(`${PLAIN} & exit 0`))
    let exited = false
    server.exited.then(() => { exited = true })
    const { pid } = await ask(server)
    await sleep(200)
    t.notOk(exited, 'the command has not ended while its server runs')
    await server.stop()
    t.notOk(alive(pid))
    t.same(await server.exited, { code: 0, signal: null })
  })

  t.test('a program that left its session', { skip: !LINUX }, async t => {
    const server = await start(t, node('own-session.js'))
    const { pid } = await ask(server)
    await server.stop()
    t.ok(await ends(pid))
  })

  t.test('a program that left its session and ignores SIGTERM, behind one that does not', { skip: !LINUX }, async t => {
    const server = await start(t, [...node('own-session.js'), 'stubborn.js'])
    const { pid } = await ask(server)
    await server.stop()
    t.ok(await ends(pid))
  })

  t.test('a child process', async t => {
    const server = await start(t, node('child.js'))
    const { pid } = await ask(server)
    t.not(pid, server.pid)
    await server.stop()
    t.ok(await ends(pid))
  })

  t.test('npm start', onUnix, async t => {
    const cwd = folder(t)
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { start: PLAIN } }))
    const server = await start(t, ['npm', 'start'], { cwd })
    const { pid } = await ask(server)
    await server.stop()
    t.notOk(alive(pid))
  })

  t.test('a cluster worker', async t => {
    const server = await start(t, node('cluster.js'))
    t.not((await ask(server)).pid, server.pid)
  })

  t.test('a worker thread', async t => {
    const server = await start(t, node('thread.js'))
    t.equal((await ask(server)).pid, server.pid)
  })

  t.test('a server that is late', async t => {
    t.ok((await ask(await start(t, node('late.js')))).pid)
  })

  t.test('a server that is no http.Server', async t => {
    t.same(await ask(await start(t, node('raw.js'))), { raw: true })
  })

  t.test('a server that tries ports itself, without a warning', async t => {
    const server = await start(t, node('retries.js'))
    t.same(await ask(server), { tried: 21 })
    t.equal(server.out.stderr.read(), null)
  })

  t.test('a Unix socket, by its full path', onUnix, async t => {
    const cwd = folder(t)
    const server = await start(t, node('unix.js', 'the server.sock'), { cwd })
    t.same(server.addresses[0], { socketPath: join(cwd, 'the server.sock') })
    t.same(await ask(server), { unix: true })
  })

  t.test('an abstract socket, by its name as text', onLinux, async t => {
    const name = `on-port-test-${process.pid}`
    const server = await start(t, [process.execPath, '-e', `require('http').createServer((request, response) => response.end('{}')).listen('\\0${name}')`])
    t.same(server.addresses[0], { socketPath: '@' + name })
  })

  t.test('with variables of the environment before the program', async t => {
    const { env } = await ask(await start(t, ['A_1=x', 'B=', 'C=d=e f', ...node('plain.js')]))
    t.match(env, { A_1: 'x', B: '', C: 'd=e f' })
  })

  t.test('on the port that is asked for, whatever else it listens on', async t => {
    const port = await closedPort()
    const server = await start(t, node('two.js', port), { ports: [port] })
    t.same(server.addresses, [{ port, host: '127.0.0.1' }])
    t.same(await ask(server), { second: true })
    const whichever = await start(t, node('two.js', await closedPort()))
    t.same(await ask(whichever), { first: true })
  })

  t.test('not on a port that does not speak HTTP, however long before the server it listens', async t => {
    t.same(await ask(await start(t, node('hesitates.js', 'database'))), { hesitated: true })
  })

  t.test('on the port that is asked for only when it speaks HTTP: a look for a free port may come first', async t => {
    const port = await closedPort()
    const server = await start(t, node('hesitates.js', 'look', port), { ports: [port] })
    t.same(server.addresses, [{ port, host: '127.0.0.1' }])
    t.same(await ask(server), { hesitated: true })
  })

  t.test('not on an HTTP server that has closed again', async t => {
    t.same(await ask(await start(t, node('hesitates.js', 'http-look'))), { hesitated: true })
  })

  t.test('a server that closes the first connections, and one that leaves the first request unanswered', async t => {
    t.same(await ask(await start(t, node('hesitates.js', 'closes'))), { hesitated: true })
    t.same(await ask(await start(t, node('hesitates.js', 'hangs'))), { hesitated: true })
  })

  t.test('a server that is no http.Server, over TLS and over HTTP/2', async t => {
    for (const how of ['tls', 'h2c']) {
      const server = await start(t, node('hesitates.js', how))
      t.equal(server.addresses[0].host, '127.0.0.1', how)
      await server.stop()
    }
  })

  t.test('no request reaches an http.Server before the load', async t => {
    t.same(await ask(await start(t, node('counts.js'))), { requests: 1 })
  })

  t.test('a wildcard, as an address to connect to', async t => {
    for (const [host, expected] of [['0.0.0.0', '127.0.0.1'], ['::', '127.0.0.1'], ['::1', '::1']]) {
      const server = await start(t, node('plain.js'), { env: { ...process.env, HOST: host } }).catch(error => error)
      if (server instanceof Error && /EAFNOSUPPORT|EADDRNOTAVAIL/.test(server.message)) continue
      t.equal(server.addresses[0].host, expected, host)
      t.ok((await ask(server)).pid)
      await server.stop()
    }
  })
})

group('finds where other programs listen', async t => {
  // What we load into Node.js comes by its environment: without one, a program has to be found as any other.
  const elsewhere = (name, env = [], ...args) => ['env', '-i', ...env, ...node(name, ...args)]

  t.test('on a port', async t => {
    const cwd = folder(t)
    const server = await start(t, elsewhere('plain.js'), { cwd })
    t.equal(server.addresses[0].host, '127.0.0.1')
    t.match(await ask(server), { cwd, given: undefined })
    await server.stop()
    t.notOk(alive(server.pid))
  })

  t.test('on a wildcard of IPv6', async t => {
    const server = await start(t, elsewhere('plain.js', ['HOST=::'])).catch(() => null)
    if (server === null) return t.skip('no IPv6')
    t.equal(server.addresses[0].host, 'localhost')
    t.ok((await ask(server)).pid)
  })

  t.test('on a Unix socket', async t => {
    const cwd = folder(t)
    const server = await start(t, elsewhere('unix.js', [], 'a b.sock'), { cwd })
    t.same(server.addresses[0], { socketPath: join(cwd, 'a b.sock') })
    t.same(await ask(server), { unix: true })
  })

  t.test('Node.js without our environment', async t => {
    t.ok((await ask(await start(t, ['env', '-i', ...node('plain.js')]))).pid)
  })

  t.test('a server in native code', async t => {
    const server = await start(t, node('native.js'))
    t.equal(server.addresses[0].host, '127.0.0.1')
    t.ok(server.addresses[0].port > 0)
  })
}, onLinux)

group('takes nothing else for the server', async t => {
  t.test('the inspector, pipes and ports that keep no process alive, a look for a free port', onUnix, async t => {
    const server = await start(t, [process.execPath, '--inspect=127.0.0.1:0', ...node('bystanders.js', 'pipe.sock').slice(1)], {
      cwd: folder(t)
    })
    t.equal((await ask(server)).pid, server.pid)
  })
})

group('reaches every Node.js process', async t => {
  t.test('from folders with spaces and quotes in their names', onUnix, async t => {
    const cwd = folder(t, AWKWARD)
    cpSync(LIB, join(cwd, 'lib'), { recursive: true })
    cpSync(FIXTURES, join(cwd, 'on port'), { recursive: true })
    const command = [process.execPath, join(cwd, 'on port', 'child.js')]
    const answer = await ask(await startElsewhere(t, command, { cwd, lib: join(cwd, 'lib') }))
    t.equal(answer.cwd, cwd)
    t.equal(answer.env.NODE_OPTIONS, `--require ${quote(join(cwd, 'lib', 'server', 'preload', 'report-listening.js'))}`)
  })

  t.test('and keeps the NODE_OPTIONS that are there', onUnix, async t => {
    const given = join(folder(t, AWKWARD), 'given.js')
    writeFileSync(given, 'globalThis.given = true')
    const NODE_OPTIONS = `--no-warnings --require ${quote(given)}`
    const answer = await ask(await startElsewhere(t, node('child.js'), { env: { NODE_OPTIONS } }))
    t.equal(answer.given, true)
    t.equal(answer.env.NODE_OPTIONS, `${NODE_OPTIONS} --require ${quote(join(LIB, 'server', 'preload', 'report-listening.js'))}`)
  })

  t.test('and quotes only what needs it', async t => {
    t.equal(quote('/a/b.js'), '/a/b.js')
    t.equal(quote('C:\\a\\b.js'), 'C:\\a\\b.js')
    t.equal(quote('C:\\a b\\"c".js'), '"C:\\\\a b\\\\\\"c\\".js"')
  })
})

group('leaves a Node.js program as it is', async t => {
  const about = `
    const { Server } = require('net')
    const server = require('http').createServer()
    const returned = server.listen(0, '127.0.0.1', () => {
      console.log(JSON.stringify({
        name: Server.prototype.listen.name,
        length: Server.prototype.listen.length,
        listeners: server.listenerCount('listening'),
        handles: process._getActiveHandles().length,
        resources: process.getActiveResourcesInfo(),
        chained: returned === server
      }))
      server.close()
    })
    try { require('net').createServer().listen(-1) } catch (error) { console.log(error.code) }
    `
  const preload = ['--require', require.resolve('../../lib/server/preload/report-listening.js')]
  const journal = join(folder(t), 'journal')
  const says = async (flags, env) => {
    const child = spawn(process.execPath, [...flags, '-e', about], { env: { PATH: process.env.PATH, ...env } })
    const [output, errors] = await Promise.all([child.stdout.toArray(), child.stderr.toArray(), once(child, 'close')])
    return { code: child.exitCode, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() }
  }
  const alone = await says([], {})
  t.equal(alone.code, 0)

  t.test('without the variable', async t => {
    t.same(await says(preload, {}), alone)
  })

  t.test('without a journal', async t => {
    t.same(await says(preload, { AUTOCANNON_ON_PORT: journal }), alone)
    t.notOk(existsSync(journal))
  })

  t.test('with a journal', async t => {
    writeFileSync(journal, '')
    t.same(await says(preload, { AUTOCANNON_ON_PORT: journal }), alone)
    t.equal(parseJournal(readFileSync(journal, 'utf8')).servers.length, 1)
  })

  t.test('with a journal that cannot be written to', async t => {
    t.same(await says(preload, { AUTOCANNON_ON_PORT: folder(t) }), alone)
  })

  t.test('after the journal is closed', async t => {
    t.same(await says(preload, { AUTOCANNON_ON_PORT: join(folder(t), 'closed') }), alone)
  })
})

group('passes on what the command writes, and keeps its input open', async t => {
  const server = await start(t, node('talks.js'))
  for (const [name, stream] of Object.entries(server.out)) {
    await once(stream, 'readable')
    t.equal(stream.read(), `to ${name}\n`)
  }
  await sleep(200)
  t.ok((await ask(server)).pid)
})

group('says why a command does not become a server', async t => {
  t.test('no command', async t => {
    t.match(await fails(t, [], 'AC_ON_PORT_SPAWN'), /node server\.js/)
  })

  t.test('a command that does not exist', async t => {
    t.match(await fails(t, ['no-such program', '-x'], 'AC_ON_PORT_SPAWN'),
      /^Could not start the command: "no-such program" -x\nThere is no program "no-such program"/)
  })

  t.test('a command that does not exist, where the system reports EACCES for a place of PATH', onUnix, async t => {
    const place = folder(t)
    mkdirSync(join(place, 'no-such-program'))
    t.match(await fails(t, ['no-such-program'], 'AC_ON_PORT_SPAWN', { env: { PATH: `${place}:${process.env.PATH}` } }), /\nThere is no program "no-such-program"/)
  })

  t.test('a folder that does not exist', async t => {
    t.match(await fails(t, node('plain.js'), 'AC_ON_PORT_SPAWN', { cwd: '/no/such/folder' }),
      /The folder \/no\/such\/folder does not exist/)
  })

  t.test('a script that is not executable', onUnix, async t => {
    const script = join(folder(t), 'server.js')
    writeFileSync(script, '')
    t.match(await fails(t, [script], 'AC_ON_PORT_SPAWN'), `start it with its interpreter, such as: node ${script}`)
  })

  t.test('only variables', async t => {
    t.match(await fails(t, ['PORT=1', 'API_TOKEN=s3cret', 'no-such-program', '--password=s3cret'], 'AC_ON_PORT_SPAWN'),
      /^Could not start the command: PORT=1 "?API_TOKEN=\*\*\*"? no-such-program "?--password=\*\*\*"?\n/, 'its secrets are not for logs')
    t.match(await fails(t, ['PORT=1'], 'AC_ON_PORT_SPAWN'), /^Could not start the command: PORT=1\nGive one after --/)
  })

  t.test('no temporary folder, in one line', onUnix, async t => {
    const { TMPDIR } = process.env
    t.teardown(() => TMPDIR === undefined ? delete process.env.TMPDIR : Object.assign(process.env, { TMPDIR }))
    process.env.TMPDIR = '/no/such/folder'
    t.match(await fails(t, ['node', 'x.js'], 'AC_ON_PORT_SPAWN'),
      /^Could not start the command: node x\.js: no temporary folder can be made \(ENOENT.*\); set TMPDIR to a folder that can be written to$/)
  })

  t.test('one that listens elsewhere than it is asked for', async t => {
    const [asked, other] = [await closedPort(), await closedPort()]
    const message = await fails(t, node('two.js', other), 'AC_ON_PORT_TIMEOUT', { ports: [asked], waitMs: 5000 })
    t.match(message, `did not listen on port ${asked}, which the URL names, within 5 s`)
    t.match(message, new RegExp(`\nIt listened on port \\d+, port ${other}: give that port, or a URL without a port`))
  })

  t.test('one that listens, but does not speak HTTP', async t => {
    const quiet = { waitMs: 3000, quiet: true }
    const message = await fails(t, node('hesitates.js', 'never'), 'AC_ON_PORT_TIMEOUT', quiet)
    t.match(message, /^The command listened on port \d+, but did not respond over HTTP there within 3 s: .*hesitates\.js never\n/)
    const port = await closedPort()
    const asked = await fails(t, node('hesitates.js', 'never', port), 'AC_ON_PORT_TIMEOUT', { ...quiet, ports: [port] })
    t.match(asked, `The command listened on port ${port}, but did not respond over HTTP there within 3 s`)
  })

  t.test('one that ends with code 3, and its last output where that was not shown', async t => {
    t.match(await fails(t, node('exits.js', '3'), 'AC_ON_PORT_EXITED'), /exits\.js 3\nWhat it wrote to stderr is above\.\nRun it/)
    const message = await fails(t, node('exits.js', '3'), 'AC_ON_PORT_EXITED', { quiet: true })
    t.match(message, /^The command ended with exit code 3 before it listened: .*exits\.js 3\n/)
    t.match(message, '\n  no database\n')
    t.ok(message.length < 10_000)
  })

  t.test('one that ends with code 0', async t => {
    t.match(await fails(t, [process.execPath, '-e', '0'], 'AC_ON_PORT_EXITED'),
      /exit code 0 .*\nIt wrote nothing to stderr\.\nIt has to stay in the foreground/)
  })

  t.test('one that a signal ends', onUnix, async t => {
    t.match(await fails(t, shell('kill -KILL $$'), 'AC_ON_PORT_EXITED'), /was ended by SIGKILL/)
  })

  t.test('one that never listens, after which it is gone', onUnix, async t => {
    const out = { stdout: new PassThrough(), stderr: new PassThrough() }
    // A shell, because it starts in time on a busy machine.
    const pidFile = join(folder(t), 'pid')
    const command = shell(`echo $$ > ${pidFile}; echo still thinking >&2; exec sleep 600`)
    const said = []
    const message = await fails(t, command, 'AC_ON_PORT_TIMEOUT', { waitMs: 3000, out, quiet: true, say: sentence => said.push(sentence) })
    t.match(message, /^The command did not listen on a TCP port or a Unix socket within 3 s: sh -c "echo/)
    t.equal(said.length, 1, 'the wait is said once')
    t.match(said[0], /^waiting up to 3 s until the command responds over HTTP on a TCP port or a Unix socket: sh -c "echo .*start it on its own and omit --on-port\)$/)
    t.match(message, '\n  still thinking\n')
    t.match(message, 'on other platforms only Node.js programs')
    t.equal(out.stderr.read(), null, 'it was quiet')
    t.ok(await ends(parseInt(readFileSync(pidFile, 'utf8'))))
  })

  t.test('one that is no longer wanted', async t => {
    const reason = new Error('changed my mind')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 200)
    await t.rejects(start(t, node('idle.js'), { signal: controller.signal }), reason)
    await t.rejects(start(t, node('idle.js'), { signal: AbortSignal.abort(reason) }), reason)
  })
})

group('stops a server', async t => {
  t.test('in its own time, once', onUnix, async t => {
    const farewell = join(folder(t), 'farewell')
    const server = await start(t, node('polite.js', farewell))
    const first = server.stop()
    t.equal(server.stop(), first)
    await first
    await server.stop()
    t.equal(readFileSync(farewell, 'utf8'), 'goodbye')
    t.same(await server.exited, { code: 0, signal: null })
  })

  t.test('that ignores SIGTERM, after two seconds', onUnix, async t => {
    const server = await start(t, node('stubborn.js'))
    const at = Date.now()
    await server.stop()
    const took = Date.now() - at
    t.ok(took >= 1950 && took < 10_000, `${took} ms`)
    t.same(await server.exited, { code: null, signal: 'SIGKILL' })
  })

  t.test('that has ended by itself', async t => {
    const server = await start(t, node('plain.js'))
    process.kill(server.pid, 'SIGKILL')
    await server.exited
    await server.stop()
    t.notOk(alive(server.pid))
  })

  t.test('and leaves no folder and no process behind', onLinux, async t => {
    for (const [how, command] of [['stop', shell(PLAIN)], ['hurry', node('idle.js')]]) {
      const TMPDIR = folder(t)
      const child = starter(t, command, { how, env: { TMPDIR } })
      await once(child, 'close')
      t.equal(child.exitCode, 0)
      t.same(readdirSync(TMPDIR), [])
      for (const pid of processesWith(TMPDIR)) t.ok(await ends(pid))
    }
  })
})

group('does not let a server survive', async t => {
  const cases = [['exit', null], ['throw', null], ['wait', 'SIGTERM'], ['wait', 'SIGHUP'], ['wait', 'SIGKILL']]
  for (const [how, signal] of cases) {
    t.test(signal === null ? `${how === 'exit' ? 'process.exit()' : 'an uncaught error'}` : signal, async t => {
      const { child, pid, addresses } = await startElsewhere(t, shell(`${PLAIN}; true`), { how })
      if (signal !== null) {
        const answer = await ask({ addresses })
        child.kill(signal)
        t.ok(await ends(answer.pid))
      }
      t.ok(await ends(pid))
    })
  }

  t.test('that does not know us and ignores SIGTERM', onLinux, async t => {
    const command = shell(`trap '' TERM; env -i ${node('stubborn.js').map(word => `"${word}"`).join(' ')}; true`)
    const { child, pid } = await startElsewhere(t, command)
    child.kill('SIGKILL')
    t.ok(await ends(pid))
  })
}, onUnix)

group('reads /proc', async t => {
  t.test('a process whose name has spaces and parentheses', async t => {
    const rest = 'S 7 8 9 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 4711 1000 2000'
    t.same(parseStat(`12 (a) b (c) ${rest}\n`), { pid: 12, parent: 7, group: 8, session: 9, zombie: false, startedAt: '4711' })
    t.equal(parseStat('12 (a) Z 7 8 9').zombie, true)
  })

  t.test('TCP sockets that listen', async t => {
    const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
    const line = (local, state, inode) =>
      `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100\n`
    const text = head + line('0100007F:1F90', '0A', 11) + line('0100007F:1F91', '01', 12) + line('00000000:0050', '0A', 13)
    t.same([...parseTcp(text, 'LE')], [
      ['11', { port: 8080, host: '127.0.0.1' }],
      ['13', { port: 80, host: '0.0.0.0' }]
    ])
    t.same([...parseTcp(line('', '', 0) + line('7F000001:1F90', '0A', 11), 'BE').values()], [{ port: 8080, host: '127.0.0.1' }])
    const six = head + line('00000000000000000000000000000000:1F90', '0A', 1) +
      line('00000000000000000000000001000000:1F90', '0A', 2) + line('B80D0120000000000000000001000000:1F90', '0A', 3)
    t.same([...parseTcp(six, 'LE').values()].map(({ host }) => host), ['::', '::1', '2001:db8::1'])
    t.equal(parseTcp('').size, 0)
  })

  t.test('Unix sockets that listen', async t => {
    t.same([...parseUnix([
      'Num       RefCount Protocol Flags    Type St Inode Path',
      '0000000000000000: 00000002 00000000 00010000 0001 01 21 /tmp/a b.sock',
      '0000000000000000: 00000002 00000000 00010000 0001 01 22 @abstract',
      `0000000000000000: 00000002 00000000 00010000 0001 01 26 ${'@filled up'.padEnd(108, '@')}`,
      '0000000000000000: 00000003 00000000 00000000 0001 03 23 /tmp/connected',
      '0000000000000000: 00000002 00000000 00010000 0005 01 24 /tmp/packets',
      '0000000000000000: 00000002 00000000 00000000 0002 01 25',
      ''
    ].join('\n'))], [['21', { socketPath: '/tmp/a b.sock' }], ['22', { socketPath: '@abstract' }], ['26', { socketPath: '@filled up' }]])
  })

  t.test('which processes belong together', async t => {
    const process = (pid, parent, group, session) => ({ pid, parent, group, session, zombie: false, startedAt: '1' })
    const family = familyOf([
      process(9, 8, 9, 9), // the child of a stray, before its parent in the list
      process(1, 0, 1, 1),
      process(5, 1, 5, 5),
      process(6, 5, 5, 5),
      process(7, 1, 7, 5), // an orphan in another group of the session
      process(8, 6, 8, 8), // a stray in a session of its own
      process(10, 1, 10, 10)
    ], 5)
    t.same(family.map(({ pid }) => pid).sort(), [5, 6, 7, 8, 9])
  })
})

group('says which sockets may be the server\'s', async t => {
  const nothing = { watched: new Set(), known: new Set(), servers: [] }
  const tcp = { pid: 5, node: false, address: { port: 80, host: '::' } }
  const unix = { pid: 5, node: false, address: { socketPath: '/s' } }
  const first = { address: { port: 1, host: 'a' }, http: false }
  const second = { address: { port: 2, host: 'b' }, http: true }
  const unreported = ({ address }) => ({ address, http: false })
  /** @returns {any[]} the candidates at each time */
  const candidates = (times, reports, listeners) => {
    const filter = new CandidateFilter()
    return times.map(at => filter.candidates(at, { ...nothing, ...reports }, listeners(at)))
  }
  const [TCP, UNIX] = [[unreported(tcp)], [unreported(unix)]]

  t.test('what is reported may be at once, in its order, before what was seen', async t => {
    t.same(candidates([0, 100], { servers: [first, second] }, () => [tcp]), [[first, second], [first, second, ...TCP]])
  })

  t.test('a socket has to be seen for a while', async t => {
    t.same(candidates([0, 99, 100], {}, () => [tcp]), [[], [], TCP])
    t.same(candidates([0, 999, 1000], {}, () => [unix]), [[], [], UNIX])
  })

  t.test('a port goes before a path', async t => {
    t.same(candidates([0, 800, 900], {}, at => at < 800 ? [unix] : [unix, tcp]), [[], [], TCP])
  })

  t.test('a socket of Node.js that is not reported has to be seen for longer', async t => {
    for (const [listener, reports] of [[{ ...tcp, node: true }, {}], [tcp, { watched: new Set([5]) }]]) {
      t.same(candidates([0, 999, 1000], reports, () => [listener]), [[], [], TCP])
    }
    t.same(candidates([0, 1999, 2000], {}, () => [{ ...unix, node: true }]), [[], [], UNIX])
  })

  t.test('a socket that closes in between starts again', async t => {
    t.same(candidates([0, 50, 100, 199, 200], {}, at => at === 50 ? [] : [tcp]), [[], [], [], [], TCP])
  })

  t.test('a port that is asked for may be at once, and no other', async t => {
    const filter = new CandidateFilter()
    const at = (reports, listeners) => filter.candidates(0, { ...nothing, ...reports }, listeners, 80)
    const asked = { address: { port: 80, host: 'b' }, http: true }
    t.same(at({ servers: [first] }, [unix]), [])
    t.same(at({ servers: [first, asked] }, [tcp]), [asked])
    t.same(at({ servers: [first] }, [tcp]), TCP)
    t.same(at({ known: new Set([80]) }, []), [{ address: { port: 80, host: 'localhost' }, http: false }], 'also what is not said to be a server')
  })

  t.test('what is said not to be the server never is', async t => {
    t.same(candidates([0, 9999], { known: new Set([80, '/s']) }, () => [tcp, unix]), [[], []])
  })
})

group('reads a journal that is still being written', async t => {
  const text = '{"pid":1}\n{"pid":2,"known":9229}\n{"pid":2,"port":80,"host":"::1","http":true}\n{"pid":3,"socketPath":"/s"}\n{"pid":4,"po'
  t.same(parseJournal(text), {
    watched: new Set([1, 2, 3]),
    known: new Set([9229]),
    servers: [{ address: { port: 80, host: '::1' }, http: true }, { address: { socketPath: '/s' }, http: false }]
  })
})
