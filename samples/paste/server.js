'use strict'

// The server of the sample: it keeps pastes that it can't read, as PrivateBin does. POST / stores one, and GET /?ID returns
// it. It refuses what is not in version 2 of the format. It listens on PORT.

const http = require('node:http')
const { randomBytes } = require('node:crypto')

/** @type {Map<string, object>} */
const pastes = new Map()

/** @param {any} paste */
function isPaste ({ v, adata, ct, meta }) {
  const [[iv, salt, iterations, keySize, tagSize, algorithm, mode]] = adata
  const sizes = [iv, salt].map(text => Buffer.from(text, 'base64').length)
  return v === 2 && sizes[0] === 16 && sizes[1] === 8 && iterations >= 100_000 && keySize === 256 && tagSize === 128 &&
    algorithm === 'aes' && mode === 'gcm' && Buffer.from(ct, 'base64').length > 16 && typeof meta.expire === 'string'
}

/** @type {(method: string, id: string, text: string) => object} */
function answer (method, id, text) {
  if (method === 'GET') {
    const paste = pastes.get(id)
    return paste === undefined ? { status: 1, message: 'Paste does not exist' } : { status: 0, id, ...paste }
  }
  const paste = JSON.parse(text)
  if (!isPaste(paste)) return { status: 1, message: 'Invalid data' }
  const made = randomBytes(8).toString('hex')
  pastes.set(made, paste)
  return { status: 0, id: made, url: `/?${made}`, deletetoken: randomBytes(32).toString('hex') }
}

const server = http.createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', more => { text += more }).on('end', () => {
    const { method, url, headers } = request
    if (headers['x-requested-with'] !== 'JSONHttpRequest') return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Paste</h1>')
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(method, url.slice(2), text)))
  })
})

server.listen(process.env.PORT ?? 0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
