'use strict'

// WebSocket for user functions: each connection is opened once, with its own headers, and delivers unsolicited messages
// to its function.

const { createHash } = require('node:crypto')
const { isRecord, show } = require('../../core/foreign-text')
const { ByRequest } = require('./by-request')
const { NO_STATUS, errorOfClose, isValidCloseCode } = require('./close-codes')
const { parseOffer } = require('./deflate')
const { plainMessage } = require('./frame-writer')
const { BINARY, MAX_CONTROL, TEXT } = require('./frames')
const { OWN } = require('./handshake')
const { SentKeys } = require('./in-flight')
const { parseMatch } = require('./matchers')
const { Deflated, WebSocketPeer } = require('./peer')
const { Pushed } = require('./pushed')

/** Headers that a handshake does not have. */
const OF_BODIES = ['content-length', 'content-type', 'transfer-encoding', 'accept-encoding']
/** A longer message is identified by its hash, bytes. */
const LONGEST_ID = 100

/**
 * @typedef {import('./by-request').ResponseRule} ResponseRule
 *
 * @typedef {object} Sink receives the messages of a connection
 * @property {(row: number) => ResponseRule} ruleOf
 * @property {(isText: boolean, bytes: Buffer) => any} received creates the argument of the function from a message
 * @property {(isText: boolean) => void} begins called before a message is delivered
 * @property {(message: any) => void} take called with an unsolicited message
 * @property {(row: number) => void} waits called for a row without a message, which an unsolicited message completes
 * @property {(status: number, rawHeaders: string[], protocol: string | null) => void} responded called after the
 *   response to the handshake
 * @property {(code: number, reason: string, error: string) => void} closing called when the server closes the
 *   connection
 * @property {(ms: number) => void} ponged
 * @property {() => import('../peer').EventCounts} eventCounts returns the tally of unsolicited messages
 */

const NEXT = parseMatch('next')
/** Keys are unused: each message has its own rule. */
const NO_KEYS = new SentKeys(NEXT.keyOf)

class FunctionPeer extends WebSocketPeer {
  /**
   * @param {import('../peer').Owner} owner
   * @param {import('../peer').Receiver} receiver
   * @param {import('../peer').InFlight} inFlight
   * @param {import('../peer').Net} net
   * @param {import('./peer').Common} common
   * @param {Sink} sink
   */
  constructor (owner, receiver, inFlight, net, common, sink) {
    super(owner, receiver, inFlight, net, common)
    this.sink = sink
    this.messages = new ByRequest(inFlight, row => sink.ruleOf(row), bytes => sink.received(this.isText, bytes))
    this.isText = true
    this.openedAt = -0
    this.hasResponded = false
  }

  /** @type {WebSocketPeer['read']} */
  read (buf, end, start) {
    const { handshake } = this
    super.read(buf, end, start)
    if (handshake === null || handshake.status === 0 || this.hasResponded) return
    this.hasResponded = true
    this.sink.responded(handshake.status, handshake.rawHeaders, handshake.protocol)
  }

  /** @type {WebSocketPeer['accept']} */
  accept (handshake) {
    super.accept(handshake)
    this.openedAt = this.receiver.readAt
  }

  /** @type {WebSocketPeer['send']} */
  send (bytes, row) {
    if (bytes.length === 0) this.sink.waits(row)
    else super.send(bytes, row)
  }

  /** Completes a row that waits for an unsolicited message. @type {(row: number, message: Buffer) => void} */
  deliver (row, message) {
    this.complete(row, message, 0, message.length, message.length, this.receiver.readAt)
  }

  /** @type {WebSocketPeer['onMessage']} */
  onMessage (isText, bytes, start, end) {
    this.isText = isText
    this.sink.begins(isText)
    super.onMessage(isText, bytes, start, end)
  }

  /** @type {WebSocketPeer['onUnsolicited']} */
  onUnsolicited (bytes, start, end) {
    if (this.pushed === null) {
      this.pushed = new Pushed({ ...this.net, pushed: this.sink.eventCounts() }, this.common)
      this.pushed.open(this.openedAt)
    }
    super.onUnsolicited(bytes, start, end)
    this.sink.take(this.sink.received(this.isText, Buffer.from(bytes.subarray(start, end))))
  }

  /** @type {WebSocketPeer['onClose']} */
  onClose (code, reason) {
    this.sink.closing(code, reason, errorOfClose(code))
    super.onClose(code, reason)
  }

  /** @type {WebSocketPeer['onPong']} */
  onPong (bytes, start, end) {
    const { pingedAt } = this
    super.onPong(bytes, start, end)
    if (pingedAt !== -1 && this.pingedAt === -1) this.sink.ponged(this.receiver.readAt - pingedAt)
  }

  /** Sends a message without a response. @param {Buffer} frame */
  post (frame) {
    this.counts.sent++
    this.put(frame)
  }

