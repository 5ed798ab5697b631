'use strict'

// A small terminal for tests: it shows the output of a program. It wraps, scrolls, keeps lines that scroll away, and wraps again when it is
// resized, as terminals of today do. What it does not know it refuses.

class TestScreen {
  /**
   * @param {number} columns
   * @param {number} rows
   */
  constructor (columns, rows) {
    this.columns = columns
    this.rows = rows
    this.isTTY = true
    /** Lines as they were written, of the scrollback and of the screen; `wraps`: the next one goes on with it. @type {Array<{ text: string, wraps: boolean }>} */
    this.lines = [{ text: '', wraps: false }]
    this.at = { line: 0, column: 0 }
    /** @type {Record<string, Set<() => void>>} */
    this.listeners = { resize: new Set() }
    this.written = ''
  }

  hasColors () { return false }

  /**
   * @param {string} event
   * @param {() => void} listener
   */
  on (event, listener) { this.listeners[event].add(listener) }

  /**
   * @param {string} event
   * @param {() => void} listener
   */
  off (event, listener) { this.listeners[event].delete(listener) }

  /** @returns {number} the first line that is on the screen */
  get top () { return Math.max(0, this.lines.length - this.rows) }

  /** @param {string | Uint8Array} chunk */
  write (chunk) {
    const text = String(chunk)
    this.written += text
    // eslint-disable-next-line no-control-regex
    for (const [token] of text.matchAll(/\x1b\[[\d;?]*[A-Za-z]|[^]/gu)) {
      if (token === '\n') this.newLine()
      else if (token === '\r') this.at.column = 0
      else if (token.startsWith('\x1b')) this.control(token)
      else this.put(token)
    }
    return true
  }

  newLine () {
    this.lines[this.at.line].wraps = false
    this.at = { line: this.at.line + 1, column: 0 }
    if (this.at.line === this.lines.length) this.lines.push({ text: '', wraps: false })
  }

  /** @param {string} character one column wide */
  put (character) {
    if (this.at.column === this.columns) {
      this.newLine()
      this.lines[this.at.line - 1].wraps = true
    }
    const line = this.lines[this.at.line]
    const characters = Array.from(line.text.padEnd(this.at.column))
    characters[this.at.column++] = character
    line.text = characters.join('')
  }

  /** @param {string} token */
  control (token) {
    const [, digits, what] = /** @type {RegExpExecArray} */ (/^\x1b\[(\d*)(?:;\d+)*([A-Za-z])$/.exec(token) ?? []) // eslint-disable-line no-control-regex
    const line = this.lines[this.at.line]
    if (what === 'm') return
    if (what === 'A') this.at.line = Math.max(this.top, this.at.line - Number(digits || 1))
    else if (what === 'K' && digits === '') Object.assign(line, { text: Array.from(line.text).slice(0, this.at.column).join(''), wraps: false })
    else if (what === 'J' && digits === '') {
      // tmux keeps a whole screen that is erased at once.
      if (this.at.line === this.top && this.at.column === 0 && this.lines.some(({ text }, i) => i >= this.top && text !== '')) {
        while (this.lines.length < this.top + this.rows) this.lines.push({ text: '', wraps: false })
        const kept = this.lines.length
        for (let i = 0; i < this.rows; i++) this.lines.push({ text: '', wraps: false })
        this.at.line = kept
        return
      }
      Object.assign(line, { text: Array.from(line.text).slice(0, this.at.column).join(''), wraps: false })
      for (const other of this.lines.slice(this.at.line + 1)) Object.assign(other, { text: '', wraps: false })
      this.lines.length = Math.max(this.at.line + 1, this.top + 1)
    } else throw new Error(`${JSON.stringify(token)} is not known`)
  }

  /**
   * @param {number} columns
   * @param {number} [rows]
   */
  resize (columns, rows = this.rows) {
    /** @type {Array<{ text: string, wraps: boolean }>} */
    const lines = []
    /** @type {number} */
    let cursor = 0
    for (let i = 0, whole = ''; i < this.lines.length; i++) {
      whole += this.lines[i].text
      if (this.at.line === i) cursor = lines.length
      if (this.lines[i].wraps) continue
      const characters = Array.from(whole.trimEnd())
      do lines.push({ text: characters.splice(0, columns).join(''), wraps: characters.length > 0 })
      while (characters.length > 0)
      whole = ''
    }
    Object.assign(this, { columns, rows, lines, at: { line: cursor, column: this.at.column } })
    for (const listener of this.listeners.resize) listener()
  }

  /** @returns {string[]} all that can be seen by scrolling back */
  get all () {
    const texts = this.lines.map(({ text }) => text.trimEnd())
    while (texts.length > 0 && texts[texts.length - 1] === '') texts.pop()
    return texts
  }
}

module.exports = { TestScreen }
