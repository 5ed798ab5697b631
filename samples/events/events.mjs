// Users follow a stream of events until they have seen enough, leave it, and read a second one to its end: the events
// of both are checked one by one. `result.streams` has when they came. Run it with
//
//   autocannon run samples/events/events.mjs --on-port / -- node samples/events/server.js

export const options = {
  connections: 10,
  duration: 2,
  thresholds: ['first event p95 < 1s', 'follow: gap p95 < 1s', 'checks > 99%']
}

export default async function follow ({ http, check, random }) {
  // A stream that never ends: break closes it in order.
  const enough = random.int(3, 8)
  let last = 0
  for await (const event of http.stream('/events?gap=10', { name: 'follow', idleTimeout: '5s' })) {
    check(event, { 'no event is missing': e => e.json('n') === last + 1 && e.id === String(last + 1) })
    if (++last === enough) break
  }

  // Awaited, it is the head of the response, and a loop reads the rest.
  const lines = await http.stream('/lines?n=5&gap=10', { name: 'lines' })
  if (!check(lines, { 'is NDJSON': r => r.header('content-type') === 'application/x-ndjson' })) return
  let sum = 0
  for await (const { n } of lines) sum += n
  check(sum, { 'all lines came': sum === 1 + 2 + 3 + 4 + 5 })
}
