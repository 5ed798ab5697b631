// Users order a report that the server makes in the background, poll its status until it is done, and read it.
// `result.groups` has how long a report takes. Run it with
//
//   autocannon run samples/jobs/jobs.mjs --on-port / -- node samples/jobs/server.js

export const options = {
  connections: 20,
  duration: 2,
  thresholds: ['status: p95 < 1s', 'iterations: completed > 99%', 'checks > 99%']
}

/** A report that is not ready after this many has failed. */
const MOST_POLLS = 50

export default async function order ({ http, pause, check, group, random }) {
  const month = `2026-${String(random.int(1, 12)).padStart(2, '0')}`

  await group('a report', async () => {
    const ordered = await http.post('/reports', { json: { month }, name: 'order', expect: { status: 202 } })
    const place = ordered.header('location')
    let status = 'pending'
    for (let polls = 0; status === 'pending' && polls < MOST_POLLS; polls++) {
      await pause('20ms')
      status = (await http.get(place, { name: 'status' })).json('status')
    }
    if (!check(status, { 'report is done': status === 'done' })) return

    const report = await http.get(`${place}/file`, { name: 'file', expect: { status: 200 } })
    check(report, { 'report is of its month': response => response.json('month') === month })
  })

  await pause('100ms', '300ms')
}
