'use strict'

// A file that is written during a run, in order and without blocking, even if it is a pipe without a reader. A blocked
// write would stop the load; an open that never returns would keep the process alive.

const { constants, promises } = require('node:fs')
const { setTimeout: sleep } = require('node:timers/promises')
const { now } = require('../../core/clock')
const { AutocannonError } = require('../../core/errors')
const { show } = require('../../core/foreign-text')

const { O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NONBLOCK = 0 } = constants

/** Error codes of a pipe without a reader, and of a full pipe. */
const UNREAD = ['ENXIO', 'EAGAIN']

/** The interval of attempts to write to an unread pipe, ms. */
const RETRY = 50

/** The time for the reader of a pipe after the last write, ms. */
const READER_TIMEOUT = 2000

class OutputFile {
  /** @param {string} file @param {{ append?: boolean }} [options] a file that is not appended to is replaced */
  constructor (file, { append = false } = {}) {
    this.file = file
    this.flags = O_WRONLY | O_CREAT | O_NONBLOCK | (append ? O_APPEND : O_TRUNC)
    /** @type {string[]} */
    this.queue = []
    this.ended = false
    /** The last time at which a reader took data, or the start of the end, ms. */
    this.readAt = now()
    /** Ends a wait for more to write. */
    this.wake = () => {}
    /** @type {Promise<AutocannonError | null>} resolves when everything is written, or with the error; never rejects */
    this.closed = this.drain().then(() => null, error => this.explain(error))
  }

  /** @param {string} text */
  write (text) {
    this.queue.push(text)
    this.wake()
  }

  /** Stops writing. Idempotent. */
  end () {
    if (!this.ended) this.readAt = now()
    this.ended = true
    this.wake()
    return this.closed
  }

  async drain () {
    const handle = await this.retry(() => promises.open(this.file, this.flags))
    try {
      while (this.queue.length > 0 || !this.ended) {
        if (this.queue.length === 0) await new Promise(resolve => { this.wake = () => resolve(undefined) })
        let bytes = Buffer.from(this.queue.splice(0).join(''))
        while (bytes.length > 0) {
          const { bytesWritten } = await this.retry(() => handle.write(bytes))
          bytes = bytes.subarray(bytesWritten)
        }
      }
      const stat = await handle.stat()
      if (stat.isFile() && stat.nlink === 0) throw new Error('it was removed while the run went on')
    } finally {
      await handle.close()
    }
  }

  /**
   * @template T
   * @param {() => Promise<T>} action that a pipe without a reader refuses
   * @returns {Promise<T>}
   */
  async retry (action) {
    for (;;) {
      try {
        const done = await action()
        this.readAt = now()
        return done
      } catch (error) {
        const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error)
        if (!UNREAD.includes(code) || (this.ended && now() - this.readAt >= READER_TIMEOUT)) throw error
        await sleep(RETRY)
      }
    }
  }

  /** @param {NodeJS.ErrnoException} error */
  explain ({ code = '', message }) {
    const reason = UNREAD.includes(code) ? `it is a pipe without a reader (${code})` : message
    return new AutocannonError('AC_OUTPUT', `${show(this.file)} could not be written: ${reason}`)
  }
}

module.exports = { OutputFile }