  /** Closes the connection for the function, with nothing in flight. @type {(code: number, reason: string) => void} */
  depart (code, reason) {
    if (!this.isOpen || this.stopped) return
    this.pushed?.end(this.net.now(), true)
    this.leave(code, reason)
    this.stopped = true
  }
}

/**
 * @param {unknown} match `next`, `json PATH` or a function of the received message
 * @returns {{ kind: ResponseRule['kind'], keyOf: ResponseRule['keyOf'], matches: any, match: any }}
 * @throws {TypeError}
 */
function readMatch (match) {
  if (typeof match === 'function') return { ...NEXT, kind: 'function', matches: match, match }
  try {
    return { ...parseMatch(match), match }
  } catch {
    throw new TypeError('match: expected \'next\', json and a path such as \'json id\', or a function of the ' +
      `received message, got ${show(match)}`)
  }
}

/**
 * @param {ReturnType<typeof readMatch>} reading
 * @param {Buffer} payload of the sent message
 * @param {(error: unknown) => void} threw called with an exception of its function
 * @returns {ResponseRule}
 * @throws {TypeError}
 */
function ruleFor ({ kind, keyOf, matches, match }, payload, threw) {
  if (kind === 'next') return { kind, keyOf, key: undefined, matches, id: '' }
  if (kind === 'function') {
    const decides = (/** @type {any} */ received) => {
      try {
        return Boolean(matches(received))
      } catch (error) {
        threw(error)
        return true
      }
    }
    return { kind, keyOf, key: undefined, id: `function ${idOf(payload)}`, matches: decides }
  }
  const key = keyOf(payload, 0, payload.length)
  if (key === undefined) {
    throw new TypeError(`match: there is no text or number at the path of ${show(match)} in the message ` +
      `${show(payload.toString('utf8', 0, LONGEST_ID))}, so nothing can respond to it`)
  }
  return { kind, keyOf, key, matches, id: `${match} ${typeof key} ${key}` }
}

/** @param {Buffer} payload */
const idOf = payload => payload.length <= LONGEST_ID
  ? payload.toString('latin1')
  : createHash('sha1').update(payload).digest('base64')

/** @type {(given: ReadonlyArray<readonly [string, string]>) => void} */
function checkHeaders (given) {
  for (const [name] of given) {
    if (!OWN.includes(name.toLowerCase())) continue
    throw new TypeError(`headers: ${show(name)} belongs to the handshake: ` +
      (name.toLowerCase() === 'sec-websocket-protocol' ? 'use subprotocols' : 'omit it'))
  }
}

/**
 * @param {unknown} code
 * @param {unknown} reason
 * @throws {TypeError}
 */
function checkClose (code, reason) {
  if (typeof code !== 'number' || code === NO_STATUS || !isValidCloseCode(code)) {
    throw new TypeError(`close: expected a code such as 1000, or 3000 to 4999, got ${show(code)}`)
  }
  if (typeof reason !== 'string' || Buffer.byteLength(reason) > MAX_CONTROL - 2) {
    throw new TypeError(`close: expected a reason of at most ${MAX_CONTROL - 2} bytes, got ${show(reason)}`)
  }
}

/**
 * @param {unknown} given a text, bytes, or an object or array that is sent as JSON
 * @returns {{ frame: Buffer, payload: Buffer }}
 * @throws {TypeError}
 */
function messageOf (given) {
  const bytes = given instanceof ArrayBuffer ? new Uint8Array(given) : given
  const isBytes = ArrayBuffer.isView(bytes)
  const payload = isBytes
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(typeof given === 'string' ? given : jsonOf(given))
  return { frame: plainMessage(isBytes ? BINARY : TEXT, payload), payload }
}

/** @param {unknown} given */
function jsonOf (given) {
  const text = isRecord(given) || Array.isArray(given) ? JSON.stringify(given) : undefined
  if (text === undefined) throw new TypeError(`expected a text, bytes or an object as the message, got ${show(given)}`)
  return text
}

/** @param {import('../../options/plan').Plan} plan */
function functionSockets ({ stream }) {
  const deflates = new Deflated()
  return {
    alpn: ['http/1.1'],
    readMatch, ruleFor, messageOf, checkHeaders, checkClose,
    /**
     * @param {import('./handshake').Wanted} wanted
     * @param {boolean} compressed
     * @param {Sink} sink
     * @returns {import('../peer').MakePeer}
     */
    peer (wanted, compressed, sink) {
      const headers = wanted.headers.filter(([name]) => ![...OWN, ...OF_BODIES].includes(name.toLowerCase()))
      const offer = compressed ? parseOffer() : null
      /** @type {import('./peer').Common} */
      const common = {
        deflates,
        matcher: NEXT,
        sentKeys: NO_KEYS,
        listens: false,
        wantedOf: () => ({ ...wanted, headers, offer }),
        pingMs: null,
        made: 0,
        ageOf: null,
        stallMs: stream?.stallMs ?? Infinity
      }
      return (owner, receiver, inFlight, net) => new FunctionPeer(owner, receiver, inFlight, net, common, sink)
    }
  }
}

module.exports = { functionSockets }
