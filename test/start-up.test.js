'use strict'

// Modules cost start-up time and memory: a run loads what it uses.

const t = require('tap')
const { WebSocketServer } = require('ws')
const http = require('node:http')
const { execFile } = require('node:child_process')
const { readFileSync, writeFileSync } = require('node:fs')
const https = require('node:https')
const { join } = require('node:path')
const { once } = require('node:events')
const { Worker } = require('node:worker_threads')
const { Running } = require('./helpers/processes/cli')
const { calm } = require('./helpers/servers/http-server')

const ROOT = join(__dirname, '..')
const { dependencies } = require('../package.json')

/** What every run counts with. */
const ALWAYS = ['hdr-histogram-percentiles-obj']

/**
 * @param {string} script
 * @returns {Promise<string[]>} the dependencies and built-in modules of interest that a process has loaded when it exits
 */
function loadedBy (script) {
  const report = `process.on('exit', () => {
    const packages = ${JSON.stringify(Object.keys(dependencies))}.filter(name => Object.keys(require.cache).some(file => file.includes('/node_modules/' + name + '/')))
    const builtins = ['tls', 'worker_threads', 'child_process'].filter(name => process.moduleLoadList.includes('NativeModule ' + name))
    const ours = Object.keys(require.cache).map(file => file.slice(${ROOT.length + 1})).filter(file => file.startsWith('lib/'))
    process.stderr.write(JSON.stringify([...packages, ...builtins, ...ours]))
  })`
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['-e', `${report}\n${script}`], { cwd: ROOT }, (error, stdout, stderr) => {
      if (error !== null && error.code !== 1) reject(error)
      else resolve(JSON.parse(stderr.slice(stderr.lastIndexOf('['))))
    })
  })
}

t.test('a run by the API loads no module that it does not use', async t => {
  const server = http.createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const script = `require('./index')({ url: 'http://localhost:${server.address().port}', connections: 1, amount: 1 })`
  const loaded = await loadedBy(script)
  server.close()
  server.closeAllConnections()
  t.strictSame(loaded.filter(name => Object.hasOwn(dependencies, name)).sort(), ALWAYS)
  for (const unused of ['tls', 'child_process', 'lib/run/channel-remote.js', 'lib/run/transport-thread.js', 'lib/run/codec.js', 'lib/run/name-lookup.js', 'lib/run/local-addresses.js', 'lib/options/net/network.js', 'lib/net/proxy/connect.js', 'lib/requests/multipart.js', 'lib/requests/har.js', 'lib/checks/expectation.js', 'lib/checks/compile.js', 'lib/cli/main.js', 'lib/judge/judge.js', 'lib/figures/aggregate.js', 'lib/figures/metric.js', 'lib/engine/pacing/pacer.js', 'lib/engine/pacing/waker.js', 'lib/templates/own.js', 'lib/options/requests/module-file.js']) {
    t.notOk(loaded.includes(unused), unused)
  }
})

t.test('a user function without streams loads nothing of them', async t => {
  const server = http.createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const script = `require('./index')({ url: 'http://localhost:${server.address().port}', connections: 1, amount: 1, user: async ({ http }) => { await http.get('/') } })`
  const loaded = await loadedBy(script)
  server.close()
  server.closeAllConnections()
  t.ok(loaded.includes('lib/functions/call.js'))
  t.strictSame(loaded.filter(name => /^lib\/(functions\/(events|stream)|response\/(read|response)-stream|streams\/)/.test(name)), [])
})

