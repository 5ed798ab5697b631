'use strict'

// Delivers messages between two sides exactly once and in order over mailboxes that may lose, repeat and reorder them,
// or reports failure. It uses neither Redis nor timers: its owner posts entries and calls tick().

const { AutocannonError } = require('../../core/errors')
const { tryOr } = require('../../core/try-or')

/** Characters of an entry; longer messages travel in pieces. */
const PIECE = 128 * 1024

/**
 * The limit of unacknowledged entries. Others wait, so that retransmissions are small, and Redis never holds a whole
 * plan.
 */
const WINDOW = 16

/** The limit of one message, and of all unacknowledged ones, in characters. A plan with its data may be large. */
const LONGEST = 512 * 1024 * 1024

/** After this time without an acknowledgement, entries are sent again, ms. */
const RESEND = 2000

/** The longest time without an entry, ms: a heartbeat follows. */
const BEAT = 1000

/**
 * An entry of a mailbox. All fields are strings, as in Redis.
 * @typedef {object} Entry
 * @property {string} n number of the entry, counted from 1
 * @property {string} a acknowledges entries of the other side up to this number
 * @property {string} p a piece of the JSON text of a list of messages
 * @property {'' | '+'} f whether more of that text follows
 * @property {string} s its signature; empty without a key
 *
 * @typedef {object} Edge
 * @property {(entry: Entry) => void} post
 * @property {(message: any) => void} deliver
 * @property {import('../../core/clock').Clock} now
 * @property {(action: () => void) => void} later runs an action at the end of the current turn of the event loop
 * @property {{ sign: (number: number, payload: string) => string, verify: (number: number, payload: string, signature:
 *   string) => boolean }} signature
 */

class Link {
  /** @param {Edge} edge */
  constructor (edge) {
    this.edge = edge
    /** Messages of the current turn of the event loop. @type {unknown[]} */
    this.waiting = []
    this.isFlushing = false
    /** The numbers of the last sent and the last received entry. */
    this.sent = 0
    this.received = 0
    /** Unacknowledged entries, and the number of those that have been posted. @type {Entry[]} */
    this.unacknowledged = []
    this.posted = 0
    this.length = 0
    this.postedAt = edge.now()
    /** The time of the oldest post, or of the last retransmission. */
    this.waitsSince = Infinity
    /** The pieces of an incomplete text. @type {string[]} */
    this.pieces = []
    this.longest = 0
    /** The number of received entries without an acknowledgement. */
    this.owed = 0
    this.ended = false
  }

  /** @param {unknown} message a JSON value */
  send (message) {
    if (this.ended) return
    this.waiting.push(message)
    if (this.isFlushing) return
    this.isFlushing = true
    // Threads of an agent report at the same time, which makes one entry.
    this.edge.later(() => this.flush())
  }

  flush () {
    this.isFlushing = false
    if (this.waiting.length === 0 || this.ended) return
    const text = JSON.stringify(this.waiting)
    this.waiting = []
    for (let at = 0; at < text.length; at += PIECE) {
      this.post(text.slice(at, at + PIECE), at + PIECE < text.length ? '+' : '')
    }
  }

  /** @type {(p: string, f: Entry['f']) => void} */
  post (p, f) {
    this.length += p.length
    if (this.length > LONGEST) {
      throw new AutocannonError(
        'AC_REDIS',
        `more than ${LONGEST / 1024 / 1024} MiB are waiting and are not received`
      )
    }
    this.unacknowledged.push({ n: String(++this.sent), a: '', p, f, s: '' })
    this.go()
  }

  go () {
    if (this.posted === 0 && this.unacknowledged.length > 0) this.waitsSince = this.edge.now()
    while (this.posted < Math.min(WINDOW, this.unacknowledged.length)) this.put(this.unacknowledged[this.posted++])
  }

