'use strict'

// Decodes the compressed body of a stream synchronously, so that each event has the arrival time of the bytes that
// completed it. A stream of node:zlib would deliver it later from its thread pool.

const zlib = require('node:zlib')
const { ProtocolError } = require('../core/errors')
const { ACCEPTED_IN_STREAMS, codingsOf, hasZlibHead, isFollowed } = require('../requests/content-coding')

/** The number of bytes to decode at a time. Of gzip they expand to at most 4 MiB. */
const SLICE = 4096
/** The limit of a decoded slice. */
const MOST_MIB = 16

const { Z_SYNC_FLUSH, Z_FINISH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_FINISH } = zlib.constants
const NO_BYTES = Buffer.alloc(0)

/** Ignores emitted errors, because the call also throws them. */
const ignore = () => {}

const OPTIONS = { maxOutputLength: MOST_MIB * 1024 * 1024, chunkSize: 16 * 1024 }

/** @type {Readonly<Record<string, (first: number) => any>>} by the first byte */
const ENGINES = Object.freeze({
  gzip: () => zlib.createGunzip(OPTIONS),
  'x-gzip': () => zlib.createGunzip(OPTIONS),
  deflate: first => hasZlibHead(first) ? zlib.createInflate(OPTIONS) : zlib.createInflateRaw(OPTIONS),
  br: () => zlib.createBrotliDecompress(OPTIONS),
  zstd: () => /** @type {any} */ (zlib).createZstdDecompress(OPTIONS)
})

class Stage {
  /** @param {string} name one of ENGINES */
  constructor (name) {
    this.name = name
    /** Created at the first byte. @type {any} */
    this.engine = null
    const isBrotli = name === 'br'
    const isZstd = name === 'zstd'
    const { ZSTD_e_flush: zstdFlush, ZSTD_e_end: zstdEnd } = /** @type {any} */ (zlib.constants)
    this.flush = isBrotli ? BROTLI_OPERATION_FLUSH : isZstd ? zstdFlush : Z_SYNC_FLUSH
    this.end = isBrotli ? BROTLI_OPERATION_FINISH : isZstd ? zstdEnd : Z_FINISH
  }

  /**
   * @param {Buffer} bytes
   * @param {boolean} isLast
   * @returns {Buffer}
   * @throws {ProtocolError}
   */
  decode (bytes, isLast) {
    if (this.engine === null) {
      if (bytes.length === 0) return NO_BYTES
      this.engine = ENGINES[this.name](bytes[0]).on('error', ignore)
    }
    const { engine } = this
    const handle = engine._handle
    const { close } = handle
    // The synchronous call is made for whole bodies and closes the handle at its end. minizlib, which npm uses, keeps
    // the handle in the same way.
    handle.close = () => {}
    try {
      const decoded = engine._processChunk(bytes, isLast ? this.end : this.flush)
      if (isFollowed(engine, bytes)) throw new Error('bytes follow its end')
      return decoded
    } catch (error) {
      const { code, message } = /** @type {Error & { code?: string }} */ (error)
      if (code === 'ERR_BUFFER_TOO_LARGE') {
        throw new ProtocolError(
          'AC_DECODED_SIZE', `${bytes.length} bytes of the stream decode to more than ${MOST_MIB} MiB`
        )
      }
      throw new ProtocolError(
        'AC_CONTENT_ENCODING', `the stream does not match Content-Encoding ${this.name}: ${message}`
      )
    } finally {
      handle.close = close
      engine._handle = handle
      // Each call leaves a listener behind, for the same reason.
      engine.removeAllListeners('error').on('error', ignore)
    }
  }

  close () {
    this.engine?.close()
    this.engine = null
  }
}

class StreamDecoder {
  /** @param {string} coding of Content-Encoding, supported by `canDecode` */
  constructor (coding) {
    this.stages = codingsOf(coding).map(name => new Stage(name))
  }

  /**
   * @param {Buffer} bytes
   * @param {number} start
   * @param {number} end
   * @param {(decoded: Buffer) => boolean} take returns whether it needs more
   * @throws {ProtocolError}
   */
  decode (bytes, start, end, take) {
    for (let from = start; from < end; from += SLICE) {
      const decoded = this.through(bytes.subarray(from, Math.min(end, from + SLICE)), false)
      if (decoded.length > 0 && !take(decoded)) return
    }
  }

  /** Ends the body. @returns {Buffer} the rest of it @throws {ProtocolError} if the body is incomplete */
  finish () {
    return this.through(NO_BYTES, true)
  }

  /** @type {(bytes: Buffer, isLast: boolean) => Buffer} */
  through (bytes, isLast) {
    let decoded = bytes
    for (const stage of this.stages) decoded = stage.decode(decoded, isLast)
    return decoded
  }

  close () {
    for (const stage of this.stages) stage.close()
  }
}

/** @type {(coding: string) => boolean} */
function canDecode (coding) {
  const codings = codingsOf(coding)
  return codings.length <= 2 && codings.every(name => ACCEPTED_IN_STREAMS.includes(name))
}

module.exports = { StreamDecoder, canDecode }
