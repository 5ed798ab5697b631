'use strict'

// Sends a list of requests: it selects the next one, and encodes it when it is sent. Encoding a million URLs of 30
// bytes in advance would add heads of 80 bytes each.

const { AutocannonError } = require('../core/errors')
const { Layout } = require('../target-files/layout')
const { Own } = require('../templates/own')
const { NO_MORE } = require('./sequence')
const { ListReader } = require('../target-files/target-list')
const { Template, compileRequest } = require('../templates/template')

/** The size of the buffer for requests of all connections: one allocation for about 800 requests, bytes. */
const SLAB = 64 * 1024

/**
 * @typedef {import('./compiled-scenario').CompiledStep} CompiledStep
 * @typedef {import('../requests/request').Request} Request
 * @typedef {import('./sequence').Source} Source
 *
 * @typedef {object} ListMeans
 * @property {import('../target-files/target-list').TargetList & { names: Uint8Array | null }} list
 * @property {Request} defaults of an entry
 * @property {ReadonlyArray<import('../requests/target').Target>} targets by origin
 * @property {import('./compiled-scenario').Means} means
 * @property {(shape: number, name: number) => { target: import('../requests/target').Target, request: Request,
 *   inspector: any }} describe returns the step properties of requests with that shape and name
 */

/** The requests of a list, for all connections of a load generator. */
class ListedRequests {
  /** @param {ListMeans} given */
  constructor ({ list, defaults, targets, means, describe }) {
    this.list = list
    this.names = list.names
    this.defaults = defaults
    this.targets = targets
    this.means = means
    this.describe = describe
    this.reader = new ListReader(list)
    this.layouts = list.shapes.map(shape => new Layout(shape, defaults, targets[shape.origin], means.encode))
    /** @type {CompiledStep[][]} by name and shape, created on first use */
    this.steps = []
    /** @type {Buffer} */
    this.slab = Buffer.alloc(0)
    this.used = 0
    /** The start of the current write in the slab. */
    this.start = 0
  }

  /**
   * Returns the shared step of requests with this shape and name.
   * @type {(shape: number, entry: number) => CompiledStep}
   */
  stepOf (shape, entry) {
    const name = this.names === null ? 0 : this.names[entry]
    const steps = this.steps[name] ??= []
    steps[shape] ??= {
      index: entry, setupRequest: undefined, onResponse: undefined, method: this.layouts[shape].method, bytes: null,
      template: null, pause: 0, pauses: null, retries: null, templates: null, given: null, expected: null, listed: this,
      keepsBody: false, isStream: true, scenario: null, bodyOf: null, ...this.describe(shape, name)
    }
    return steps[shape]
  }

  /**
   * Writes the next request into the slab.
   * @param {number} entry
   * @param {boolean} isFirst whether it is the first of a write; the others need room in the same slab
   * @returns {boolean} false when the slab has no room
   */
  write (entry, isFirst) {
    const { reader } = this
    reader.read(entry)
    const layout = this.layouts[reader.shape]
    const { finish } = this.means
    const whole = finish ? finish(this.draft(layout)) : null
    const size = whole === null ? layout.sizeOf(reader) : whole.length
    if (this.used + size > this.slab.length) {
      if (!isFirst) return false
      // A new slab, because sockets may still have to write the earlier bytes.
      this.slab = Buffer.allocUnsafeSlow(Math.max(SLAB, size))
      this.used = 0
    }
    if (isFirst) this.start = this.used
    this.used = whole === null
      ? layout.write(reader, this.slab, this.used)
      : this.used + whole.copy(this.slab, this.used)
    return true
  }

  /**
   * @param {Layout} layout of the last read entry
   * @returns {Buffer} its request as a draft
   */
  draft (layout) {
    const { reader } = this
    const bytes = Buffer.allocUnsafe(layout.sizeOf(reader))
    return bytes.subarray(0, layout.write(reader, bytes, 0))
  }

  /** @param {number} entry */
  requestOf (entry) {
    return this.reader.request(entry, this.defaults)
  }

  /** Returns its sent bytes. @type {(entry: number) => Buffer} */
  bytesOf (entry) {
    const { reader, means: { finish } } = this
    reader.read(entry)
    const draft = this.draft(this.layouts[reader.shape])
    return finish ? finish(draft) : draft
  }
}

/** @implements {Source} */
class Listed {
  /**
   * @param {ListedRequests} requests
   * @param {import('../requests/picks').Cursor} cursor shared by all connections to this origin
   * @param {import('../requests/target').Target} target
   */
  constructor (requests, cursor, target) {
    this.requests = requests
    this.cursor = cursor
    this.target = target
    this.maxRun = requests.means.pipelining
    /** @type {Buffer} */
    this.bytes = requests.slab
    this.readyAt = -Infinity
  }

  /** @type {(n: number, rows: import('./sequence').Rows) => number} */
  next (n, rows) {
    const { requests, cursor } = this
    let row = rows.free
    let sent = 0
    while (sent < n && cursor.next !== -1) {
      const entry = cursor.next
      if (!requests.write(entry, sent === 0)) break
      rows.steps[row] = requests.stepOf(requests.reader.shape, entry)
      rows.entries[row] = entry
      row = rows.following(row)
      cursor.advance()
      sent++
    }
    if (sent === 0) return NO_MORE
    this.bytes = requests.slab.subarray(requests.start, requests.used)
    return sent
  }

  /**
   * @returns {never} the next request of this connection is unknown
   * @throws {AutocannonError}
   */
  get current () {
    throw new AutocannonError('AC_TARGETS_CLIENT')
  }

  edit () {
    return this.current
  }
}

/** Builds each request when it is sent, because its tags need new values. */
class ListedWithIds extends Listed {
  /**
   * @param {ListedRequests} requests
   * @param {import('../requests/picks').Cursor} cursor
   * @param {import('../requests/target').Target} target
   */
  constructor (requests, cursor, target) {
    super(requests, cursor, target)
    this.own = new Own({})
  }

  /** @type {(n: number, rows: import('./sequence').Rows) => number} */
  next (n, rows) {
    const { requests, cursor, target } = this
    const { means } = requests
    const all = []
    for (let row = rows.free; all.length < n && cursor.next !== -1; row = rows.following(row)) {
      const entry = cursor.next
      const request = requests.requestOf(entry)
      // The path comes from a parsed URL, in which tags are percent-encoded.
      const made = compileRequest(
        { ...request, path: null }, { ...target, path: /** @type {string} */ (request.path) }, means
      )
      const bytes = made instanceof Template ? made.fill(this.own) : made
      rows.write(row, requests.stepOf(requests.reader.shape, entry), {}, request, bytes)
      all.push(bytes)
      cursor.advance()
    }
    if (all.length === 0) return NO_MORE
    this.bytes = all.length === 1 ? all[0] : Buffer.concat(all)
    return all.length
  }
}

module.exports = { Listed, ListedRequests, ListedWithIds }
