'use strict'

// A message that responds to nothing, as the expression of a `receive` entry sees it. It is decoded when that looks at
// it.

const { withBigInts } = require('../../requests/json-numbers')

class ReceivedMessage {
  /** @type {string | null} */
  #text = null
  /** @type {any} undefined until it is parsed */
  #json

  /** @param {Buffer} bytes */
  constructor (bytes) {
    this.bytes = bytes
  }

  get text () {
    this.#text ??= this.bytes.toString()
    return this.#text
  }

  /** @returns {any} null where it is no JSON */
  get json () {
    if (this.#json === undefined) this.#json = parsed(this.text)
    return this.#json
  }
}

/** @param {string} text */
function parsed (text) {
  try {
    return withBigInts(text, JSON.parse(text))
  } catch {
    return null
  }
}

module.exports = { ReceivedMessage }