  /** @param {Entry} entry */
  put (entry) {
    this.owed = 0
    this.postedAt = this.edge.now()
    entry.a = String(this.received)
    entry.s = this.edge.signature.sign(Number(entry.n), payloadOf(entry))
    this.edge.post(entry)
  }

  /** Sends heartbeats, and retransmits entries that may be lost. To be called a few times per second. */
  tick () {
    if (this.ended) return
    const time = this.edge.now()
    if (time - this.waitsSince > RESEND) {
      this.posted = 0
      this.go()
    } else if (this.owed > 0 || time - this.postedAt >= BEAT) this.post('', '')
  }

  /** @returns {boolean} whether entries wait because of the limit */
  get isBehind () {
    return this.unacknowledged.length > this.posted
  }

  /**
   * @param {Partial<Entry>} given untrusted
   * @throws {AutocannonError}
   */
  receive (given) {
    if (this.ended) return
    const entry = readEntry(given)
    const n = Number(entry.n)
    if (!this.edge.signature.verify(n, payloadOf(entry), entry.s)) {
      throw new AutocannonError(
        'AC_KEY',
        'a message is not signed with the AUTOCANNON_KEY of this side: it has to be the same on both'
      )
    }
    this.acknowledge(Number(entry.a))
    // Drops duplicates; requests retransmission of gaps.
    if (n !== this.received + 1) {
      this.owed++
      return
    }
    this.received = n
    // A heartbeat is acknowledged with the next heartbeat.
    if (entry.p !== '' && ++this.owed >= WINDOW / 2) this.post('', '')
    this.assemble(entry)
  }

  /** Handles a failed post: unacknowledged entries are sent again at the next tick. */
  refused () {
    if (this.unacknowledged.length > 0) this.waitsSince = -Infinity
  }

  /** @param {number} number of the last entry that the other side has received */
  acknowledge (number) {
    if (number > this.sent) {
      throw new AutocannonError('AC_REDIS', 'the other side has what was not sent: another run has the same name')
    }
    let count = 0
    while (count < this.unacknowledged.length && Number(this.unacknowledged[count].n) <= number) {
      this.length -= this.unacknowledged[count++].p.length
    }
    if (count === 0) return
    this.unacknowledged.splice(0, count)
    this.posted = Math.max(0, this.posted - count)
    this.waitsSince = this.posted === 0 ? Infinity : this.edge.now()
    this.go()
  }

  /** @param {Entry} entry */
  assemble ({ p, f }) {
    if (p === '') return
    this.pieces.push(p)
    this.longest += p.length
    if (this.longest > LONGEST) {
      throw new AutocannonError('AC_REDIS', `a message is longer than ${LONGEST / 1024 / 1024} MiB`)
    }
    if (f === '+') return
    const text = this.pieces.join('')
    this.pieces = []
    this.longest = 0
    const messages = tryOr(null, () => JSON.parse(text))
    if (!Array.isArray(messages)) throw new AutocannonError('AC_REDIS', 'a message is not valid')
    for (const message of messages) {
      if (this.ended) return
      this.edge.deliver(message)
    }
  }

  /** Stops sending, delivering and retransmitting. */
  end () {
    this.ended = true
    this.unacknowledged = []
    this.waiting = []
    this.pieces = []
  }
}

/** Returns the signed part of an entry, except for the number. @type {(entry: Entry) => string} */
function payloadOf ({ a, f, p }) {
  return `${a} ${f} ${p}`
}

/**
 * @throws {AutocannonError}
 * @type {(given: Partial<Entry>) => Entry}
 */
function readEntry (given) {
  const { n = '', a = '', p = '', f = '', s = '' } = given
  const isRight = /^[1-9]\d{0,15}$/.test(n) && /^(0|[1-9]\d{0,15})$/.test(a) && (f === '' || f === '+') &&
    [p, s].every(text => typeof text === 'string')
  if (!isRight) throw new AutocannonError('AC_REDIS', 'an entry of a mailbox is not valid')
  return { n, a, p, f, s }
}

module.exports = { Link }
