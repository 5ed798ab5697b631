'use strict'

// A message of a WebSocket as a user function sees it.

const { ProtocolError } = require('../../core/errors')
const { redactedText } = require('../../core/secrets')
const { valueAt } = require('../../requests/json-path')
const { knownPath, Sampled, SAMPLE_BODY } = require('../function-response')

class Message extends Sampled {
  /** @type {string | undefined} */
  #name
  /** @type {string} */
  #from

  /** @param {boolean} isText @param {Buffer} body @param {string} from name of the socket in messages */
  constructor (isText, body, from) {
    super()
    this.type = isText ? 'text' : 'binary'
    this.body = body
    this.#from = from
  }

  /** Of the message that it responds to. */
  get name () {
    return this.#name
  }

  text () {
    return this.body.toString()
  }

  /**
   * @param {string} [path] of a value in it
   * @returns {any} the message, or that value; undefined where there is none
   * @throws {ProtocolError} when it is no JSON: not caught, it aborts the iteration
   */
  json (path) {
    let value
    try {
      value = JSON.parse(this.text())
    } catch {
      throw new ProtocolError('AC_JSON', `a message of the WebSocket ${this.#name ?? this.#from} is not JSON`)
    }
    return path === undefined ? value : valueAt(value, knownPath(path))
  }

  /** @returns {import('../../instruments/checks/record').FailedResponse} */
  sample () {
    const { body } = this
    return {
      status: 0, headers: [], body: redactedText(body.toString('utf8', 0, SAMPLE_BODY)),
      truncated: body.length > SAMPLE_BODY
    }
  }

  /** @param {Message} message @param {string | undefined} name */
  static named (message, name) {
    message.#name = name
    return message
  }
}

/** The response to a message of the function. */
class Reply extends Message {
  /**
   * @param {boolean} isText
   * @param {import('../../response/reader').ResponseReader} reader valid for now
   * @param {string | undefined} name
   * @param {string} from
   */
  constructor (isText, reader, name, from) {
    super(isText, Buffer.from(reader.bytes()), from)
    this.timings = { duration: reader.ms }
    Message.named(this, name)
  }
}

module.exports = { Message, Reply }
