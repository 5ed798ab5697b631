'use strict'

// A stream in Redis as a mailbox: one side appends, the other reads and deletes. It has a limit and an expiry, so that
// a crash leaves nothing to clean up.

/** Entries. Dropped ones are sent again by the link. */
const MOST_ENTRIES = 5000

/** How long an unused mailbox is kept, ms. */
const LASTS = 60_000

/** How many entries are taken at once. */
const AT_ONCE = 100

/** How long a collector waits for the next entry before it looks whether it is still wanted, ms. */
const BLOCKING_TIMEOUT = 1000

class Mailbox {
  /** @param {import('./redis').Redis} redis @param {string} key */
  constructor (redis, key) {
    this.redis = redis
    this.key = key
    this.closed = false
    /** A command on a connection that is ended during a reconnect waits for ever. @type {Promise<void>} */
    this.end = new Promise(resolve => { this.finish = resolve })
    /** @type {import('ioredis').Redis | import('ioredis').Cluster | null} a connection of its own, because it waits */
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
   * A post that Redis refuses is reported, and the link sends it again.
   * @param {Record<string, string>} entry
   * @param {import('./link').Link} link whose entry it is
   */
  async postFor (entry, link) {
    try {
      await this.post(entry)
    } catch (error) {
      link.refused()
      await this.redis.complain(/** @type {Error} */ (error))
    }
  }

  /** Takes entries until it is closed. @type {(take: (entry: Record<string, string>) => void) => Promise<void>} */
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
        // From the beginning: entries that were taken are deleted, so the clock of Redis does not matter.
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

  /** @param {boolean} [remove] whether unread messages are removed */
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
