'use strict'

// The commands of docs/scale-out.md: it runs, against a real Redis.

const t = require('tap')
const { spawn, spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { BIN, asFunction, cleanEnv, cli, shell } = require('./helpers/processes/cli')
const { closedPort, serve } = require('./helpers/servers/http-server')
const { missing } = require('./helpers/missing')

const DOCUMENT = readFileSync(path.join(__dirname, '../docs/scale-out.md'), 'utf8')
const SNIPPETS = Array.from(DOCUMENT.matchAll(/^```sh\n([^]*?)^```$/gm), ([, text]) => text)
const COMMANDS = SNIPPETS.flatMap(text => text.split('\n')).map(line => line.replace(/ +#.*$/, ''))

/** @param {string} word */
const snippetWith = word => SNIPPETS.find(text => text.includes(word)) ?? ''

const skip = process.platform === 'win32' ? 'no shell' : spawnSync('redis-server', ['--version']).error !== undefined && missing('there is no redis-server: install it (Debian: apt-get install redis-server)')

t.test('every command of the page is one that is understood', { skip }, async t => {
  const runs = COMMANDS.filter(line => line.startsWith('autocannon --'))
  const agents = COMMANDS.filter(line => line.startsWith('autocannon agent'))
  t.ok(runs.length > 2 && agents.length > 3)
  const [, config] = /^```yaml\n([^]*?)^```$/m.exec(DOCUMENT) ?? []
  const folder = t.testdir({ 'bench.yaml': config, hooks: { 'login.js': 'module.exports = () => {}' } })
  const redis = `redis://127.0.0.1:${await closedPort()}`
  for (const line of runs) t.match(await shell(`${line.replace('autocannon', '$AUTOCANNON')} --print-config`, { cwd: folder, env: { AUTOCANNON_REDIS: redis } }), { code: 0, stdout: /agents/ }, line)
  for (const line of agents) {
    const words = line.replace(/ &$/, '').replace(/rediss:\S+/, redis).replace('/srv/bench', folder).split(' ').slice(1)
    t.match(await cli(words, { env: { AUTOCANNON_REDIS: redis } }), { code: 1, stderr: /ECONNREFUSED/ }, `${line} asks for Redis`)
  }
})

t.test('the lines to try it with run as they stand', { skip: skip || (spawnSync('bash', ['--version']).error !== undefined && 'no bash') }, async t => {
  const server = await serve(t)
  const port = String(await closedPort())
  const lines = snippetWith('redis-server').replaceAll('6390', port).replace('http://127.0.0.1:3000', server.url).replace('-d 5', '-a 60')
  t.match(lines, server.url)
  // As at a prompt: jobs have numbers. The command is what is installed under that name.
  const folder = t.testdir({ script: `set -m\n${asFunction('autocannon')}\n${lines}` })
  const { code, stderr } = await shell('exec bash script', { cwd: folder })
  t.match(stderr, /60 requests in /)
  t.match(stderr, /autocannon agent: one ends\n/)
  t.match(stderr, /autocannon agent: two ends\n/)
  t.equal(server.requests.length, 60)
  t.equal(code, 0, stderr)
})

t.test('a user of Redis with the rights that the page gives can do all that agents and runs do, and nothing else', { skip }, async t => {
  const server = await serve(t)
  const port = String(await closedPort())
  const redis = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', ''], { cwd: t.testdir(), stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => redis.kill('SIGKILL'))
  for (let said = ''; !said.includes('Ready to accept'); said += await new Promise(resolve => redis.stdout.once('data', resolve)));
  const set = snippetWith('ACL').replace('redis-cli', `redis-cli -p ${port}`)
  t.match(await shell(set, {}), { code: 0, stdout: 'OK' })

  const env = { AUTOCANNON_REDIS: `redis://load:secret@127.0.0.1:${port}` }
  const agent = spawn(process.execPath, [BIN, 'agent', '--once', '--workers', '1'], { env: cleanEnv(env), stdio: 'ignore' })
  t.teardown(() => agent.kill('SIGKILL'))
  const ended = new Promise(resolve => agent.once('exit', resolve))
  t.match(await cli(['--agents', '1', '-c', '1', '-a', '5', server.url], { env }), { code: 0 })
  t.equal(server.requests.length, 5)
  t.equal(await ended, 0)
  for (const line of ['set elsewhere 1', 'flushall', 'config get *']) t.match(await shell(`redis-cli -p ${port} --user load --pass secret --no-auth-warning ${line.replace('*', "'*'")}`, {}), { stdout: 'NOPERM' }, line)
  const refused = await cli(['agent', '--redis', `${env.AUTOCANNON_REDIS}`, '--redis-prefix', 'another'], { env })
  t.match(refused, { code: 1, stderr: /ACL|~\{another\}:\*.*docs\/scale-out\.md/ }, 'who may not is told what is needed')
})
