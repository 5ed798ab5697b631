'use strict'

// A toy protocol that does what HTTP/1 can't: answers overtake each other, their bodies are interleaved, and one request
// can be cancelled alone. Frames are `<kind> <id> <length>\n<bytes>`: R (a request) and C (it is cancelled) one way, H (status and
// headers as JSON), B (a piece of the body) and E (its end) the other.

const { ProtocolError } = require('../../../lib/core/errors')
const { SocketPeer } = require('../../../lib/protocols/peer')

/** What is read lies here until the next read, of whatever connection: who needs it longer has to copy it. */
const scratch = Buffer.alloc(1024 * 1024)

/** @returns {Buffer} */
const frame = (kind, id, bytes = '') => Buffer.concat([Buffer.from(`${kind} ${id} ${Buffer.byteLength(bytes)}\n`), Buffer.from(bytes)])

/**
 * @param {Buffer} bytes
 * @returns {{ frames: Array<{ kind: string, id: number, start: number, end: number }>, end: number }} the whole ones, and where they end
 * @throws {ProtocolError}
 */
function framesIn (bytes) {
  const frames = []
  let end = 0
  for (let line; (line = bytes.indexOf('\n', end)) !== -1;) {
    const [, kind, id, length] = /^([RCHBE]) (\d+) (\d+)$/.exec(bytes.toString('latin1', end, line)) ?? []
    if (kind === undefined) throw new ProtocolError('AC_STATUS_LINE')
    const start = line + 1
    if (bytes.length < start + Number(length)) break
    end = start + Number(length)
    frames.push({ kind, id: Number(id), start, end })
  }
  return { frames, end }
}

class OvertakingPeer extends SocketPeer {
  constructor (...given) {
    super(...given)
    this.nextId = 1
  }

  open (target) {
    this.error = null
    this.stopped = false
    this.rest = Buffer.alloc(0)
    /** What is in flight, by id. @type {Map<number, { row: number, status: number, size: number, begunAt: number, wanted: boolean }>} */
    this.answers = new Map()
    this.cancelled = new Set()
    super.open(target)
  }

  greet () {
    if (this.stopped) this.owner.closed(this.error)
    else this.owner.opened()
  }

  flush () {}

  readIdle () {
    return false
  }

  untouched () {
    return false
  }

  send (bytes, row) {
    this.answers.set(this.nextId, { row, status: 0, size: 0, begunAt: 0, wanted: false })
    if (!this.socket.write(frame('R', this.nextId++, bytes))) this.stall()
  }

  read (buffer, size) {
    const length = this.rest.copy(scratch) + buffer.copy(scratch, this.rest.length, 0, size)
    try {
      const { frames, end } = framesIn(scratch.subarray(0, length))
      this.rest = Buffer.from(scratch.subarray(end, length))
      for (const one of frames) if (!this.stopped) this.tell(one)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.error = error
      this.stopped = true
    }
  }

  tell ({ kind, id, start, end }) {
    const { receiver } = this
    const answer = this.answers.get(id)
    if (answer === undefined) {
      if (this.cancelled.has(id)) return
      throw new ProtocolError('AC_UNREQUESTED')
    }
    answer.size += end - start
    if (kind === 'H') {
      const { status, headers } = JSON.parse(scratch.toString('utf8', start, end))
      Object.assign(answer, { status, begunAt: receiver.readAt })
      const head = { status, rawHeaders: () => headers, statusLine: { statusMessage: '', versionMajor: 0, versionMinor: 1 }, keep () {} }
      answer.wanted = receiver.looks && receiver.onHead(answer.row, head)
    } else if (kind === 'B') {
      if (answer.wanted) receiver.onBody(answer.row, scratch, start, end)
    } else {
      this.answers.delete(id)
      receiver.onComplete(answer.row, answer.status, answer.size, answer.begunAt)
    }
  }

  hasBegun (row) {
    return [...this.answers.values()].some(answer => answer.row === row && answer.status > 0)
  }

  cancel (row) {
    for (const [id, answer] of this.answers) {
      if (answer.row !== row) continue
      this.answers.delete(id)
      this.cancelled.add(id)
      this.socket.write(frame('C', id))
    }
    return true
  }

  finish () {}

  close () {
    this.stopped = true
    super.close()
  }
}

/** The server's end of it, behind a FakeSocket. */
class OvertakingServer {
  constructor (socket) {
    this.socket = socket
    /** Requests in the order in which they came; `text` is what was encoded. @type {Array<{ id: number, text: string }>} */
    this.requests = []
    /** Those that wait for an answer. */
    this.waiting = []
    this.cancelled = []
  }

  receive (bytes) {
    for (const { kind, id, start, end } of framesIn(bytes).frames) {
      if (kind === 'C') {
        this.cancelled.push(this.requests.find(request => request.id === id))
        this.waiting = this.waiting.filter(request => request.id !== id)
      } else {
        const request = { id, text: bytes.toString('utf8', start, end), begun: false }
        this.requests.push(request)
        this.waiting.push(request)
      }
    }
  }

  /** @returns {Buffer} the head of an answer, and a part of its body */
  begin (request, body = '', { status = 200, headers = ['X-Of', request.text] } = {}) {
    request.begun = true
    return Buffer.concat([frame('H', request.id, JSON.stringify({ status, headers })), frame('B', request.id, body)])
  }

  /** @returns {Buffer} the rest of it */
  end (request, body = '') {
    this.waiting = this.waiting.filter(one => one !== request)
    return Buffer.concat([frame('B', request.id, body), frame('E', request.id)])
  }
}

const overtaking = {
  encode: ({ method, path, body }, target) => Buffer.from(`${method} ${path ?? target.path} ${body ?? ''}`),
  joins: false,
  peer: (...given) => new OvertakingPeer(...given)
}

module.exports = { overtaking, OvertakingServer }
