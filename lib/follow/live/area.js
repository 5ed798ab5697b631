'use strict'

// Lines at the bottom of a terminal that are redrawn in place, without an alternate screen. Other output, such as that
// of a started server or a hook, appears above them.

const { StringDecoder } = require('node:string_decoder')
const { widthOf } = require('../../report/table')

// eslint-disable-next-line no-control-regex
const COLOR = /\x1b\[[\d;]*m/g

/** Longer lines of other output are split, so that each character is processed only once. */
const LONGEST_LINE = 8192

/** The interval of other output, ms: a redraw for each of many writes would flicker. */
const CALM = 100
/** The limit of waiting characters. */
const MOST = 65_536

/**
 * @typedef {NodeJS.WritableStream & { columns?: number, rows?: number, isTTY?: boolean }} Terminal
 * @typedef {{ setTimeout: (call: () => void, ms: number) => any, clearTimeout: (timer: any) => void }} Timers
 */

class Area {
  /**
   * @param {Terminal} stream
   * @param {Terminal[]} [all] other streams to the same terminal
   * @param {{ clock?: import('../../core/clock').Clock, timers?: Timers }} [context]
   */
  constructor (
    stream, all = [stream], { clock = require('../../core/clock').now, timers = { setTimeout, clearTimeout } } = {}
  ) {
    this.stream = stream
    this.clock = clock
    this.timers = timers
    /** @type {string[]} the lines to draw */
    this.lines = []
    /** @type {string[]} the lines on the screen, above the cursor */
    this.drawn = []
    this.disturbedAt = -Infinity
    /**
     * Buffered other output, in order.
     * @type {Array<{ interceptor: Interceptor, texts: string[], dones: Array<() => void> }>}
     */
    this.waiting = []
    this.length = 0
    /** @type {any} */
    this.timer = null
    this.write = stream.write.bind(stream)
    this.interceptors = [...new Set(all)].filter(({ isTTY }) => isTTY).map(one => new Interceptor(one, this))
  }

  /** @param {string[]} lines the new lines, each narrower than the terminal */
  show (lines) {
    this.lines = lines
    if (this.waiting.length > 0) this.flush()
    else this.draw()
  }

  draw () {
    const { lines } = this
    if (lines.length === 0) return this.clear()
    this.write(this.up() + lines.map(line => `${line}\x1b[K\n`).join('') + (lines.length < this.rows() ? '\x1b[J' : ''))
    this.drawn = lines
  }

  /** @returns {number} the number of screen rows that the drawn lines take: a narrower terminal has wrapped them */
  rows () {
    const columns = this.stream.columns || Infinity
    return this.drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line.replace(COLOR, '')) / columns)), 0)
  }

  /** @returns {string} moves the cursor to the start of the first line */
  up () {
    const rows = this.rows()
    return rows === 0 ? '\r' : `\x1b[${rows}A\r`
  }

  /**
   * Erases the area before other output. Line by line: tmux copies a screen that is erased at once into its scrollback.
   */
  clear () {
    // If the terminal became narrower, rows may have scrolled off the screen.
    const rows = Math.min(this.rows(), (this.stream.rows || Infinity) - 1)
    if (rows > 0) this.write(`${this.up()}${'\x1b[K\n'.repeat(rows)}\x1b[${rows}A\r`)
    this.drawn = []
  }

  /**
   * @param {Interceptor} interceptor
   * @param {string} text whole lines
   * @param {() => void} [done] when it is written
   */
  put (interceptor, text, done) {
    let last = this.waiting.at(-1)
    if (last?.interceptor !== interceptor) this.waiting.push(last = { interceptor, texts: [], dones: [] })
    last.texts.push(text)
    if (done !== undefined) last.dones.push(done)
    this.length += text.length
    const calm = this.clock() - this.disturbedAt > CALM
    this.disturbedAt = this.clock()
    if ((calm && this.timer === null) || this.length > MOST) this.flush()
    else this.timer ??= this.timers.setTimeout(() => this.flush(), CALM)
  }

  /** Writes waiting output above the lines. */
  flush () {
    this.timers.clearTimeout(this.timer)
    this.timer = null
    this.length = 0
    const waiting = this.waiting.splice(0)
    if (waiting.length > 0) this.clear()
    for (const { interceptor, texts, dones } of waiting) interceptor.pass(texts.join(''), dones)
    this.draw()
  }

  /** Forgets the drawn lines: a shell may have written since. */
  forget () {
    this.drawn = []
  }

  /** Idempotent. */
  end () {
    this.lines = []
    this.flush()
    this.clear()
    for (const interceptor of this.interceptors.splice(0)) interceptor.end()
  }
}

/** Intercepts `write` of a stream, so that complete lines of other output appear above the area. */
class Interceptor {
  /** @param {Terminal} stream @param {Area} area */
  constructor (stream, area) {
    this.stream = stream
    this.area = area
    this.decoder = new StringDecoder('utf8')
    /** The chunks of an incomplete line. @type {string[]} */
    this.rest = []
    this.length = 0
    this.isOwn = Object.hasOwn(stream, 'write')
    this.original = stream.write
    /** @type {any} */
    const take = (
      /** @type {any} */ chunk, /** @type {any} */ encoding, /** @type {any} */ done
    ) => this.take(chunk, encoding, done)
    stream.write = take
  }

  /** @param {string | Uint8Array} chunk @param {any} [encoding] @param {() => void} [done] */
  take (chunk, encoding, done = encoding) {
    const text = typeof chunk === 'string' ? chunk : this.decoder.write(Buffer.from(chunk))
    const end = text.lastIndexOf('\n') + 1
    const isLong = end === 0 && this.length + text.length > LONGEST_LINE
    if (end === 0 && !isLong) {
      this.keep(text)
      if (typeof done === 'function') process.nextTick(done)
      return true
    }
    const lines = this.takeRest() + (isLong ? `${text}\n` : text.slice(0, end))
    if (!isLong) this.keep(text.slice(end))
    this.area.put(this, lines, typeof done === 'function' ? done : undefined)
    return true
  }

  /** @type {(text: string, dones: Array<() => void>) => void} */
  pass (text, dones) {
    this.original.call(this.stream, text, 'utf8', () => { for (const done of dones) done() })
  }

  /** @param {string} text without a line break */
  keep (text) {
    this.rest.push(text)
    this.length += text.length
  }

  takeRest () {
    const rest = this.rest.join('')
    this.rest = []
    this.length = 0
    return rest
  }

  end () {
    if (this.isOwn) this.stream.write = this.original
    else delete /** @type {any} */ (this.stream).write
    const rest = this.takeRest()
    if (rest !== '') this.stream.write(rest)
  }
}

module.exports = { Area }
