'use strict'

// Serializes a request (RFC 9112 §3): one Host, one Connection, one Content-Length. Headers of the user override ours.

const NO_BYTES = new Uint8Array(0)

/** Methods that give a body a meaning: without one, they say so with a length of 0 (RFC 9110 §8.6). */
const EXPECTS_BODY = new Set(['POST', 'PUT', 'PATCH'])

/**
 * @param {import('../requests/request').Request} request
 * @param {Pick<import('../requests/target').Target, 'authority' | 'authorization' | 'path'>} target
 * @param {((length: number, radix: number) => string) | undefined} [tellLength] what is written for the length of the
 *   body
 * @param {{ authorization: string | null } | null} [proxy] that takes the request
 * @returns {Buffer}
 */
function serialize (
  { method, path, headers, body }, { authority, authorization, path: ownPath },
  tellLength = (length, radix) => length.toString(radix), proxy = null
) {
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  const asked = escapePath(path ?? ownPath)
  const lines = [`${method} ${proxy === null ? asked : absoluteForm(asked, authority)} HTTP/1.1`]
  if (!given.has('host')) lines.push(`Host: ${authority}`)
  if (!given.has('connection')) lines.push('Connection: keep-alive')
  if (authorization !== undefined && !given.has('authorization')) lines.push(`Authorization: ${authorization}`)
  if (proxy !== null && proxy.authorization !== null && !given.has('proxy-authorization')) {
    lines.push(`Proxy-Authorization: ${proxy.authorization}`)
  }
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  let content = body === null ? NO_BYTES : typeof body === 'string' ? Buffer.from(body) : body
  if (given.has('transfer-encoding')) {
    // A message has one framing (RFC 9112 §6.2): who asks for chunks gets the body as one.
    content = Buffer.concat(content.length === 0
      ? [Buffer.from('0\r\n\r\n')]
      : [Buffer.from(tellLength(content.length, 16) + '\r\n'), content, Buffer.from('\r\n0\r\n\r\n')])
  } else if (!given.has('content-length') && (body !== null || EXPECTS_BODY.has(method))) {
    lines.push(`Content-Length: ${tellLength(content.length, 10)}`)
  }
  const head = Buffer.from(lines.join('\r\n') + '\r\n\r\n')
  return content.length === 0 ? head : Buffer.concat([head, content])
}

/**
 * What a proxy is asked for (RFC 9112 §3.2.2); `OPTIONS *` has no path there (§3.2.4).
 * @param {string} path or a whole URL
 * @param {string} authority
 */
function absoluteForm (path, authority) {
  return path.startsWith('/') ? `http://${authority}${path}` : path === '*' ? `http://${authority}` : path
}

/**
 * Percent-encodes what can't stand in a request target; all else, `%` included, is sent as given.
 * @param {string} path
 */
function escapePath (path) {
  // By way of a Buffer, which replaces the half of a surrogate pair; encodeURIComponent throws.
  return path.replace(/[^\x21-\x7e]+/g, text => encodeURIComponent(Buffer.from(text).toString()))
}

/**
 * What was sent, with the values that only its bytes have.
 * @param {Buffer} bytes that `serialize` has made
 * @param {import('../requests/request').Request} request of which it has made them: what it added itself is left out
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
  const asked = line.slice(method.length + 1, line.lastIndexOf(' '))
  return {
    method,
    // In front of it stands the origin where a proxy was asked, and the request was not for a whole URL itself.
    path: path !== null && /^\w+:/.test(path) ? asked : asked.replace(/^http:\/\/[^/]*(?=\/)/, ''),
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
