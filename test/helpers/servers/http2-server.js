'use strict'

// The server's end of HTTP/2 behind a FakeSocket, in the hands of a test: it is written without any part of ours. Header blocks
// of requests are read by hpack.js, with its dynamic table.

const { decompressor } = require('hpack.js')

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/**
 * @param {number} type
 * @param {number} flags
 * @param {number} stream
 * @param {Uint8Array | string} payload
 */
function frame (type, flags, stream, payload = '') {
  const bytes = Buffer.from(payload)
  const head = Buffer.alloc(9)
  head.writeUIntBE(bytes.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}

/** @param {Array<[name: string, value: string]>} fields each as a literal without Huffman code, of up to 126 bytes */
function block (fields) {
  return Buffer.concat(fields.map(([name, value]) => Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)])))
}

class Http2Server {
  constructor (socket) {
    this.socket = socket
    /** Requests in the order in which they came. @type {Array<{ id: number, text: string, fields: Record<string, string> }>} */
    this.requests = []
    /** Those that wait for an answer. */
    this.waiting = []
    this.cancelled = []
    /** Frames that are no request, as [type, flags, stream, payload]. @type {Array<[number, number, number, Buffer]>} */
    this.others = []
    this.rest = Buffer.alloc(0)
    this.decompressor = decompressor.create({ table: { maxSize: 4096 } })
    /** Requests whose body has not ended. */
    this.open = new Map()
  }

  greet (settings = '') {
    this.socket.read(frame(4, 0, 0, settings))
  }

  receive (bytes) {
    this.rest = Buffer.concat([this.rest, bytes])
    if (this.rest.length >= PREFACE.length && this.rest.subarray(0, PREFACE.length).equals(PREFACE)) this.rest = this.rest.subarray(PREFACE.length)
    while (this.rest.length >= 9 && this.rest.length >= 9 + this.rest.readUIntBE(0, 3)) {
      const end = 9 + this.rest.readUIntBE(0, 3)
      this.take(this.rest[3], this.rest[4], this.rest.readUInt32BE(5), Buffer.from(this.rest.subarray(9, end)))
      this.rest = this.rest.subarray(end)
    }
  }

  take (type, flags, stream, payload) {
    if (type === 1 || type === 9) {
      this.decompressor.write(payload)
      if ((flags & 4) !== 0) this.decompressor.execute()
      const fields = this.open.get(stream)?.fields ?? {}
      for (let field; (field = this.decompressor.read()) !== null;) fields[field.name] = field.value
      const ends = this.open.get(stream)?.ends || (flags & 1) !== 0
      this.open.set(stream, { fields, body: '', ends })
      if ((flags & 4) !== 0 && ends) this.ask(stream)
    } else if (type === 0) {
      const asked = this.open.get(stream)
      asked.body += payload.toString('latin1')
      if ((flags & 1) !== 0) this.ask(stream)
    } else {
      if (type === 3) {
        this.cancelled.push(this.requests.find(({ id }) => id === stream))
        this.waiting = this.waiting.filter(({ id }) => id !== stream)
      }
      this.others.push([type, flags, stream, payload])
    }
  }

  ask (id) {
    const { fields, body } = this.open.get(id)
    const request = { id, text: `${fields[':method']} ${fields[':path']} ${body}`, fields, begun: false }
    this.open.delete(id)
    this.requests.push(request)
    this.waiting.push(request)
  }

  /** @returns {Buffer} the head of an answer, and a part of its body */
  begin (request, body = '', { status = 200, headers = ['X-Of', request.text] } = {}) {
    request.begun = true
    return Buffer.concat([frame(1, 4, request.id, block([[':status', String(status)], [headers[0].toLowerCase(), headers[1].trim()]])), ...body === '' ? [] : [frame(0, 0, request.id, body)]])
  }

  /** @returns {Buffer} the rest of it */
  end (request, body = '') {
    this.waiting = this.waiting.filter(one => one !== request)
    return frame(0, 1, request.id, body)
  }
}

module.exports = { Http2Server, block, frame }
