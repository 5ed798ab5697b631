'use strict'

// The connections to Redis: loads its packages, explains its errors, and reconnects during a run with a warning.

const { randomBytes } = require('node:crypto')
const { AutocannonError } = require('../../core/errors')
const { printable } = require('../../core/foreign-text')
const { userinfoOf, withoutUserinfo } = require('../../core/secrets')
const { withTimeout } = require('../../core/timers')

/** The timeout of the first connection, ms. */
const CONNECT_TIMEOUT = 5000

/**
 * The timeout of a response, ms, after which the connection is reopened because of lost packets. No command blocks for
 * so long.
 */
const SOCKET_TIMEOUT = 7000

/** The interval of reconnects during a run, ms. */
const RETRY = 250

/** The interval of reports about the same error, ms: the first, and the maximum. */
const REPEAT_AFTER = 5000
const REPEAT_AT_MOST = 60_000

/**
 * @typedef {object} Settings of the Redis server
 * @property {string} url
 * @property {boolean} cluster
 * @property {string} prefix
 *
 * @typedef {import('ioredis').Redis | import('ioredis').Cluster} Client
 */

/** Redis accepted the connection and did not respond. */
class NoResponse extends Error {
  code = 'ETIMEDOUT'
}

class Redis {
  /**
   * @param {Settings} settings
   * @param {(sentence: string) => void} notify receives problems during a run, and their end
   */
  constructor (settings, notify) {
    this.settings = settings
    this.notify = notify
    this.shown = withoutUserinfo(settings.url)
    /** @type {Set<Client>} */
    this.clients = new Set()
    this.isOpen = false
    this.closed = false
    /** The first error; later ones follow from it. @type {Error | null} */
    this.reason = null
    this.reportedAt = -Infinity
    this.repeatAfter = REPEAT_AFTER
    this.isAway = false
    /** The reason of the failure. */
    this.trouble = ''
    /** The connection for commands that do not block. */
    this.client = this.make()
  }

  /**
   * @returns {Promise<Redis>}
   * @throws {AutocannonError} if Redis cannot be used, with advice
   */
  async open () {
    try {
      await this.ready(this.client)
      await this.tryRights()
      await this.warnOfEviction()
    } catch (error) {
      this.close()
      throw this.explained(/** @type {Error} */ (error))
    }
    // From here on commands wait while Redis is unreachable.
    this.isOpen = true
    return this
  }

  /** @returns {Promise<Client>} a separate connection for blocking commands */
  async another () {
    const client = this.make()
    await this.ready(client)
    return client
  }

  make () {
    const { url, cluster } = this.settings
    const { Redis, Cluster } = load('ioredis')
    const target = new URL(url)
    const { hostname, port, pathname, protocol } = target
    // Credentials may be percent-encoded.
    const userinfo = userinfoOf(target, withoutUserinfo(url))
    const host = hostname.replace(/^\[|\]$/g, '')
    const options = {
      username: userinfo?.user || undefined,
      password: userinfo?.password || undefined,
      db: pathname.length > 1 ? Number(pathname.slice(1)) : 0,
      tls: protocol === 'rediss:' ? { servername: /^[\d.]+$|:/.test(host) ? undefined : host } : undefined,
      connectTimeout: CONNECT_TIMEOUT,
      // A closed connection keeps the process alive for this time.
      disconnectTimeout: 50,
      socketTimeout: SOCKET_TIMEOUT,
      maxRetriesPerRequest: null,
      lazyConnect: true,
      connectionName: 'autocannon'
    }
    const retryStrategy = () => this.isOpen && !this.closed ? RETRY : null
    const client = cluster
      ? new Cluster([{ host, port: Number(port || 6379) }], {
        redisOptions: options, lazyConnect: true, clusterRetryStrategy: retryStrategy,
        slotsRefreshTimeout: CONNECT_TIMEOUT
      })
      : new Redis({ ...options, host, port: Number(port || 6379), retryStrategy })
    return this.watch(client)
  }

  /** Registers a connection, which end() closes, and returns it. @type {(client: Client) => Client} */
  watch (client) {
    const duplicate = client.duplicate.bind(client)
    // BullMQ duplicates a connection for blocking commands.
    client.duplicate =
      (/** @type {any} */ ...args) => /** @type {any} */ (this.watch(/** @type {any} */ (duplicate)(...args)))
    client.on('error', (/** @type {any} */ error) => {
      // Later errors follow from the first.
      this.reason ??= error.lastNodeError ?? error
      if (this.isOpen) this.complain(error)
    })
    client.on('ready', () => {
      if (this.isAway) this.notify(`Redis at ${this.shown} is back`)
      this.isAway = false
      this.reportedAt = -Infinity
      this.repeatAfter = REPEAT_AFTER
    })
    client.once('end', () => this.clients.delete(client))
    this.clients.add(client)
    return client
  }

  /** @param {Client} client */
  async ready (client) {
    await withTimeout(CONNECT_TIMEOUT, client.connect().then(() => client.ping()), () =>
      new NoResponse(`no response within ${CONNECT_TIMEOUT / 1000} s`))
  }

  /** Reports missing permissions in Redis before the start. */
  async tryRights () {
    const key = this.key('probe', randomBytes(8).toString('hex'))
    const { client } = this
    await client.set(key, '', 'PX', 1000)
    await client.eval("redis.call('del', KEYS[1]) return 1", 1, key)
    const id = await client.xadd(key, '*', 'a', 'b')
    await client.xread('COUNT', 1, 'STREAMS', key, '0')
    await client.xdel(key, String(id))
    await client.pexpire(key, 1000)
    await client.del(key)
    await this.time()
  }

