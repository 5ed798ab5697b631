'use strict'

// Serializes a request (RFC 9112 §3): one Host, one Connection, one Content-Length. Headers of the user override ours.

/** Methods that define a body: without one, they have a length of 0 (RFC 9110 §8.6). */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])

/** The headers that decide about additions, each as a bit. @type {Readonly<Record<string, number>>} */
const BITS = Object.freeze({
  host: 1, connection: 2, authorization: 4, 'content-length': 8, 'transfer-encoding': 16, 'proxy-authorization': 32
})
/** By their lengths, which no two of them share. @type {ReadonlyArray<string | undefined>} */
const BY_LENGTH = Array.from({ length: 20 }, (_, length) => Object.keys(BITS).find(name => name.length === length))

/** @type {(name: string) => number} */
function bitOf (name) {
  const one = BY_LENGTH[name.length]
  return one !== undefined && (name === one || name.toLowerCase() === one) ? BITS[one] : 0
}

/**
 * @param {import('../requests/request').Request} request
 * @param {Pick<import('../requests/target').Target, 'authority' | 'authorization' | 'path'>} target
 * @param {((length: number, radix: number) => string) | undefined} [writeLength] returns the text for the length of the
 *   body
 * @param {{ authorization: string | null } | null} [proxy] that takes the request
 * @returns {Buffer}
 */
function serialize (
  { method, path, headers, body }, { authority, authorization, path: ownPath },
  writeLength = (length, radix) => length.toString(radix), proxy = null
) {
  let given = 0
  let fields = ''
  // By index and without taking pairs apart, which is 0.05 µs less for each request of a user function.
  for (let i = 0; i < headers.length; i++) {
    const header = headers[i]
    given |= bitOf(header[0])
    fields += `${header[0]}: ${header[1]}\r\n`
  }
  const sentPath = escapePath(path ?? ownPath)
  let head = `${method} ${proxy === null ? sentPath : absoluteForm(sentPath, authority)} HTTP/1.1\r\n`
  if ((given & BITS.host) === 0) head += `Host: ${authority}\r\n`
  if ((given & BITS.connection) === 0) head += 'Connection: keep-alive\r\n'
  if (authorization !== undefined && (given & BITS.authorization) === 0) head += `Authorization: ${authorization}\r\n`
  if (proxy !== null && proxy.authorization !== null && (given & BITS['proxy-authorization']) === 0) {
    head += `Proxy-Authorization: ${proxy.authorization}\r\n`
  }
  head += fields
  if ((given & BITS['transfer-encoding']) !== 0) {
    return Buffer.concat([Buffer.from(head + '\r\n'), inChunks(body, writeLength)])
  }
  if ((given & BITS['content-length']) === 0 && (body !== null || EXPECTS_BODY.has(method))) {
    const length = body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length
    head += `Content-Length: ${writeLength(length, 10)}\r\n`
  }
  return body === null || typeof body === 'string'
    ? Buffer.from(`${head}\r\n${body ?? ''}`)
    : Buffer.concat([Buffer.from(head + '\r\n'), body])
}

/**
 * A message has one framing (RFC 9112 §6.2): with chunked, the body is one chunk.
 * @param {string | Uint8Array | null} body
 * @param {(length: number, radix: number) => string} writeLength
 */
function inChunks (body, writeLength) {
  const content = typeof body === 'string' ? Buffer.from(body) : body
  return content === null || content.length === 0
    ? Buffer.from('0\r\n\r\n')
    : Buffer.concat([Buffer.from(writeLength(content.length, 16) + '\r\n'), content, Buffer.from('\r\n0\r\n\r\n')])
}

/**
 * The target of a request to a proxy (RFC 9112 §3.2.2); `OPTIONS *` has no path there (§3.2.4).
 * @param {string} path or a whole URL
 * @param {string} authority
 */
function absoluteForm (path, authority) {
  return path.startsWith('/') ? `http://${authority}${path}` : path === '*' ? `http://${authority}` : path
}

/**
 * Percent-encodes characters that a request target can't contain; all else, `%` included, is sent as given.
 * @param {string} path
 */
function escapePath (path) {
  if (!/[^\x21-\x7e]/.test(path)) return path
  // By way of a Buffer, which replaces the half of a surrogate pair; encodeURIComponent throws.
  return path.replace(/[^\x21-\x7e]+/g, text => encodeURIComponent(Buffer.from(text).toString()))
}

/**
 * The sent request, with the values that only its bytes have.
 * @param {Buffer} bytes that `serialize` has made
 * @param {import('../requests/request').Request} request of which it was made: added fields are left out
 * @returns {import('../requests/request').Request}
 */
function deserialize (bytes, { method, path, headers, body }) {
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  const end = bytes.indexOf('\r\n\r\n')
  const [line, ...fields] = bytes.toString('utf8', 0, end).split('\r\n')
  const pairs = fields.map(field => {
    const colon = field.indexOf(':')
    return /** @type {const} */ ([field.slice(0, colon), field.slice(colon + 2)])
  })
  const content = bytes.subarray(end + 4)
  const sentPath = line.slice(method.length + 1, line.lastIndexOf(' '))
  return {
    method,
    // The origin comes before it in a request to a proxy, unless the request has a whole URL itself.
    path: path !== null && /^\w+:/.test(path) ? sentPath : sentPath.replace(/^http:\/\/[^/]*(?=\/)/, ''),
    headers: pairs.filter(([name]) => given.has(name.toLowerCase())),
    body: body === null ? null : given.has('transfer-encoding') ? unchunked(content) : content
  }
}

/** @param {Buffer} content one chunk and the last one, or the last one alone */
function unchunked (content) {
  const start = content.indexOf('\r\n') + 2
  return content.subarray(start, Math.max(start, content.length - '\r\n0\r\n\r\n'.length))
}

module.exports = { deserialize, escapePath, serialize }
