'use strict'

// A stream in Redis as a mailbox: one side appends, the other reads and deletes. Its size is limited and it expires, so
// that a crash leaves no data behind.

/** The limit of entries. The link sends dropped entries again. */
const MOST_ENTRIES = 5000

/** The expiry of an unused mailbox, ms. */
const LASTS = 60_000

/** The limit of entries per read. */
const AT_ONCE = 100

/** The blocking time of a read before it checks for close(), ms. */
const BLOCKING_TIMEOUT = 1000

class Mailbox {
  /** @param {import('./redis').Redis} redis @param {string} key */
  constructor (redis, key) {
    this.redis = redis
    this.key = key
    this.closed = false
    /**
     * Resolves on close(): a command on a connection that closes during a reconnect would wait for ever.
     * @type {Promise<void>}
     */
    this.end = new Promise(resolve => { this.finish = resolve })
    /** @type {import('ioredis').Redis | import('ioredis').Cluster | null} a separate connection for blocking reads */
    this.waiting = null
  }

  /** @type {(entry: Record<string, string>) => Promise<void>} */
  async post (entry) {
    const { key, redis: { client } } = this
    const replies = await client.pipeline()
      .xadd(key, 'MAXLEN', '~', MOST_ENTRIES, '*', ...Object.entries(entry).flat())
      .pexpire(key, LASTS)
      .exec()
    for (const [error] of replies ?? []) if (error !== null) throw error
  }

  /**
   * Posts an entry. A failure is reported, and the link sends the entry again.
   * @param {Record<string, string>} entry
   * @param {import('./link').Link} link that sends the entry
   */
  async postFor (entry, link) {
    try {
      await this.post(entry)
    } catch (error) {
      link.refused()
      await this.redis.complain(/** @type {Error} */ (error))
    }
  }

  /** Receives entries until close(). @type {(take: (entry: Record<string, string>) => void) => Promise<void>} */
  async collect (take) {
    await Promise.race([this.follow(take), this.end])
  }

  /** @param {(entry: Record<string, string>) => void} take */
  async follow (take) {
    const waiting = this.waiting = await this.redis.another()
    /** @type {string[]} */
    let taken = []
    while (!this.closed) {
      try {
        if (taken.length > 0) await waiting.xdel(this.key, ...taken)
        taken = []
        // Reads from the beginning, because received entries are deleted. So the ids, which depend on the clock of
        // Redis, do not matter.
        const found = await waiting.xread('COUNT', AT_ONCE, 'BLOCK', BLOCKING_TIMEOUT, 'STREAMS', this.key, '0')
        for (const [id, fields] of found?.[0]?.[1] ?? []) {
          taken.push(id)
          if (!this.closed) take(Object.fromEntries(pairsOf(fields)))
        }
      } catch (error) {
        if (this.closed) break
        await this.redis.complain(/** @type {Error} */ (error))
      }
    }
  }

  /** @param {boolean} [remove] whether to delete unread messages */
  async close (remove = false) {
    this.closed = true
    this.finish?.()
    if (this.waiting !== null) this.redis.drop(this.waiting)
    if (remove) await this.redis.client.del(this.key).catch(() => {})
  }
}

/** @param {string[]} fields a name, its value, and so on @returns {Array<[name: string, value: string]>} */
function pairsOf (fields) {
  return fields.flatMap((name, i) => i % 2 === 0 ? [([name, fields[i + 1]])] : [])
}

module.exports = { Mailbox }
