'use strict'

// Decodes bodies with the option `compressed`, and counts them. A body is decoded when it is complete; hooks and checks
// run then. requests/content-coding.js has the codings.

const { decodeAll } = require('../requests/content-coding')

/**
 * Responses to one request are mostly the same. Comparing one with the last takes 0.1 µs, decoding 2 kB 10 µs and 20 kB
 * 50 µs: a run with onResponse against gzip of 2.3 kB took 35 µs of CPU time per request with that, 48 without, and 34
 * where nothing was decoded. The limit of kept bytes in a thread.
 */
const MOST_KEPT = 32 * 1024 * 1024

class Decoded {
  /** @param {Buffer} bytes not to be changed: others may be given the same */
  constructor (bytes) {
    this.bytes = bytes
    /** @type {string | null} */
    this.string = null
  }

  get text () {
    return (this.string ??= this.bytes.toString())
  }
}

/** The last body that was decoded. */
class Last {
  /** @param {string} coding @param {Buffer} encoded @param {Decoded} decoded */
  constructor (coding, encoded, decoded) {
    this.coding = coding
    this.encoded = encoded
    this.decoded = decoded
    /** With the text, of which a character may take two bytes. */
    this.size = encoded.length + 3 * decoded.bytes.length
  }
}

class Decoder {
  /**
   * @param {Pick<import('../record/recorder').Recorder, 'instruments' | 'decodings' | 'encodedBytes' | 'decodedBytes'>}
   *   recorder
   */
  constructor (recorder) {
    this.recorder = recorder
    /** By request. @type {WeakMap<object, Last>} */
    this.last = new WeakMap()
    this.room = MOST_KEPT
  }

  /**
   * @param {object} step that is completed
   * @param {string} coding of Content-Encoding
   * @param {Buffer} encoded valid until the next read
   * @throws {import('../core/errors').ProtocolError}
   */
  decode (step, coding, encoded) {
    const { recorder } = this
    const last = this.last.get(step)
    const isSame = last !== undefined && last.coding === coding && last.encoded.equals(encoded)
    const decoded = isSame ? last.decoded : new Decoded(decodeAll(coding, encoded))
    if (!isSame) this.keep(step, new Last(coding, Buffer.from(encoded), decoded), last === undefined ? 0 : last.size)
    recorder.decodings++
    recorder.encodedBytes += encoded.length
    recorder.decodedBytes += decoded.bytes.length
    return decoded
  }

  /** @param {object} step @param {Last} last @param {number} freed the size of the replaced one */
  keep (step, last, freed) {
    const room = this.room + freed - last.size
    if (room < 0) return
    this.room = room
    this.last.set(step, last)
  }

  /**
   * @param {string | null} request the name of the one that is completed
   * @returns {import('../instruments/checks/record').CheckTally} how often that could be done
   */
  tally (request) {
    return this.recorder.instruments.checks.of('content-encoding', request)
  }
}

module.exports = { Decoder }
