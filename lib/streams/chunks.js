'use strict'

// Counts reads with bytes of a body: each read is a message. It becomes text only if a check or hook reads it.

/**
 * @typedef {import('./stream').Message} Message
 * @typedef {import('./stream').Scanner} Scanner
 * @implements {Scanner}
 */
class ReadScanner {
  /** @param {import('./stream').OnMessage | null} [onMessage] null to count only */
  constructor (onMessage = null) {
    this.onMessage = onMessage
    /** The bytes of the current read, if they are needed. @type {Buffer[]} */
    this.parts = []
    this.hasBytes = false
    this.isInside = false
    this.size = 0
  }

  reset () {
    this.parts.length = 0
    this.hasBytes = false
  }

  /** @type {Scanner['scan']} */
  scan (bytes, start, end) {
    if (end === start) return 0
    this.hasBytes = true
    if (this.onMessage !== null) this.parts.push(Buffer.from(bytes.subarray(start, end)))
    return 0
  }

  endRead () {
    const messages = this.hasBytes ? 1 : 0
    this.hasBytes = false
    if (messages > 0 && this.onMessage !== null) {
      const { parts } = this
      this.parts = []
      this.onMessage(new Chunk(parts.length === 1 ? parts[0] : Buffer.concat(parts)))
    }
    return messages
  }

  finish () {
    return 0
  }
}

/** @implements {Message} */
class Chunk {
  /** @param {Buffer} bytes */
  constructor (bytes) {
    this.type = 'chunk'
    this.lastEventId = ''
    this.bytes = bytes
  }

  /** Lazy: most users of a chunk need no text. */
  get data () {
    return this.bytes.toString()
  }
}

/** @type {import('./stream').Kind} */
module.exports = {
  types: [],
  message: 'chunk',
  scanner: onMessage => new ReadScanner(onMessage)
}
