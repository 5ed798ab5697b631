'use strict'

// Builds frames as a server sends them, right ones and wrong ones; and reads bytes in all ways in which reads can cut them.

const { createHash } = require('node:crypto')
const { FrameReader } = require('../../../lib/protocols/websocket/frame-reader')

/**
 * @param {number} opcode
 * @param {string | Buffer} [payload]
 * @param {{ fin?: boolean, rsv?: number, form?: 2 | 8, length?: number, key?: number[] }} [how] `form`: bytes of the length, where it is not the
 *   shortest one; `length`: what is announced; `key`: masked with that
 */
function frame (opcode, payload = '', { fin = true, rsv = 0, form, length, key } = {}) {
  const bytes = Buffer.from(payload)
  const announced = length ?? bytes.length
  const first = (fin ? 128 : 0) | rsv << 4 | opcode
  const mask = key === undefined ? 0 : 128
  const masked = key === undefined ? bytes : Buffer.from(bytes.map((byte, i) => byte ^ key[i % 4]))
  const tail = Buffer.concat([Buffer.from(key ?? []), masked])
  const bytesOfLength = form ?? (announced < 126 ? 0 : announced < 65536 ? 2 : 8)
  if (bytesOfLength === 0) return Buffer.concat([Buffer.from([first, mask | announced]), tail])
  const head = Buffer.alloc(2 + bytesOfLength)
  head[0] = first
  head[1] = mask | (bytesOfLength === 2 ? 126 : 127)
  if (bytesOfLength === 2) head.writeUInt16BE(announced, 2)
  else head.writeBigUInt64BE(BigInt(announced), 2)
  return Buffer.concat([head, tail])
}

const text = (payload, how) => frame(1, payload, how)
const binary = (payload, how) => frame(2, payload, how)
const more = (payload, how) => frame(0, payload, how)
const ping = (payload, how) => frame(9, payload, how)
const pong = (payload, how) => frame(10, payload, how)
/** A message in several frames. @type {(opcode: number, parts: Array<string | Buffer>) => Buffer[]} */
const fragments = (opcode, parts) => parts.map((part, i) => frame(i === 0 ? opcode : 0, part, { fin: i === parts.length - 1 }))
/** @param {number | Buffer} [code] none for a frame without one */
function close (code, reason = '') {
  if (code === undefined) return frame(8)
  const head = Buffer.alloc(2)
  head.writeUInt16BE(/** @type {number} */ (code))
  return frame(8, Buffer.concat([head, Buffer.from(reason)]))
}

/** Bytes that may be many. @type {(bytes: Buffer, encoding: BufferEncoding) => string} */
function shown (bytes, encoding) {
  if (bytes.length <= 200) return bytes.toString(encoding)
  return `${bytes.length} × ${bytes.equals(Buffer.alloc(bytes.length, bytes[0])) ? bytes[0] : createHash('md5').update(bytes).digest('hex')}`
}

/**
 * @param {Buffer} bytes
 * @param {number[]} cuts
 * @param {{ maxSize?: number, inflater?: import('../../../lib/protocols/websocket/deflate').Inflater | null, sizes?: boolean, say?: typeof shown }} [options]
 * @returns {string[]} what a reader reports of bytes that come in several reads, each in a buffer whose rest is stale
 */
function tell (bytes, cuts, { maxSize, inflater = null, sizes = false, say = shown } = {}) {
  /** @type {string[]} */
  const events = []
  const reader = new FrameReader({
    onMessage (isText, buf, start, end) {
      const part = Buffer.from(buf.subarray(start, end))
      events.push(`${isText ? 'text' : 'binary'} ${say(part, isText ? 'utf8' : 'hex')}${sizes ? ` of ${reader.size}` : ''}`)
    },
    onPing: (buf, start, end) => events.push(`ping ${say(buf.subarray(start, end), 'hex')}`),
    onPong: (buf, start, end) => events.push(`pong ${say(buf.subarray(start, end), 'hex')}`),
    onClose: (code, reason) => events.push(`close ${code} ${say(Buffer.from(reason), 'utf8')}`),
    onError: error => events.push(`error ${error.code}`)
  }, maxSize)
  reader.reset(inflater)
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    // A ping where more of a frame may be expected.
    const read = Buffer.concat([Buffer.from([0x89, 0]), bytes.subarray(from, to), Buffer.from([0x89, 0, 0x89, 0])])
    reader.read(read, 2, 2 + to - from)
    from = to
  }
  if (reader.inside) events.push('inside')
  return events
}

/** Every place to cut; of many bytes, those near both ends. @type {(length: number) => number[]} */
function offsets (length) {
  const all = Array.from({ length: Math.max(0, length - 1) }, (_, i) => i + 1)
  return length < 1200 ? all : all.filter(i => i < 30 || i > length - 30 || i % Math.ceil(length / 20) === 0)
}

/**
 * @param {Buffer} bytes
 * @param {string[]} wanted
 * @param {() => object} [options]
 * @returns {object[]} each way of reading them that reports something else; at most three
 */
function differences (bytes, wanted, options = () => ({})) {
  /** @type {object[]} */
  const found = []
  /** @type {(how: string, cuts: number[]) => void} */
  const check = (how, cuts) => {
    const told = tell(bytes, cuts, options())
    if (found.length < 3 && told.join('\n') !== wanted.join('\n')) found.push({ how, told, wanted })
  }
  const single = offsets(bytes.length)
  check('whole', [])
  check('byte by byte', single)
  for (const offset of single) check(`cut at ${offset}`, [offset])
  for (let i = 1; i < single.length; i++) check(`a byte alone at ${single[i - 1]}`, [single[i - 1], single[i]])
  return found
}

module.exports = { binary, close, differences, fragments, frame, more, ping, pong, shown, tell, text }