t.test('cheerio is loaded where html() may be called, without its parser of browsers', async t => {
  const server = http.createServer((request, response) => response.end('<p>ok</p>')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = t.testdir({ 'text.mjs': "export default async ({ http }) => { (await http.get('/')).text() }\n" })
  const url = `http://localhost:${server.address().port}`
  const loadedFor = async (/** @type {string} */ user) => {
    // What the callback of the run sees: its modules, with those of packages.
    const script = `require('./index')({ url: '${url}', connections: 1, amount: 1, user: ${user} })
      .then(() => console.error(JSON.stringify(Object.keys(require.cache).filter(file => /node_modules\\/(cheerio|parse5)\\//.test(file)))))`
    const { stderr } = await new Running(process.execPath, ['-e', script], { cwd: ROOT }).ended
    return JSON.parse(stderr)
  }
  t.strictSame(await loadedFor("async ({ http }) => { (await http.get('/')).text() }"), [])
  t.strictSame(await loadedFor(JSON.stringify(join(folder, 'text.mjs'))), [])
  const loaded = await loadedFor("async ({ http }) => { (await http.get('/')).html('p') }")
  t.ok(loaded.some(file => file.includes('/cheerio/')))
  t.strictSame(loaded.filter(file => file.includes('/parse5/')), [])
  server.close()
  server.closeAllConnections()
})

t.test('a worker thread loads a generator, and nothing that makes figures, judges or reports', async t => {
  const script = `const { parentPort } = require('node:worker_threads')
    require(${JSON.stringify(join(ROOT, 'lib/run/thread-entry.js'))})
    parentPort.postMessage(Object.keys(require.cache).map(file => file.slice(${ROOT.length + 1})))`
  const worker = new Worker(script, { eval: true })
  const [loaded] = await once(worker, 'message')
  await worker.terminate()
  t.ok(loaded.includes('lib/engine/generator.js'))
  t.strictSame(loaded.filter(name => /^lib\/(cli|figures|follow|report|verdict)\/|^lib\/instruments\/.*\/(result|report)/.test(name)), [])
})

t.test('a run with a pattern loads its engine, before the load', async t => {
  const server = http.createServer((request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const script = `require('./index')({ url: 'http://localhost:${server.address().port}', connections: 1, amount: 1, expect: { body: /ok/ } })`
  const loaded = await loadedBy(script)
  server.close()
  server.closeAllConnections()
  t.strictSame(loaded.filter(name => Object.hasOwn(dependencies, name)).sort(), [...ALWAYS, 're2js'].sort())
})

t.test('--help and --version load no generator and no report', async t => {
  for (const flag of ['--help', '--version']) {
    const loaded = await loadedBy(`require('./lib/cli/main').start(['${flag}'])`)
    t.strictSame(loaded.filter(name => Object.hasOwn(dependencies, name)), [], flag)
    for (const folder of ['lib/run/', 'lib/engine/', 'lib/net/', 'lib/protocols/', 'lib/response/', 'lib/record/', 'lib/figures/', 'lib/judge/', 'lib/report/']) {
      // Which option asks for a protocol is no protocol.
      t.notOk(loaded.some(name => name.startsWith(folder) && name !== 'lib/protocols/protocol.js'), `${flag}: ${folder}`)
    }
  }
})

t.test('no module is loaded while a run goes on: connections may have taken all descriptors, and no file can be opened then', async t => {
  const server = http.createServer(calm).listen(0, '127.0.0.1')
  await once(server, 'listening')
  new WebSocketServer({ server }).on('connection', socket => socket.on('message', bytes => setTimeout(() => socket.send(String(bytes)), 5)))
  const read = name => readFileSync(join(__dirname, 'fixtures/tls', name))
  const tls = https.createServer({ cert: read('cert.pem'), key: read('key.pem') }, calm).listen(0, '127.0.0.1')
  await once(tls, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  // What opens streams is a helper of the module: its text says nothing of them.
  const folder = t.testdir({
    'reader.mjs': "import { read } from './events.mjs'\nexport default async given => {\n  await given.pause('100ms')\n  await read(given)\n}\n",
    'trace.csv': 'timestamp,input_length,output_length\n0,5,1\n0.3,5,1\n',
    'events.mjs': "export const read = async ({ http }) => { for await (const bytes of http.stream('/')) if (bytes.length === 0) return }\n"
  })
  const entries = [0, 30, 60].map(ms => ({ startedDateTime: new Date(ms).toISOString(), request: { method: 'GET', url, headers: [] } }))
  const runs = [
    { stages: ['0s:100/s', '0.3s:100/s'] },
    { stages: ['0s:2', '0.3s:2'], maxOverallRequests: 1e6, bailout: 1e6 },
    { har: { log: { entries } }, harPauses: true, duration: 0.3 },
    { rate: 100, arrivals: 'poisson', duration: 0.3, thresholds: [{ threshold: 'p99 < 10s', abortOn: true }] },
    { burst: '5/100ms', duration: 0.3, skipFirst: 0.1, body: '[<id>]', idReplacement: true },
    { replay: join(folder, 'trace.csv'), body: '{{trace.prompt}}' },
    { until: 'p99 ±50%', duration: 0.3, expectBody: 'ok' },
    { targets: ['/a', '/b'], pick: 'random', byRequest: true, duration: 0.3, timeout: 1 },
    { setupClient: true, duration: 0.3 },
    { cookies: true, duration: 0.3 },
    { user: join(folder, 'reader.mjs'), duration: 0.3 },
    { user: 'stream', duration: 0.3 },
    { user: 'socket', duration: 0.3 },
    { scenarios: [{ requests: [{ pause: '100ms' }, { ws: '/', compressed: true }, { send: '{"id":1}', match: 'json id' }] }], duration: 0.3 },
    { url: `https://127.0.0.1:${tls.address().port}`, insecure: true, duration: 0.3 }
  ]
  const script = `const Module = require('node:module')
    let loaded = []
    const load = Module._extensions['.js']
    Module._extensions['.js'] = (module, file) => { loaded.push(file); load(module, file) }
    const autocannon = require('./index')
    const none = []
    // In the middle of the run, the requests get all that requests may have.
    const setupClient = client => setTimeout(() => client.setRequests([{ path: '/c', name: 'c', setupRequest: request => request, onResponse () {}, check: () => true, expect: { status: '2xx', body: /ok/ } }]), 100)
    const users = {
      async stream ({ http, pause }) {
        await pause('100ms')
        for await (const bytes of http.stream('/')) if (bytes.length === 0) return
      },
      async socket ({ ws, pause }) {
        await pause('100ms')
        const socket = await ws('/', { compressed: true, match: 'json id' })
        await socket.request({ id: 1 })
        await socket.ping()
        await socket.send('a')
        for await (const message of socket) if (message.text() === 'a') return socket.close()
      }
    }
    ;(async () => {
      for (const opts of ${JSON.stringify(runs)}) {
        let known = null
        const run = autocannon({ url: '${url}', connections: opts.stages?.[0] === '0s:2' ? undefined : 4, sampleInt: 50, ...opts, ...opts.setupClient && { setupClient }, ...opts.user in users && { user: users[opts.user] } })
        run.on('start', () => { loaded = [] })
        // What is loaded behind the last one belongs to the result.
        run.on('tick', () => {
          run.soFar()
          known = [...loaded]
        })
        await run
        none.push(known)
      }
      process.stdout.write(JSON.stringify(none))
    })()`
  const { stdout } = await new Promise((resolve, reject) => execFile(process.execPath, ['-e', script], { cwd: ROOT }, (error, stdout) => error === null ? resolve({ stdout }) : reject(error)))
  for (const one of [server, tls]) {
    one.close()
    one.closeAllConnections()
  }
  t.strictSame(JSON.parse(stdout), runs.map(() => []))
})

t.test('nor does the command line load one, whatever watches the run', async t => {
  const server = http.createServer(calm).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  const folder = t.testdir()
  const runs = [
    ['-o', 'run.ndjson', '-o', 'run.html', '-o', 'run.json', '--junit', 'run.xml'],
    ['--metrics-listen', '127.0.0.1:0', '--threshold', 'p99 < 10s', '--threshold', 'x: p50 < 10s', '--config', 'x.json', '--inconclusive', 'pass'],
    ['--ui=127.0.0.1:0', '--until', 'p99 ±50%'],
    ['--stages', '0.1s:1,0.4s:4', '--debug']
  ]
  writeFileSync(join(folder, 'x.json'), JSON.stringify({ requests: [{ name: 'x', path: '/x' }] }))
  for (const [i, flags] of runs.entries()) {
    const late = join(folder, `late-${i}`)
    const args = ['--require', require.resolve('./helpers/processes/late-modules'), join(ROOT, 'bin/autocannon.js'), '-L', '100', '-d', '0.5', '-c', '2', ...flags, url]
    const { code, stderr } = await new Running(process.execPath, flags.includes('--stages') ? args.toSpliced(5, 4) : args, { cwd: folder, env: { LATE_MODULES: late } }).ended
    // Whether a threshold is met, and how precise the figure becomes, depends on what else the machine does.
    t.ok(code === 0 || (code === 4 && flags.includes('--until')), `${flags.join(' ')} ended with ${code}`, { stderr })
    t.equal(readFileSync(late, 'utf8'), '', flags.join(' '))
  }
  server.close()
  server.closeAllConnections()
})
