'use strict'

// Where the add-on can't be built, loaded or used, a run works all the same, and says which sockets it used.
//
// Run first: it takes longer than most.

const t = require('tap')
const { spawnSync } = require('node:child_process')
const { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { FILE, load } = require('../../../lib/net/sockets/binding')
const { serve } = require('../../helpers/servers/http-server')
const { BIN, Running, cleanEnv } = require('../../helpers/processes/cli')
const { buildFaulty, noCompiler } = require('../../helpers/add-on')
const { shortFolder } = require('../../helpers/short-folder')

if (process.platform !== 'linux') {
  t.match(load(), { binding: null, reason: /need Linux/ })
  return
}

const ROOT = path.join(__dirname, '../../..')
const PRELOAD = require.resolve('../../helpers/add-on')
const skip = noCompiler()

/**
 * A run in a process of its own, which has to complete all of them.
 * @param {any} t
 * @param {{ file?: string, env?: Record<string, string>, node?: string[], argv?: string[], amount?: number, shell?: string }} options file: the add-on that it loads
 * @returns {Promise<{ stderr: string, result: any }>}
 */
async function run (t, { file, env = {}, node = [], argv = [], amount = 20, shell }) {
  const server = await serve(t)
  // The header is none with --json.
  const report = path.join(shortFolder(t), 'result.json')
  const command = [process.execPath, ...node, '-r', PRELOAD, BIN, '-a', String(amount), '-c', '2', '-o', report, ...argv, server.url]
  const all = { ...env, ...file !== undefined && { ADD_ON: file } }
  const running = shell === undefined ? new Running(command[0], command.slice(1), { env: all }) : new Running('sh', ['-c', `${shell}; exec "$@"`, 'sh', ...command], { env: all })
  const { code, signal, stderr } = await running.ended
  t.strictSame([code, signal, code === 0 ? '' : stderr], [0, null, ''])
  const result = JSON.parse(readFileSync(report, 'utf8'))
  t.equal(result['2xx'], amount)
  return { stderr, result }
}

/**
 * It goes through the sockets of Node.js, and one line of the header says why.
 * @param {any} t
 * @param {Parameters<typeof run>[1]} options
 * @param {RegExp} reason
 */
async function fallsBack (t, options, reason) {
  const { stderr, result } = await run(t, options)
  const lines = stderr.split('\n').filter(line => line.includes('sockets of Node.js'))
  t.equal(lines.length, 1, 'one line of the header')
  t.match(lines[0], reason)
  t.equal(result.clock, undefined)
}

t.test('an add-on that can not be loaded', { skip }, async t => {
  const folder = shortFolder(t)
  const whole = path.join(folder, 'whole.node')
  buildAt(whole, readFileSync(path.join(ROOT, 'native/sockets.c'), 'utf8'))
  const bytes = readFileSync(whole)
  const named = (name, content) => {
    const file = path.join(folder, name)
    writeFileSync(file, content)
    return file
  }
  const other = Buffer.from(bytes)
  other.writeUInt16LE(other.readUInt16LE(18) === 62 ? 183 : 62, 18)

  await t.test('as it is, it is used', async t => {
    const { stderr, result } = await run(t, { file: whole })
    t.notMatch(stderr, 'sockets of Node.js')
    t.ok(result.clock.arrival > 0)
  })
  await t.test('no file', t => fallsBack(t, { file: path.join(folder, 'none.node') }, /can't be loaded: ENOENT/))
  await t.test('garbage', t => fallsBack(t, { file: named('garbage.node', Buffer.alloc(5000, 'x')) }, /can't be loaded: .*(invalid ELF header|file too short)/))
  await t.test('an empty file', t => fallsBack(t, { file: named('empty.node', '') }, /can't be loaded/))
  await t.test('a folder', t => fallsBack(t, { file: folder }, /can't be loaded/))
  await t.test('of another processor', t => fallsBack(t, { file: named('other.node', other) }, /can't be loaded/))
  await t.test('of another ABI', t => {
    const file = path.join(folder, 'abi.node')
    buildAt(file, `
      void node_module_register(void *module);
      static struct { int version; unsigned flags; void *handle; const char *file; void *a, *b; const char *name; void *c, *d; } module = { .version = 1, .file = "abi.c", .name = "abi" };
      __attribute__((constructor)) static void begin(void) { node_module_register(&module); }`)
    return fallsBack(t, { file }, /can't be loaded: .*compiled against a different Node.js version/s)
  })
  await t.test('that needs a function which this Node.js has not', t => {
    const file = path.join(folder, 'symbol.node')
    buildAt(file, '#include <node_api.h>\nvoid napi_of_tomorrow(void);\nNAPI_EXTERN napi_value napi_register_module_v1(napi_env env, napi_value exports) { (void) env; napi_of_tomorrow(); return exports; }\n')
    return fallsBack(t, { file }, /can't be loaded: .*napi_of_tomorrow/)
  })
  await t.test('of another version of autocannon', t => {
    const file = path.join(folder, 'version.node')
    buildAt(file, '#include <node_api.h>\nNAPI_EXTERN napi_value napi_register_module_v1(napi_env env, napi_value exports) { (void) env; return exports; }\n')
    return fallsBack(t, { file }, /of another version of autocannon/)
  })
  await t.test('that is no module', t => {
    const file = path.join(folder, 'library.node')
    buildAt(file, 'int nothing(void);\nint nothing(void) { return 0; }\n')
    return fallsBack(t, { file }, /can't be loaded: Module did not self-register/)
  })
  await t.test('dlopen is refused', t => fallsBack(t, { node: ['--no-addons'], file: whole }, /can't be loaded: .*addons? is disabled/))

  await t.test('truncated at any byte: it never ends the process', async t => {
    const script = `
      const { loadFile } = require(${JSON.stringify(require.resolve('../../../lib/net/sockets/binding'))})
      const { readFileSync, writeFileSync } = require('node:fs')
      const bytes = readFileSync(${JSON.stringify(whole)})
      const seen = {}
      for (let size = 0; size < bytes.length; size += size < 128 || size > bytes.length - 128 ? 1 : 97) {
        const file = ${JSON.stringify(folder)} + '/cut-' + size + '.node'
        writeFileSync(file, bytes.subarray(0, size))
        seen[loadFile(file).reason?.replace(/^.*cut-\\d+.node: /, '')] = size
      }
      console.log(JSON.stringify(seen))`
    const { stdout, signal, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', env: cleanEnv() })
    t.equal(signal, null, stderr)
    const reasons = Object.keys(JSON.parse(stdout))
    t.ok(reasons.includes("the add-on can't be loaded: its file is truncated"), reasons.join('; '))
    t.notOk(reasons.includes('undefined'), 'none was loaded')
  })
  await t.test('truncated: the header says so', t => fallsBack(t, { file: named('cut.node', bytes.subarray(0, 9000)) }, /its file is truncated/))
})

/**
 * @param {string} file
 * @param {string} source
 */
function buildAt (file, source) {
  const at = `${file}.c`
  writeFileSync(at, source)
  // Unlike native/build.js, which has no symbol looked up late: what a function that is not there does is the loader's business here.
  const { status, stderr } = spawnSync(process.env.CC || 'cc', ['-shared', '-fPIC', '-O1', '-fvisibility=hidden', '-Wl,-z,now', '-I', require('node-api-headers').include_dir, at, '-o', file, '-lm'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

t.test('a machine that can not build it: npm ci says so in one line, and goes on', async t => {
  const folder = shortFolder(t)
  // A clone as far as the build goes.
  for (const part of ['native', 'lib']) cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true })
  const file = path.join(folder, path.relative(ROOT, FILE))
  // Here, Node.js came without its headers.
  const bare = path.join(folder, 'bare.js')
  writeFileSync(bare, "process.execPath = '/nowhere/bin/node'")
  const build = env => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', bare, path.join(folder, 'native/build.js')], { encoding: 'utf8', env: { ...cleanEnv(), ...env } })
    return [status, stdout, stderr]
  }
  const NO = 'autocannon uses the sockets of Node.js:'
  t.strictSame(build({}), [0, `${NO} the package node-api-headers is not installed, and Node.js came without its headers\n`, ''], 'no headers')
  cpSync(require('node-api-headers').include_dir, path.join(folder, 'include/node'), { recursive: true })
  writeFileSync(bare, `process.execPath = ${JSON.stringify(path.join(folder, 'bin/node'))}`)
  t.strictSame([build({}), existsSync(file)], [[0, '', ''], true], 'those that came with Node.js')
  rmSync(path.join(folder, 'prebuilds'), { recursive: true })
  mkdirSync(path.join(folder, 'node_modules'))
  symlinkSync(path.join(ROOT, 'node_modules/node-api-headers'), path.join(folder, 'node_modules/node-api-headers'))
  t.strictSame(build({ CC: 'no-such-compiler' }), [0, `${NO} there is no C compiler (no-such-compiler)\n`, ''], 'no compiler')
  t.strictSame(build({ CC: '/bin/false' }), [0, `${NO} /bin/false failed: exit code 1\n`, ''], 'a compiler that fails')
  const failing = path.join(folder, 'cc')
  writeFileSync(failing, '#!/bin/sh\necho one >&2\necho "sockets.c:1: fatal error: sys/epoll.h: No such file" >&2\nexit 1\n')
  chmodSync(failing, 0o755)
  t.strictSame(build({ CC: failing }), [0, `${NO} ${failing} failed: sockets.c:1: fatal error: sys/epoll.h: No such file\n`, ''], 'no headers of the system')
  t.equal(existsSync(file), false, 'nothing is left behind')
  rmSync(path.join(folder, 'prebuilds'), { recursive: true })
  writeFileSync(path.join(folder, 'prebuilds'), 'a file where the folder would be')
  t.match(build({}), [0, /^autocannon uses the sockets of Node\.js: .*prebuilds.* can't be written to: [^\n]*\n$/, ''], 'nowhere to write')
})

t.test('a clone in which it was never built: the header says how to get it', { skip }, async t => {
  const folder = shortFolder(t)
  for (const part of ['bin', 'lib', 'package.json', 'index.js']) cpSync(path.join(ROOT, part), path.join(folder, part), { recursive: true })
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const server = await serve(t)
  const { stderr, code } = await new Running(process.execPath, [path.join(folder, 'bin/autocannon.js'), '-a', '10', '-c', '2', server.url], {}).ended
  t.strictSame([code, code === 0 ? '' : stderr], [0, ''])
  t.match(stderr, 'sockets of Node.js: the add-on is not built: npm ci builds it where a C compiler is')
})

t.test('a kernel that fails', { skip }, async t => {
  const file = buildFaulty(t)
  await t.test('refuses arrival times (gVisor), or has no such option: what was read within 50 µs of the poll before has one all the same', async t => {
    for (const errno of [92, 95, 1]) {
      const { stderr, result } = await run(t, { file, env: { FAULTS: `stamps 1 ${errno} 0 -1` } })
      t.notMatch(stderr, 'sockets of Node.js', 'the sockets are native all the same')
      t.ok(result.clock === undefined || result.clock.arrival < 1 || result.clock.late.max < 0.2, `clock ${JSON.stringify(result.clock)}`)
    }
  })
  await t.test('accepts the option, and never gives a stamp', async t => {
    const { result } = await run(t, { file, env: { FAULTS: 'recvmsg 4 4 0 -1' } })
    t.ok(result.clock === undefined || result.clock.late.max < 0.2, `clock ${JSON.stringify(result.clock)}`)
  })
  await t.test('gives no descriptor for epoll, or no memory: a run goes through the sockets of Node.js', async t => {
    for (const [fault, code] of [['epoll_create 1 24 0 -1', 'EMFILE'], ['memory 1 12 1 -1', 'ENOMEM']]) {
      await fallsBack(t, { file, env: { FAULTS: fault } }, new RegExp(`a group of them can't be opened: ${code}$`))
      const { stdout, code: exit } = await new Running(process.execPath, ['-r', PRELOAD, BIN, '--version', '--verbose'], { env: { ADD_ON: file, FAULTS: fault } }).ended
      t.equal(exit, 0)
      t.match(stdout, `sockets: node (a group of them can't be opened: ${code})`)
    }
  })
  await t.test('gives no descriptor for epoll to one of two workers: the report says so', async t => {
    // The first is to see whether native sockets can be used.
    const { stderr, result } = await run(t, { file, argv: ['-w', '2'], env: { FAULTS: 'epoll_create 1 24 1 1' } })
    t.notMatch(stderr, 'sockets of Node.js:', 'the header does not know it')
    t.match(stderr, "1 of 2 workers used the sockets of Node.js instead of native ones (a group of them can't be opened: EMFILE).")
    t.strictSame(result.sockets, { native: 1, node: 1, reasons: [{ reason: "a group of them can't be opened: EMFILE", generators: 1, connections: 0 }] })
    t.strictSame(result.findings.find(({ code }) => code === 'node-sockets'), { code: 'node-sockets', severity: 'warning', facts: { native: 1, node: 1, connections: 0 } })
  })
  await t.test('refuses a group in the middle: a run without workers says so, too', async t => {
    const { stderr, result } = await run(t, { file, env: { FAULTS: 'epoll_create 1 24 1 -1' } })
    t.match(stderr, "The load generator used the sockets of Node.js instead of native ones (a group of them can't be opened: EMFILE).")
    t.equal(result.sockets.native, 0)
  })
  await t.test('has no room in epoll, or no memory for a socket: that run goes through the sockets of Node.js', async t => {
    for (const fault of ['epoll_ctl 1 28 0 -1', 'memory 1 12 5 -1']) {
      const { result } = await run(t, { file, env: { FAULTS: fault } })
      t.equal(result.clock, undefined, fault)
    }
  })
  await t.test('fails once the run goes on: some connections are native, others are not', async t => {
    // Those that node:net has connected are taken over, unless there is no room in epoll.
    for (const [fault, others] of [['epoll_ctl 1 28 1 -1', 3], ['socket 1 24 2 -1'], ['connect 1 99 1 -1'], ['setsockopt 1 1 1 -1']]) {
      const { result } = await run(t, { file, argv: ['-c', '4'], env: { FAULTS: fault } })
      t.ok(result.clock === undefined || result.clock.arrival <= 1, fault)
      t.strictSame(result.sockets, others && { native: 1, node: 0, reasons: [{ reason: 'ENOSPC', generators: 0, connections: others }] }, fault)
    }
  })
})

t.test('few descriptors: connections that find none wait, and all requests are completed', { skip }, async t => {
  const { stderr, result } = await run(t, { shell: 'ulimit -n 48', amount: 400, argv: ['-c', '40'] })
  // To take a socket over takes a descriptor for a moment: a few may stay those of node:net, which is a finding.
  t.notMatch(stderr, 'sockets of Node.js:')
  t.ok(result.clock === undefined || result.clock.arrival > 0)
})
