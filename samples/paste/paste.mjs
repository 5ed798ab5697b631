// Users of a paste server that cannot read their texts: a text is encrypted before it is sent and decrypted after it is
// read, as in the browser. The format is version 2 of PrivateBin: AES-256-GCM with a key from PBKDF2. Run it with
//
//   autocannon run samples/paste/paste.mjs --on-port / -- node samples/paste/server.js

import { getRandomValues, webcrypto } from 'node:crypto'

export const options = {
  connections: 10,
  amount: '20 iterations',
  headers: { 'x-requested-with': 'JSONHttpRequest' },
  thresholds: ['create: p95 < 1s', 'read: p95 < 1s', 'checks > 99%', 'iterations: completed > 99%']
}

const ITERATIONS = 100_000
const base64 = bytes => Buffer.from(bytes).toString('base64')

/** The parameters of `encrypt()` and `decrypt()`, and the key. They run in the thread pool of Node.js, not on the event loop. */
async function cipherOf (secret, adata) {
  const [iv, salt] = adata[0].map(text => Buffer.from(String(text), 'base64'))
  const material = await webcrypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveKey'])
  const derivation = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS }
  const key = await webcrypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  return [{ name: 'AES-GCM', iv, additionalData: Buffer.from(JSON.stringify(adata)), tagLength: 128 }, key]
}

export default async function paste ({ http, pause, check, random }) {
  const text = `${'All work and no play. '.repeat(random.int(1, 100))}${random()}`
  const secret = getRandomValues(new Uint8Array(32))
  const [iv, salt] = [16, 8].map(size => base64(getRandomValues(new Uint8Array(size))))
  const adata = [[iv, salt, ITERATIONS, 256, 128, 'aes', 'gcm', 'none'], 'plaintext', 0, 0]
  const ct = await webcrypto.subtle.encrypt(...await cipherOf(secret, adata), Buffer.from(JSON.stringify({ paste: text })))

  const json = { v: 2, adata, ct: base64(ct), meta: { expire: '5min' } }
  const created = await http.post('/', { json, name: 'create' })
  if (!check(created, { 'is created': response => response.json('status') === 0 })) return
  await pause('50ms', '200ms')

  const stored = (await http.get(`/?${created.json('id')}`, { name: 'read' })).json()
  const clear = await webcrypto.subtle.decrypt(...await cipherOf(secret, stored.adata), Buffer.from(stored.ct, 'base64'))
  check(JSON.parse(Buffer.from(clear).toString()), { 'is what was written': ({ paste }) => paste === text })
}
