'use strict'

// A Redis of a test's own: a real redis-server on a free port, in a folder of its own, that is ended with the test, whatever becomes of it.

const { spawn, spawnSync } = require('node:child_process')
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { Redis } = require('ioredis')
const { closedPort } = require('../servers/http-server')
const { missing } = require('../missing')

/** For `skip` of a test: why there is no Redis, or false. */
const noRedis = process.platform === 'win32' ? 'there is no redis-server for Windows' : spawnSync('redis-server', ['--version']).error !== undefined && missing('there is no redis-server: install it (Debian: apt-get install redis-server)')

/** What a test that ends badly leaves behind. @type {Set<import('node:child_process').ChildProcess>} */
const servers = new Set()
process.on('exit', () => { for (const child of servers) child.kill('SIGKILL') })

class RedisServer {
  /**
   * @param {string} dir
   * @param {string[]} flags of redis-server
   * @param {string} [secret] the password of its default user
   */
  constructor (dir, flags, secret) {
    this.dir = dir
    this.flags = flags
    this.secret = secret
    this.port = 0
    /** @type {import('node:child_process').ChildProcess | null} */
    this.child = null
    /** For what a test asks. @type {any} */
    this.client = null
  }

  get url () {
    return `redis://127.0.0.1:${this.port}`
  }

  async start () {
    for (let attempts = 0; ; attempts++) {
      const port = this.port || await closedPort()
      const child = this.child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', this.dir, '--save', '', '--daemonize', 'no', ...this.flags], { stdio: ['ignore', 'pipe', 'pipe'] })
      servers.add(child)
      let said = ''
      const isUp = await new Promise(resolve => {
        child.once('error', () => resolve(false)).once('exit', () => { servers.delete(child); resolve(false) })
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', text => {
            said += text
            if (said.includes('Ready to accept connections')) resolve(true)
          })
        }
      })
      if (isUp) {
        this.port = port
        break
      }
      // Another process was quicker.
      if (attempts === 5) throw new Error(`redis-server does not start: ${said}`)
      await sleep(100)
    }
    this.client ??= new Redis({ port: this.port, password: this.secret, retryStrategy: () => 50, maxRetriesPerRequest: null }).on('error', () => {})
    await this.client.ping()
  }

  /** @param {{ kept?: boolean }} [how] kept: what is in it is there when it starts again */
  async stop ({ kept = false } = {}) {
    const { child } = this
    if (child === null) return
    if (kept) await this.client.save()
    this.child = null
    await new Promise(resolve => child.exitCode !== null || child.signalCode !== null ? resolve(undefined) : child.once('exit', resolve) && child.kill('SIGKILL'))
    if (!kept) rmSync(`${this.dir}/dump.rdb`, { force: true })
  }

  /** @param {{ kept?: boolean }} [how] */
  async restart (how) {
    await this.stop(how)
    await this.start()
  }

  /** @returns {Promise<string[]>} all keys */
  async keys () {
    return (await this.client.keys('*')).sort()
  }
}

/**
 * @param {any} t
 * @param {{ flags?: string[], secret?: string }} [how]
 * @returns {Promise<RedisServer>}
 */
async function startRedis (t, { flags = [], secret } = {}) {
  const server = new RedisServer(mkdtempSync(path.join(tmpdir(), 'autocannon-redis-')), flags, secret)
  t.teardown(async () => {
    server.client?.disconnect()
    await server.stop()
    rmSync(server.dir, { recursive: true, force: true })
  })
  await server.start()
  return server
}

module.exports = { noRedis, startRedis }
