'use strict'

// Delivers messages between two sides exactly once and in order over mailboxes that may lose, repeat and reorder them,
// or reports failure. It has no Redis and no timers: its owner posts entries and passes the time.

const { AutocannonError } = require('../../core/errors')
const { tryOr } = require('../../core/try-or')

/** Characters of an entry; longer messages travel in pieces. */
const PIECE = 128 * 1024

/** Entries on their way. The others wait, so that a repetition is small, and Redis never holds a whole plan. */
const WINDOW = 16

/** The limit of one message, and of those on their way, in characters. A plan with its data may be large. */
const LONGEST = 512 * 1024 * 1024

/** After this time without an acknowledgement, entries on their way are sent again, ms. */
const RESEND = 2000

/** How long a side may be silent, ms. */
const BEAT = 1000

/**
 * The content of a mailbox: texts, as in Redis.
 * @typedef {object} Entry
 * @property {string} n number of the entry, counted from 1
 * @property {string} a number of the last entry of the other side that has come
 * @property {string} p a piece of the JSON text of a list of messages
 * @property {'' | '+'} f whether more of that text follows
 * @property {string} s its signature; empty without a key
 *
 * @typedef {object} Edge
 * @property {(entry: Entry) => void} post
 * @property {(message: any) => void} deliver
 * @property {import('../../core/clock').Clock} now
 * @property {(action: () => void) => void} later runs an action at the end of the turn
 * @property {{ sign: (number: number, payload: string) => string, verify: (number: number, payload: string, signature:
 *   string) => boolean }} signature
 */

class Link {
  /** @param {Edge} edge */
  constructor (edge) {
    this.edge = edge
    /** Messages that wait for the end of the turn. @type {unknown[]} */
    this.waiting = []
    this.isFlushing = false
    /** The number of the last entry of each side. */
    this.sent = 0
    this.received = 0
    /** Unacknowledged entries, and how much of them is on its way. @type {Entry[]} */
    this.unacknowledged = []
    this.posted = 0
    this.length = 0
    this.postedAt = edge.now()
    /** When the oldest of them was posted, or all of them again. */
    this.waitsSince = Infinity
    /** The text so far whose end has not come. @type {string[]} */
    this.pieces = []
    this.longest = 0
    /** How many entries have come of which the other side does not know. */
    this.owed = 0
    this.ended = false
  }

  /** @param {unknown} message a JSON value */
  send (message) {
    if (this.ended) return
    this.waiting.push(message)
    if (this.isFlushing) return
    this.isFlushing = true
    // Threads of an agent report at the same time: that is one entry.
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

  /** Sends a sign of life, and repeats entries that may be lost. To be called a few times per second. */
  tick () {
    if (this.ended) return
    const time = this.edge.now()
    if (time - this.waitsSince > RESEND) {
      this.posted = 0
      this.go()
    } else if (this.owed > 0 || time - this.postedAt >= BEAT) this.post('', '')
  }

  /** @returns {boolean} whether more is to be sent than may be on its way */
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
    // The next beat is the reply to a beat.
    if (entry.p !== '' && ++this.owed >= WINDOW / 2) this.post('', '')
    this.assemble(entry)
  }

  /** The mailbox did not take an entry: entries on their way are sent again at the next tick. */
  refused () {
    if (this.unacknowledged.length > 0) this.waitsSince = -Infinity
  }

  /** @param {number} number up to which the other side has all */
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
    if (!Array.isArray(messages)) throw new AutocannonError('AC_REDIS', 'a message is none')
    for (const message of messages) {
      if (this.ended) return
      this.edge.deliver(message)
    }
  }

  /** Nothing is sent, delivered or repeated any more. */
  end () {
    this.ended = true
    this.unacknowledged = []
    this.waiting = []
    this.pieces = []
  }
}

/** Returns the signed part beside the number. @type {(entry: Entry) => string} */
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
  if (!isRight) throw new AutocannonError('AC_REDIS', 'an entry of a mailbox is none')
  return { n, a, p, f, s }
}

module.exports = { Link }
