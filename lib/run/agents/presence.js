'use strict'

// Shows which agents are available: each renews a key in Redis that expires.

const { isRecord, printable } = require('../../core/foreign-text')
const { tryOr } = require('../../core/try-or')

/** The expiry of an announcement, ms, and the interval of renewals. */
const LASTS = 6000
const EVERY = 2000

/**
 * @typedef {object} Announcement of an available agent
 * @property {string} id
 * @property {string} name
 * @property {string} host
 * @property {number} cores
 * @property {string} version of autocannon
 * @property {string} node
 * @property {boolean} busy
 */

class Presence {
  /** @param {import('./redis').Redis} redis */
  constructor (redis) {
    this.redis = redis
    this.ids = redis.key('agents')
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
  }

  /** @param {() => Announcement} announcement returns the current announcement */
  announce (announcement) {
    const say = () => {
      const one = announcement()
      // The connection reports an unreachable Redis.
      return this.redis.client.pipeline().sadd(this.ids, one.id).pexpire(this.ids, 10 * LASTS)
        .set(this.keyOf(one.id), JSON.stringify(one), 'PX', LASTS).exec().then(() => {}, () => {})
    }
    this.say = say
    this.timer = setInterval(say, EVERY)
    say()
  }

  /** @param {string} id of the agent that leaves */
  async withdraw (id) {
    clearInterval(this.timer)
    await this.redis.client.pipeline().srem(this.ids, id).del(this.keyOf(id)).exec().catch(() => {})
  }

  /** @returns {Promise<Announcement[]>} the announcements of available agents, by name */
  async list () {
    const { client } = this.redis
    const ids = await client.smembers(this.ids)
    if (ids.length === 0) return []
    const texts = await client.mget(ids.map(id => this.keyOf(id)))
    const gone = ids.filter((_, i) => texts[i] === null)
    if (gone.length > 0) await client.srem(this.ids, ...gone)
    return texts.flatMap(text => text === null ? [] : tryOr(null, () => announcementOf(JSON.parse(text))) ?? [])
      .sort((a, b) => a.name < b.name ? -1 : 1)
  }

  /** @param {string} id */
  keyOf (id) {
    return this.redis.key('agent', id)
  }
}

/**
 * @param {unknown} given untrusted
 * @returns {Announcement | null} null if invalid
 */
function announcementOf (given) {
  if (!isRecord(given)) return null
  const { id, name, host, cores, version, node, busy } = /** @type {Record<string, any>} */ (given)
  const isRight =
    [id, name, host, version, node].every(text => typeof text === 'string' && text !== '' && text.length <= 200) &&
    Number.isInteger(cores) && cores >= 1 && cores <= 1024
  return isRight
    ? {
        id, name: printable(name), host: printable(host), cores, version: printable(version), node: printable(node),
        busy: busy === true
      }
    : null
}

module.exports = { Presence, announcementOf }