  /** Warns about an eviction policy that may delete the keys of runs. */
  async warnOfEviction () {
    // INFO may be forbidden. The required permissions have already been checked.
    const info = await this.client.info('memory').catch(error => {
      if (this.client.status === 'end') throw error
      return ''
    })
    const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(info) ?? []
    if (policy !== 'noeviction' && !/^maxmemory:0\b/m.test(info)) {
      this.notify(`Redis at ${this.shown} throws away keys when it is full (maxmemory-policy ${printable(policy)}), ` +
        'also those of a run: noeviction is needed')
    }
  }

  /** @returns {Promise<[string | number, string | number]>} seconds and microseconds since 1970 */
  async time () {
    const client = /** @type {any} */ (this.client)
    // In a cluster all machines must use the clock of the same node, the one with the keys of the run.
    return client.isCluster ? client.eval("return redis.call('time')", 1, this.key('clock')) : client.time()
  }

  /**
   * @param {...string} parts
   * @returns {string} a key with our prefix. In a cluster all keys are on one node, as scripts require
   */
  key (...parts) {
    return [this.prefix, ...parts].join(':')
  }

  /** @returns {string} the prefix of all keys */
  get prefix () {
    return `{${this.settings.prefix}}`
  }

  /** Reports an error during a run at limited intervals, and waits a little. @param {Error} error */
  async complain (error) {
    if (this.closed) return
    const time = performance.now()
    this.trouble = wordsOf(error)
    if (time - this.reportedAt > this.repeatAfter) {
      // An outage of hours must not fill the log.
      if (this.isAway) this.repeatAfter = Math.min(REPEAT_AT_MOST, 2 * this.repeatAfter)
      this.reportedAt = time
      this.isAway = true
      this.notify(`Redis at ${this.shown} can't be used at the moment (${this.trouble}); trying again`)
    }
    await new Promise(resolve => setTimeout(resolve, RETRY))
  }

  /** @type {(error: Error & { code?: string }) => AutocannonError} */
  explained (error) {
    if (error instanceof AutocannonError) return error
    // The closed connection is a consequence of the first error.
    const reason = /Connection is closed|startup nodes|^Failed to refresh slots/.test(error.message) &&
      this.reason !== null
      ? this.reason
      : error
    const words = wordsOf(reason)
    return new AutocannonError(
      'AC_REDIS',
      `Redis at ${this.shown} can't be used: ${words}. ${adviceOn(reason, words, this.settings)}`
    )
  }

  /** Returns the error that ends a run after an outage. @type {(ms: number) => AutocannonError} */
  silent (ms) {
    return new AutocannonError('AC_REDIS', `Redis at ${this.shown} could not be used for ${ms / 1000} ` +
      `s${this.trouble === '' ? '' : ` (${this.trouble})`}: without it agents end their load, and what they had ` +
      'reported is all there is')
  }

  /** @param {Client} client to close */
  drop (client) {
    client.disconnect()
    this.clients.delete(client)
  }

  close () {
    this.closed = true
    for (const client of this.clients) client.disconnect()
  }
}

/** @type {(error: Error & { code?: string }) => string} */
function wordsOf (error) {
  const { message, code } = error
  // ioredis has the refusal of one of its own commands here.
  if (/^NOAUTH\b/.test(message)) return 'NOAUTH, it wants a password'
  return printable(
    (code !== undefined && !message.includes(code) ? `${code} ${message}` : message).replace(/[.\s]+$/, '') ||
      'no reason is reported'
  )
}

/** Returns advice about the error. @type {(reason: Error, words: string, settings: Settings) => string} */
function adviceOn (reason, words, { url, cluster, prefix }) {
  if (/WRONGPASS|NOAUTH|invalid password|without any password/.test(words)) {
    return 'User and password belong in the URL, redis://user:password@host, which is given by --redis or ' +
      'AUTOCANNON_REDIS'
  }
  if (/NOPERM/.test(words)) {
    return `Its user needs ~{${prefix}}:* and +@read +@write +@connection +@scripting +time ` +
    '-@dangerous +info (docs/scale-out.md), or another --redis-prefix that it may use'
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(words)) return 'Check the name of the host in --redis or AUTOCANNON_REDIS'
  if (/Protocol error|reply type byte|Unknown RESP type/.test(words)) return 'What listens there is no Redis'
  if (/EPIPE|ECONNRESET|Connection is closed/.test(words)) {
    return 'What listens there closes the connection: is it a Redis, and is its URL redis:// or rediss:// (TLS)?'
  }
  if (reason instanceof NoResponse) {
    return url.startsWith('rediss:')
      ? 'Does it speak TLS? If not, its URL is redis://'
      : 'Does it want TLS? Then its URL is rediss://'
  }
  if (/SSL|TLS|certificate|self-signed/i.test(words)) {
    return 'rediss:// is for a Redis with TLS; the certificate of its authority is given by NODE_EXTRA_CA_CERTS'
  }
  if (/MOVED|cluster support disabled|ClusterAllFailed/.test(words)) {
    return cluster ? 'It is not a cluster: omit --redis-cluster' : 'It is a cluster: give --redis-cluster as well'
  }
  return 'Start one, such as redis-server, or check --redis or AUTOCANNON_REDIS'
}

/**
 * Loads optional packages, which only agents need.
 * @throws {AutocannonError}
 * @type {(name: 'ioredis' | 'bullmq') => any}
 */
function load (name) {
  try {
    return name === 'ioredis' ? require('ioredis') : require('bullmq')
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'MODULE_NOT_FOUND') throw error
    throw new AutocannonError('AC_REDIS', `agents need the packages bullmq and ioredis, and ${name} is not ` +
      'installed: npm install bullmq ioredis (with -g where autocannon is installed so)')
  }
}

module.exports = { Redis, load }
