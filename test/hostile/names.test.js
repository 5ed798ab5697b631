'use strict'

// Names of hosts: a silent name server delays nothing, and what is asked is what the operating system answers.

const t = require('tap')
const dns = require('node:dns')
const { execFile, execFileSync } = require('node:child_process')
const path = require('node:path')
const { NameLookup } = require('../../lib/run/name-lookup')

const ROOT = path.join(__dirname, '../..')
const BIN = path.join(ROOT, 'bin/autocannon.js')

/** A network with a name server and a hosts file of its own. */
const NETWORK = ['-rmn', 'sh', '-c', 'ip link set lo up && mount --bind "$0/resolv.conf" /etc/resolv.conf && mount --bind "$0/hosts" /etc/hosts && exec "$@"']

/** @param {any} t */
function filesOf (t) {
  return t.testdir({ 'resolv.conf': 'nameserver 127.0.0.77\n', hosts: '127.0.0.1 localhost here.test\n127.0.0.2 nobody.test\n' })
}

/** @param {any} t */
function whyNot (t) {
  try {
    execFileSync('unshare', [...NETWORK.slice(0, 4), filesOf(t), 'true'], { stdio: 'pipe' })
    return false
  } catch (error) {
    return `no network of its own can be made here: ${/** @type {Error} */ (error).message}`
  }
}

/**
 * @param {any} t
 * @param {string[]} command of node
 * @param {string} [kill] 'kill' ends it by SIGKILL as soon as it looks up a name
 * @returns {Promise<Record<string, any>>}
 */
function inNetwork (t, command, kill = '') {
  const args = [...NETWORK, filesOf(t), process.execPath, path.join(ROOT, 'test/fixtures/names/silent.js'), kill, ...command]
  return new Promise((resolve, reject) => execFile('unshare', args, { cwd: ROOT }, (error, stdout) => error === null ? resolve(JSON.parse(stdout)) : reject(error)))
}

const SKIP = whyNot(t)

/** A look-up goes on for 40 s; a busy machine needs some to start processes. */
const SOON = 20_000

t.test('a process ends with its run, whatever the name server does', { skip: SKIP, timeout: 200_000 }, async t => {
  for (const [what, command, code] of /** @type {Array<[string, string[], number]>} */ ([
    ['the command', [BIN, '-c', '8', '-d', '1', '-j', 'http://silent.test'], 1],
    ['with TLS', [BIN, '-c', '8', '-d', '1', '-j', 'https://silent.test'], 1],
    ['with workers', [BIN, '-c', '8', '-d', '1', '-w', '2', '-j', 'http://silent.test'], 1],
    ['a timeout', [BIN, '-c', '8', '-d', '2', '-t', '1', '-j', 'http://silent.test'], 1],
    ['an amount', [BIN, '-c', '8', '-a', '40', '-t', '1', '-j', 'http://silent.test'], 1],
    ['a proxy', [BIN, '-c', '8', '-d', '1', '-j', '--proxy', 'http://silent.test:3128', 'https://silent.test'], 1],
    ['a program', ['-e', "require('./index')({ url: 'http://silent.test', connections: 8, duration: 1 }).then(result => console.log(JSON.stringify(result)))"], 0]
  ])) {
    const run = await inNetwork(t, command)
    t.match(run, { code, signal: null, clean: true }, `${what}: ${run.stderr}`)
    t.ok(run.ms < SOON, `${what} ended after ${run.ms} ms`)
    t.equal(JSON.parse(run.stdout).requests.sent, 0)
    const { AC_CONNECT_TIMEOUT: first = 0, AC_LOOKUP_TIMEOUT: others = 0 } = JSON.parse(run.stdout).errorCodes
    if (what === 'a timeout') t.equal(first, 8)
    // A call at the moment in which the look-up times out may get either.
    else if (what === 'an amount') t.ok(first >= 8 && others > 0 && first + others === 40, `${first} and ${others}`)
    // Both address families, each asked for again after 5 s of silence at the earliest.
    t.ok(run.asked <= (what === 'with workers' ? 8 : 4), `one look-up for all connections: ${run.asked} questions`)
  }
})

t.test('nothing stays behind when a run is killed', { skip: SKIP, timeout: 60_000 }, async t => {
  t.match(await inNetwork(t, [BIN, '-c', '2', '-d', '60', 'http://silent.test'], 'kill'), { signal: 'SIGKILL', started: true, clean: true })
})

t.test('names of the hosts file are found, and a name that leads nowhere says so', { skip: SKIP, timeout: 60_000 }, async t => {
  const found = await inNetwork(t, [BIN, '-c', '3', '-a', '30', '-j', 'http://here.test:3000'])
  t.match(found, { code: 0, connections: 3, asked: 0 })
  t.match(JSON.parse(found.stdout), { '2xx': 30, errors: 0, connect: { totalCount: 3 } })
  const refused = await inNetwork(t, [BIN, '-c', '1', '-a', '2', '-j', 'http://nobody.test:3000'])
  t.match(JSON.parse(refused.stdout).errorCodes, { ECONNREFUSED: 2 })
})

/**
 * @param {dns.LookupOptions} options
 * @param {(host: string, options: any, callback: (...answer: any[]) => void) => void} lookup
 * @param {string} [host]
 * @returns {Promise<any[]>}
 */
const answerOf = (options, lookup, host = 'localhost') => new Promise(resolve => lookup(host, options, (...answer) => resolve(answer)))

t.test('the answers are those of dns.lookup', async t => {
  const names = new NameLookup()
  await names.start()
  t.teardown(() => names.stop())
  t.not(names.child, null)
  for (const options of [{ all: true }, { all: false }, { all: true, family: 4 }, { family: 4 }]) {
    t.strictSame(await answerOf(options, names.lookup), await answerOf(options, dns.lookup), JSON.stringify(options))
  }
  const [expected] = await answerOf({ all: true }, dns.lookup, 'a'.repeat(300))
  const [error] = await answerOf({ all: true }, names.lookup, 'a'.repeat(300))
  for (const key of ['message', 'code', 'errno', 'syscall', 'hostname']) t.equal(error[key], expected[key], key)
})

t.test('connections that want the same name share one look-up', async t => {
  const names = new NameLookup()
  await names.start()
  t.teardown(() => names.stop())
  let sent = 0
  const child = /** @type {any} */ (names.child)
  const { send } = child
  child.send = (/** @type {any[]} */ ...args) => { sent++; send.apply(child, args) }
  await Promise.all(Array.from({ length: 10 }, () => answerOf({ all: true }, names.lookup)))
  t.equal(sent, 1)
  await Promise.all([answerOf({ all: true }, names.lookup), answerOf({ family: 4 }, names.lookup)])
  t.equal(sent, 3, 'another one is another one')
  t.equal(names.pending.size, 0)
})

t.test('without its process, a look-up is made here', async t => {
  const names = new NameLookup()
  t.equal((await answerOf({ all: true }, names.lookup))[0], null, 'never started')
  await names.start()
  const child = /** @type {any} */ (names.child)
  // It is asked, and does not come to answer.
  process.kill(child.pid, 'SIGSTOP')
  const answer = answerOf({ all: true }, names.lookup)
  process.kill(child.pid, 'SIGKILL')
  t.equal((await answer)[0], null, 'ended meanwhile')
  t.equal(names.child, null)
  names.stop()
  names.stop()
})

t.test('a look-up that was stopped while its process started leaves none behind', async t => {
  const names = new NameLookup()
  const started = names.start()
  names.stop()
  await started
  t.equal(names.child, null)
})
