// User functions as a project in strict TypeScript writes them.

import type { Iteration, UserFunction, UserModule } from 'autocannon'

export default async function ({ http, check }: Iteration) {
  const response = await http.get('/')
  check(response, {
    ok: r => r.status === 200,
    named: r => r.json('name'),
    value: response.status === 200,
    data: response.json(),
    list: [1],
    object: { a: 1 },
    match: /a/.exec('a'),
    nothing: null,
    missing: undefined
  })
  // @ts-expect-error there is no such property
  check(response, { wrong: r => r.statuscode === 200 })
}

export const streaming: UserFunction = async ({ http }) => {
  for await (const event of http.stream('/events', { stream: 'sse', idleTimeout: '5s' })) if (event.data === event.json('a')) break
  for await (const bytes of http.stream('/file', { stream: 'chunks' })) bytes.subarray(1)
  for await (const line of http.stream<{ a: number }>('/lines')) line.a.toFixed()
  const stream = await http.stream('/events', { method: 'POST', json: {} })
  for await (const event of stream) if (event.id === '1') await stream.close()
  // @ts-expect-error a stream has no check of a whole response
  http.stream('/events', { check: () => true })
}

export const talking: UserFunction = async ({ ws, check }) => {
  const socket = await ws('/chat', { match: 'json id', subprotocols: ['chat'], timeout: '5s', compressed: true, keep: true, headers: { origin: 'http://x' }, query: { a: 1 }, auth: { bearer: 'x' } })
  const reply = await socket.request({ id: 1 }, { name: 'say', timeout: 1, expect: { json: { ok: true }, maxMs: 100 }, check: r => r.json('ok'), capture: { token: 'json token' } })
  check(reply, { named: r => r.name === 'say', fast: r => r.timings.duration < 100, text: r => r.type === 'text' && r.text() !== '' })
  await socket.request(Buffer.from('a'), { match: received => received.type === 'binary' && received.body.length === 1 })
  await socket.send(new Uint8Array(1))
  for await (const message of socket) if (message.json('items[0].id') === socket.url) break
  const ms: number = await socket.ping()
  await socket.close(1000, `done after ${ms} ms`)
  const code: number | undefined = socket.closed?.code
  const protocol: string | null = socket.protocol
  // @ts-expect-error a message has no status
  await socket.request('a', { expect: { status: code } })
  // @ts-expect-error it is called match
  await ws('/chat', { matching: protocol })
  // @ts-expect-error a number is no message
  await socket.send(7)
  // @ts-expect-error there are no events of k6
  socket.on('message', () => {})
}

export const typed: UserFunction = async ({ http, check }) => {
  check(await http.get('/'), { ok: r => r.status === 200 })
}
export const atOnce: UserFunction = ({ log }) => { log('x') }
export const returning: UserFunction = ({ http }) => http.get('/')
export const last: UserFunction = async ({ http }) => (await http.get('/')).status
export const module: UserModule = { default: typed, setup: async () => ({ a: 1 }), user: async () => {}, teardown: ({ http }) => http.get('/') }
