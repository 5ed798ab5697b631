'use strict'

// Shows what users of a language model wait for who come at a fixed rate, when the server can't keep up. It works on 4 requests at a
// time, so 28 in a second, and 40 in a second are due. A benchmark that has 4 requests in flight and starts its clock when it writes
// each of them sees a fast server: the queue is in front of it. The first run counts from when a request was due, as users do; the
// second one does not. Run it with
//
//   node samples/llm.js

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const autocannon = require('..')

const body = readFileSync(path.join(__dirname, 'llm/chat.json'), 'utf8')

async function measure (name, base, ignoreCoordinatedOmission) {
  const { streams, latency } = await autocannon({
    url: `${base}/v1/chat/completions?first=50&gap=10&tokens=10`,
    stream: 'openai',
    body,
    connections: 4,
    overallRate: 40,
    amount: 80,
    ignoreCoordinatedOmission,
    thresholds: ['goodput(first token < 300ms, inter token p90 < 50ms) > 95%']
  })
  const { firstToken, interToken, tokens, goodput: [{ share }] } = streams
  console.log(`${name}: first token p50 ${firstToken.p50} ms, p99 ${firstToken.p99} ms, inter token p50 ${interToken.p50} ms, ` +
    `completion p99 ${latency.p99} ms, ${tokens.total} tokens, goodput ${Math.round(share * 100)} %`)
}

async function main () {
  const env = { ...process.env, SLOTS: '4' }
  const server = spawn(process.execPath, [path.join(__dirname, 'llm/server.js')], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const [url] = await once(server.stdout, 'data')
  await measure('from when a request was due', String(url).trim(), false)
  await measure('from when it was written   ', String(url).trim(), true)
  server.kill()
}

main()
