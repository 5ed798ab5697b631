'use strict'

// Each sample runs by the command that its first comment gives, ends by itself, and says what it promises.
//
// Run first: it takes longer than most.

const { spawnSync } = require('node:child_process')
const { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { setTimeout } = require('node:timers/promises')
const t = require('tap')
const { Running, cli } = require('./helpers/processes/cli')
const { missing } = require('./helpers/missing')
const { runSamples } = require('./helpers/processes/sample-host')

const ROOT = path.join(__dirname, '..')
const SAMPLES = path.join(ROOT, 'samples')

/** Folders of samples that are a file each. */
const FOLDERS = ['.', 'requests', 'checks', 'scale']

const names = FOLDERS.flatMap(folder => readdirSync(path.join(SAMPLES, folder)).filter(name => /\.(js|sh)$/.test(name)).map(name => path.posix.join(folder, name)))

/** User functions, each in a folder with its server. */
const MODULES = ['shop/shop.mjs', 'jobs/jobs.mjs', 'graphql/graphql.mjs', 'paste/paste.mjs', 'events/events.mjs', 'chat/chat.mjs']

/** @param {string} name */
const read = name => readFileSync(path.join(SAMPLES, name), 'utf8')

/**
 * @param {string} name
 * @returns {string} what the first comment says it is run with
 */
function commandOf (name) {
  const [, command] = /^(?:(?:'use strict'|#!\/bin\/sh)\n\n)?(?:\/\/|#) [A-Z][^]*? Run it with\n(?:\/\/|#)\n(?:\/\/|#) {3}((?:node|sh|autocannon run) .*)\n/.exec(read(name)) ?? []
  if (command === undefined) throw new Error(`the first comment of samples/${name} does not say how to run it`)
  return command
}

/** @param {string} command */
function run (command) {
  const [, ...args] = command.split(' ')
  return new Running(process.execPath, args, { cwd: ROOT })
}

/** @param {string} command whose program is autocannon */
function runForResult (command) {
  const [, ...args] = command.replace('--on-port', '--json --inconclusive pass --on-port').split(' ')
  return cli(args, { cwd: ROOT })
}

/**
 * What is on stdout, line by line or in parts, and what is on stderr. Figures are exact where the amount decides them.
 * @type {Record<string, { stdout: Array<string | RegExp>, stderr?: RegExp, and?: (t: any, stdout: string) => void }>}
 */
const EXPECTED = {
  'track.js': {
    stdout: [
      'connections are being opened',
      'Running 1s test @ http://127.0.0.1:',
      /^\d+ requests and \d+ bytes in \d+ ms; p99 so far [\d.]+ ms$/m,
      '│ 97.5       │',
      /│ 200 {2}│ [\d,]+ +│/,
      /^a run that is followed: \d samples$/m
    ]
  },
  'http2.js': {
    stdout: [
      /^HTTP\/1\.1, 1 at a time on each of 2 connections: 600 responses in [\d.]+ s, p99 [\d.]+ ms$/m,
      /^HTTP\/2, 10 at a time on each of 2 connections: 600 responses in [\d.]+ s, p99 [\d.]+ ms$/m,
      '300 × /tea, 300 × /coffee, 0 wrong responses'
    ]
  },
  'websocket.js': {
    stdout: [
      /^200 messages, p50 [\d.]+ ms, p99 \d{2,}(\.\d+)? ms$/m,
      /^[\d,]{2,} messages received, gap p50 [\d.]+ ms, age p50 [\d.]+ ms$/m,
      '200 messages over 20 WebSockets that share 2 connections'
    ]
  },
  'events.js': {
    stdout: [
      /^a stall of 0 ms: 400 events, first event p50 [\d.]+ ms, gap p50 [\d.]+ ms, p99 [\d.]+ ms, \d+ stalls$/m,
      /^a stall of 200 ms: 400 events, first event p50 [\d.]+ ms, gap p50 [\d.]+ ms, p99 \d{3,}(\.\d+)? ms, \d{2,} stalls$/m
    ]
  },
  'llm.js': {
    stdout: [
      /^from when a request was due: first token p50 [\d.]+ ms, p99 [\d.]+ ms, inter token p50 [\d.]+ ms, completion p99 [\d.]+ ms, 800 tokens, goodput \d+ %$/m,
      /^from when it was written {3}: first token p50 [\d.]+ ms, p99 [\d.]+ ms, inter token p50 [\d.]+ ms, completion p99 [\d.]+ ms, 800 tokens, goodput \d+ %$/m
    ],
    and: (t, stdout) => {
      const [due, written] = [...stdout.matchAll(/p50 ([\d.]+) ms, p99 ([\d.]+) ms, inter/g)].map(([, p50, p99]) => ({ p50: Number(p50), p99: Number(p99) }))
      t.ok(due.p99 > 500, 'the last ones have waited for 0.8 s')
      t.ok(due.p50 > 2 * written.p50, `${due.p50} ms, and not ${written.p50} ms`)
      const [whole, part] = [...stdout.matchAll(/completion p99 ([\d.]+) ms/g)].map(([, p99]) => Number(p99))
      t.ok(whole > 2 * part, `${whole} ms, and not ${part} ms`)
      const [right, wrong] = [...stdout.matchAll(/goodput (\d+) %/g)].map(([, share]) => Number(share))
      t.ok(right < wrong, `${right} % and ${wrong} %`)
    }
  },
  'undici.js': {
    stdout: [/^our own client: 400 responses, p99 [\d.]+ ms, \d+ bytes read$/m, /^undici: 400 responses, p99 [\d.]+ ms, bytes unknown$/m, /^a dispatcher: 400 responses, p99 [\d.]+ ms, bytes unknown$/m]
  },
  'requests/targets.js': {
    stdout: ['once: 1 × GET /items/1, 1 × GET /items/2, 1 × GET /items/3, 1 × POST /items {"name":"tea"}', /^at random: 200 responses, the same requests for the same seed$/m]
  },
  'several-urls.js': {
    stdout: ['300 responses over 6 connections', '/tea: 100 requests', '/coffee: 100 requests', '/milk: 100 requests']
  },
  'through-a-proxy.js': {
    stdout: [
      /^without a proxy: 1000 responses, p50 [\d.]+ ms, connected in [\d.]+ ms$/m,
      /^through a proxy: 1000 responses, /m,
      /^of which the proxy took [\d.]+ ms$/m,
      /^10 errors AC_PROXY_AUTH: the proxy http:\/\/127\.0\.0\.1:\d+ responded to CONNECT 127\.0\.0\.1:\d+ with 407 Proxy Authentication Required: give user and password in its URL$/m
    ]
  },
  'requests/setup-client.js': {
    stdout: [1, 2, 3, 4].map(n => `user ${n}: 10 requests\n`).concat(`${40 * 'hello world\n'.length} bytes of bodies`)
  },
  'check-bodies.js': {
    stdout: [
      'expectBody: 100 responses with 2xx, 10 with another body',
      'verifyBody: 100 responses with 2xx, 10 that the function refused',
      'bailout: ended after 30 responses, 3 of them with another body'
    ]
  },
  'shop.js': {
    stdout: [
      /^browse: \d+ of [78]\d iterations completed; half of them within \d+ ms, [\d.]+ ms of it without pauses$/m,
      /^buy: \d+ of [23]\d iterations completed; half of them within \d+ ms, [\d.]+ ms of it without pauses$/m,
      '✓ scenario buy: completed > 99%\n',
      '✓ failures == 0\n'
    ]
  },
  'scale/workers.js': {
    stdout: [
      'this thread: 200 responses, 0 mismatches, 4 connections\n  thread 0, connection 1\n',
      /two workers: 200 responses, 0 mismatches, 4 connections\n(?: {2}thread [^0]\d*, connection [12]\n){4}$/
    ]
  },
  'requests/request-sequence.js': {
    stdout: [
      'GET /menu\nPOST /orders\nPOST /payments\n'.repeat(2) + 'GET /menu\nPOST /orders\n' + 'GET /menu\nPOST /orders\nPOST /payments\n',
      '11 responses, 1 refused, the sequence started over 1 time'
    ]
  },
  'requests/request-context.js': {
    stdout: ['50 responses with 201', '50 responses with 200', '50 items were created']
  },
  'requests/initial-context.js': {
    stdout: [1, 2, 3].map(n => `20 requests of /pages/${n} with 'Bearer for this run'\n`).concat('page 0')
  },
  'requests/unique-ids.js': {
    stdout: [/^such as: POST \/items\?at=(\S+) {"email":"(?!\1)\S+@example\.com"}$/m, '200 requests: 200 bodies, 200 paths, 200 request ids']
  },
  'requests/change-requests.js': {
    stdout: ['3 responses with 401, one per connection', '27 responses with 200 after that']
  },
  'fixed-rate.js': {
    stdout: [/^from when a request was due: 100 requests/m, /^from when it was written +: 100 requests/m],
    and (t, stdout) {
      const [due, written] = Array.from(stdout.matchAll(/p75 ([\d.]+) ms/g), ([, ms]) => Number(ms))
      t.ok(due > written, `waits are counted: p75 ${due} ms > ${written} ms`)
    }
  },
  'stages.js': {
    stdout: [
      /^stage 1: from 0 to 200 requests\/s, (100|9\d) responses, p99 [\d.]+ ms$/m,
      /^stage 2 \(peak\): from 400 to 400 requests\/s, \d+ responses, p99 [\d.]+ ms\n {2}[\d.]+ of 400 requests\/s were sent in it$/m,
      /^stage 3: from 50 to 50 requests\/s, \d+ responses/m,
      /^[✓✗] peak: p99 < 1s \(stage 2\)\n✓ stage 3: failures == 0 \(stage 3\)$/m
    ]
  },
  'requests/har-replay.js': {
    stdout: ['30 responses', '10 × GET /\n', '10 × GET /search?q=green%20tea\n', '10 × POST /items {"name":"green tea"}\n', 'two visits of 9 s take at least 0.9 s at 20 times their speed', 'Home: 2 responses', 'Search: 4 responses'],
    stderr: /^(autocannon: .*https:\/\/metrics\.example are skipped.*\n){2}$/
  },
  'until-precise.js': {
    stdout: [/^rps ±10%: (not )?reached after 1 to 10 s$/m, /^between \d+ and \d+ requests\/s, at 95 %$/m]
  },
  'requests/upload.js': {
    stdout: [
      /^20 uploads of \d+ bytes as multipart\/form-data$/m,
      'Content-Disposition: form-data; name="title"\n',
      'Content-Disposition: form-data; name="source"; filename="sample.js"\nContent-Type: text/javascript\n'
    ],
    and (t, stdout) {
      const [bytes] = /\d+(?= bytes)/.exec(stdout) ?? []
      t.ok(Number(bytes) > read('requests/upload.js').length, 'the whole file is in it')
    }
  },
  'checks/checks.js': {
    stdout: [
      'expect of new item: 20 passed, 0 failed\n',
      "expect of order: 14 passed, 6 failed\n  6 × status 503, expected 2xx; the first one said 'sold out'\n",
      'expect of greeting: 20 passed, 0 failed\n',
      "check of greeting: 18 passed, 2 failed\n  2 × no greeting; the first one said 'try later'\n",
      /^new item: 20 responses, p99 [\d.]+ ms\norder: 20 responses, p99 [\d.]+ ms\ngreeting: 20 responses, p99 [\d.]+ ms$/m
    ]
  },
  'checks/json-for-ci.js': {
    stdout: [/^{"passed":true,"limit":250,.*"requests":2000,"failures":0,.*}\n$/],
    and (t, stdout) {
      const { p50, p99 } = JSON.parse(stdout)
      t.ok(p50 > 0 && p99 >= p50)
    }
  },
  'checks/thresholds.js': {
    stdout: ['✓ p99 < 1s\n✓ failures == 0: 0\n✗ requests > 5000: 1000\nended early: true\n']
  },
  'checks/find-limit.js': {
    // How fast it is depends on what else the machine does.
    stdout: [/^100\/s: (held|failed|generator), \d+ failed$/m, /^\d+\/s: (failed|generator), \d+ failed$/m, /^(the limit of the (server|generator) lies between \d+\/s and \d+\/s|not even \d+\/s are held)$/m]
  },
  'checks/compare-servers.js': {
    // On a busy machine there is no verdict, but never another one.
    stdout: [/^run 1 of base: \d+ requests\nrun 1 of new: \d+ requests$/m, /^rps: (worse|unknown)$/m, /^error rate: (no difference|unknown)$/m, /^rps -50%: (failed|inconclusive)$/m]
  },
  'checks/in-node-test.js': {
    // TAP or the spec reporter: which one is the default without a terminal depends on the version of Node.
    stdout: [/^\W*1000 requests, p50 [\d.]+ ms, p99 [\d.]+ ms$/m, /^\W*pass 1$/m, /^\W*fail 0$/m]
  },
  'checks/in-tap.js': {
    stdout: [/^ +# 1000 requests, p50 [\d.]+ ms, p99 [\d.]+ ms$/m, /^ok 1 - answers 99 % of the requests within 250 ms/m]
  },
  'scale/app-in-worker.js': {
    stdout: [/^5000 requests in [\d.]+ s$/m, /^the thread of the app was busy for \d+ % of that$/m, /^the thread of the client was busy for \d+ % of that$/m]
  },
  'scale/aggregate.js': {
    stdout: ['two processes: 10 connections, 1000 responses', /^p50 [\d.]+ ms, p99 [\d.]+ ms, of all 1000 latencies$/m]
  }
}

/** The samples that have a test of their own, such as those that do more than to run until they end. */
const SPECIAL = new Set(['start.js', 'scale/many-machines.sh'])

/** Suites, which end with their process. */
const APART = new Set(['checks/in-node-test.js', 'checks/in-tap.js'])

t.jobs = 2

const inHosts = Object.keys(EXPECTED).filter(name => commandOf(name) === `node samples/${name}` && !APART.has(name)).map(name => `samples/${name}`)

/** Most samples wait most of the time. */
const HOSTS = 3

const ends = new Map(Array.from({ length: HOSTS }, (_, i) => [...runSamples(inHosts.filter((_, j) => j % HOSTS === i), { cwd: ROOT })]).flat())

for (const [name, { stdout: promises, stderr: warning, and }] of Object.entries(EXPECTED)) {
  t.test(`samples/${name} says what it promises`, { buffered: true }, async t => {
    const { code, stdout, stderr } = await (ends.get(`samples/${name}`) ?? run(commandOf(name)).ended)
    t.equal(code, 0, `ends with exit code 0\n${stderr}`)
    if (warning === undefined) t.equal(stderr, '', 'nothing on stderr')
    else t.match(stderr, warning)
    for (const promise of promises) t.match(stdout, promise)
    and?.(t, stdout)
  })
}

t.test('samples/start.js shows the banner, and the report when it is interrupted', { buffered: true }, async t => {
  const sample = run(commandOf('start.js'))
  await sample.says('stderr', '100 connections\n')
  // Time for a few answers, of the five seconds that it would take.
  await setTimeout(1000)
  sample.kill('SIGINT')
  const { code, stdout, stderr } = await sample.ended
  t.equal(code, 0)
  t.equal(stdout, '')
  t.match(stderr, /^Running 5s test @ http:\/\/127\.0\.0\.1:\d+\n100 connections\n/)
  t.match(stderr, /\n\S+ req\/s · .* · ended after [\d.]+ s of 5 s.*\n[^]*│ Req\/Sec [^]*\d+k? requests? in [\d.]+s, .* read\n/)
})

t.test('the sample shop takes JSON and forms, and any other body for an empty one', async t => {
  const shop = new Running(process.execPath, ['samples/shop/server.js'], { cwd: ROOT })
  t.teardown(() => shop.kill('SIGKILL'))
  await shop.says('stdout', '\n')
  const [url] = /http:\S+/.exec(shop.stdout) ?? []
  const login = async (/** @type {string | URLSearchParams} */ body) => {
    const response = await fetch(`${url}/login`, { method: 'POST', body, headers: { cookie: 'visitor=yes' } })
    await response.text()
    return response.status
  }
  const account = { email: 'a@b.c', password: 'secret of a@b.c' }
  t.equal(await login(JSON.stringify(account)), 200)
  t.equal(await login(new URLSearchParams(account)), 200)
  for (const body of ['', '{', 'null', '5', '%', 'user=ann']) t.equal(await login(body), 401, body)
})

for (const name of ['shop', 'events', 'llm']) {
  t.test(`samples/${name}/server.js survives a request of //`, async t => {
    const server = new Running(process.execPath, [`samples/${name}/server.js`], { cwd: ROOT })
    t.teardown(() => server.kill('SIGKILL'))
    await server.says('stdout', '\n')
    const [url] = /http:\S+/.exec(server.stdout) ?? []
    for (const path of ['//', '//?n=1']) {
      const response = await fetch(`${url}${path}`)
      t.equal(response.status, name === 'events' ? 200 : 404)
      await response.body?.cancel()
    }
  })
}

t.test('samples/checks/json-for-ci.js ends with exit code 1 when the p99 is over the limit', { buffered: true }, async t => {
  const { code, stdout, stderr } = await run('node samples/checks/json-for-ci.js 0.001').ended
  t.equal(code, 1)
  t.equal(stderr, '')
  t.match(stdout, /^{"passed":false,"limit":0.001,.*}\n$/)
})

for (const file of ['shop.yaml', 'shop.config.js']) {
  t.test(`samples/shop/${file} runs by the command in its comment`, { buffered: true }, async t => {
    const [, command] = /(autocannon --config .*)\n/.exec(read(`shop/${file}`)) ?? []
    const { code, stdout, stderr } = await runForResult(command)
    t.equal(code, 0, stderr)
    const { byScenario, failures, redirects } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    const { browse, buy } = byScenario
    t.ok(Math.abs(browse.started - 3 * buy.started) <= 16, `iterations by weight: ${browse.started} and ${buy.started}`)
    t.equal(byScenario.browse.cut + byScenario.buy.cut + failures, 0)
    t.ok(redirects > 0)
  })
}

t.test('samples/shop/visits.yaml runs by the command in its comment', { buffered: true }, async t => {
  const [, command] = /(autocannon --config .*)\n/.exec(read('shop/visits.yaml')) ?? []
  const { code, stdout, stderr } = await runForResult(command)
  t.equal(code, 0, stderr)
  const { byRequest, iterations, failures, checks } = JSON.parse(stdout.slice(stdout.indexOf('{')))
  t.strictSame(Object.keys(byRequest).sort(), ['cart', 'checkout', 'front page', 'login', 'product', 'search'])
  t.ok(checks.some((/** @type {{ name: string, passed: number }} */ { name, passed }) => name === 'while items < 4' && passed > 0))
  t.ok(iterations.completed > 5)
  t.strictSame([iterations.cut, failures], [0, 0])
})

/** What each of them has measured: the names of its requests, its groups, and its checks. @type {Record<string, [string[], string[], string[]]>} */
const MEASURED = {
  'shop/shop.mjs': [['cart', 'checkout', 'front page', 'login', 'product', 'search'], ['browse', 'buy'], ['expect', 'is logged in', 'redirect']],
  'jobs/jobs.mjs': [['file', 'order', 'status'], ['a report'], ['expect', 'report is done', 'report is of its month']],
  'graphql/graphql.mjs': [['Order', 'Product', 'Products'], [], ['expect', 'no errors', 'order is placed']],
  'paste/paste.mjs': [['create', 'read'], [], ['is created', 'is what was written']],
  'events/events.mjs': [['follow', 'lines'], [], ['all lines came', 'is NDJSON', 'no event is missing']],
  'chat/chat.mjs': [['join', 'login', 'say'], [], ['each is the response to its message', 'expect', 'is in the room', 'words arrive in order']]
}

/** @type {(list: string[]) => string[]} */
const sorted = list => [...new Set(list)].sort()

for (const name of MODULES) {
  t.test(`samples/${name} runs by the command in its comment, and has no failures`, { buffered: true }, async t => {
    const { code, stdout, stderr } = await runForResult(commandOf(name))
    t.equal(code, 0, stderr)
    const { byRequest, groups, checks, failures, iterations } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    t.strictSame([sorted(Object.keys(byRequest)), sorted(Object.keys(groups)), sorted(checks.map((/** @type {{ name: string }} */ { name }) => name))], MEASURED[name])
    t.ok(iterations.completed > 0)
    t.strictSame([iterations.cut, failures, checks.filter((/** @type {{ failed: number }} */ { failed }) => failed > 0)], [0, 0, []])
    t.ok(read(name).split('\n').length <= 60, 'it is read on one screen')
  })
}

/** What samples/scale/many-machines.sh starts, beside what every system has. */
const absent = process.platform === 'win32' ? 'no shell' : spawnSync('redis-server', ['--version']).error !== undefined && missing('there is no redis-server: install it (Debian: apt-get install redis-server)')

/**
 * @param {string} mark in the environment
 * @returns {string[]} the processes that have it
 */
const processesWith = mark => readdirSync('/proc').filter(name => {
  try {
    return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(mark)
  } catch {
    return false
  }
})

/** @param {string | number | undefined} pid */
const groupOf = pid => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[2]

for (const [how, signal, code] of /** @type {const} */ ([['runs', null, 0], ['is told to end', 'SIGTERM', 143], ['is interrupted', 'SIGINT', 130]])) {
  t.test(`samples/scale/many-machines.sh ${how}, and leaves no process and no file`, { buffered: true, skip: absent || (process.platform !== 'linux' && 'no /proc') }, async t => {
    const TMPDIR = t.testdir()
    const env = { TMPDIR }
    const script = signal === null ? read('scale/many-machines.sh') : read('scale/many-machines.sh').replace('-a 3000', '-d 60')
    // In a folder of its own it would not find the rest of the package.
    const sample = new Running('sh', ['-c', script, path.join(SAMPLES, 'scale/many-machines.sh')], { env })
    if (signal !== null) {
      await sample.says('stderr', '30 connections\n')
      // Ctrl-C reaches the whole group.
      const pids = signal === 'SIGINT' ? processesWith(TMPDIR).filter(pid => groupOf(pid) === groupOf(sample.child.pid)) : [sample.child.pid]
      for (const pid of pids) process.kill(Number(pid), signal)
    }
    const ended = await sample.ended
    t.equal(ended.code, code, ended.stderr)
    t.match(ended.stderr, signal === null ? /3,000 requests in [\d.]+s/ : / · ended after [\d.]+ s of 60 s/)
    t.strictSame(readdirSync(TMPDIR), [])
    t.strictSame(processesWith(TMPDIR), [])
  })
}

t.test('samples/scale/many-machines.sh says what is missing', { buffered: true, skip: absent }, async t => {
  // Not below this package, whose modules a process there would find.
  const folder = mkdtempSync(path.join(tmpdir(), 'ac-sample-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'samples/scale'), { recursive: true })
  writeFileSync(path.join(folder, 'samples/scale/many-machines.sh'), read('scale/many-machines.sh'))
  const say = (/** @type {Record<string, string>} */ env) => new Running('/bin/sh', ['samples/scale/many-machines.sh'], { cwd: folder, env }).ended
  t.match(await say({ PATH: '/nowhere' }), { code: 1, stdout: '', stderr: /^many-machines\.sh: there is no redis-server: install it \(Debian: apt-get install redis-server; /m })
  t.match(await say({ NODE_PATH: '' }), { code: 1, stdout: '', stderr: /^many-machines\.sh: agents need the packages bullmq and ioredis: / })
})

t.test('there is a test for each sample', async t => {
  t.same([...Object.keys(EXPECTED), ...SPECIAL].sort(), [...names].sort())
})

t.test('samples/README.md lists each sample with its command', async t => {
  const rows = Array.from(read('README.md').matchAll(/^\| \[(.+)\]\((.+)\) \| (.+) \| `(.+)` \|$/gm))
  t.same(rows.map(([, name]) => name).sort(), [...names, ...MODULES].sort())
  for (const [, name, link, , command] of rows) {
    t.equal(link, name)
    t.equal(command, commandOf(name))
    t.match(command, `samples/${name}`)
  }
})
