// Users log in over HTTP, open a WebSocket with the cookie of the login, join a room, and say something, several messages
// in flight at the same time. Then each reads what is said in the room, until its own last words. Run it with
//
//   autocannon run samples/chat/chat.mjs --on-port / -- node samples/chat/server.js

export const options = {
  connections: 20,
  duration: 2,
  thresholds: ['say: p95 < 1s', 'gap p95 < 1s', 'iterations: completed > 99%', 'checks > 99%']
}

export default async function chat ({ http, ws, pause, check, random, user, iteration }) {
  await http.post('/login', { name: 'login', expect: { status: 204 } })

  const socket = await ws('/chat', { match: 'json id', timeout: '5s' })
  const joined = await socket.request({ id: 'join', join: random.pick(['tea', 'coffee']) }, { name: 'join' })
  if (!check(joined, { 'is in the room': reply => reply.json('ok') === true })) return

  const words = ['first', 'second', 'last'].map(word => `${user.number}.${iteration} ${word}`)
  const replies = await Promise.all(words.map((say, id) => socket.request({ id, say }, { name: 'say', expect: { json: { ok: true } } })))
  check(replies, { 'each is the response to its message': all => all.every((reply, id) => reply.json('id') === id) })

  const heard = []
  for await (const message of socket) {
    const said = message.json('said')
    if (words.includes(said)) heard.push(said)
    if (said === words.at(-1)) break
  }
  check(heard, { 'words arrive in order': list => list.join() === words.join() })

  await socket.close()
  await pause('100ms', '300ms')
}
