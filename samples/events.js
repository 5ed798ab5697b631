'use strict'

// Shows how a stall of a server looks in the times of its events. Each stream has 20 events, one every 10 ms, and the second server
// pauses once in each stream, for 200 ms: the time to the first event and the median of the gaps stay as they are. Run it with
//
//   node samples/events.js

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const autocannon = require('..')

async function measure (base, stall) {
  const { streams } = await autocannon({
    url: `${base}/events?n=20&gap=10&stall=${stall}`, connections: 5, amount: 20, stream: 'sse', stall: '100ms'
  })
  const { firstEvent, gap, events, stalls } = streams
  console.log(`a stall of ${stall} ms: ${events} events, first event p50 ${firstEvent.p50} ms, gap p50 ${gap.p50} ms, p99 ${gap.p99} ms, ${stalls} stalls`)
}

async function main () {
  const server = spawn(process.execPath, [path.join(__dirname, 'events/server.js')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(server.stdout, 'data')
  await measure(String(url).trim(), 0)
  await measure(String(url).trim(), 200)
  server.kill()
}

main()
