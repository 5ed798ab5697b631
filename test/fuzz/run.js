'use strict'

// Owns `npm run fuzz`: random input and random servers for a time, from a seed that it prints.
//
//   npm run fuzz -- [--seconds N] [--seed N] [--only streams|blocks|frames|websocket|conversations|options|argv|servers]

const { spawn } = require('node:child_process')
const { once } = require('node:events')
const { start, readFlags, choose } = require('../../bench/program')
const { fuzzInput } = require('./input')
const { runAgainstRandomServer } = require('./servers')

const STREAMS_TEST = require.resolve('../protocols/http1/response-parser-llhttp.test.js')
const BLOCKS_TEST = require.resolve('../protocols/http2/header-block.test.js')
const NGHTTP2_TEST = require.resolve('../protocols/http2/header-block-nghttp2.test.js')
const FRAMES_TEST = require.resolve('../protocols/http2/frames.test.js')
const REQUESTS_TEST = require.resolve('../protocols/http2/requests-read.test.js')
const WEBSOCKET_TEST = require.resolve('../protocols/websocket/frames-ws.test.js')
const CONVERSATIONS_TEST = require.resolve('../protocols/http2/conversations.test.js')
/** Inputs of one seed; the next ones have the next seed. */
const ROUND = 2000
/** Streams of one seed, damaged ones twice that. */
const STREAMS = 10_000
/** Header blocks of each kind of one seed, and exchanges with nghttp2. */
const BLOCKS = 10_000
const EXCHANGES = 500
/** Sequences of frames, connections with requests of any kind, and conversations with servers that lie. */
const FRAMES = 5000
const CONNECTIONS = 200
const CONVERSATIONS = 1000

/**
 * One round of each kind: what it tried, and what broke.
 * @typedef {{ tried: number, failure: string | null, notes: Record<string, number> }} Round
 * @type {Record<string, (seed: number) => Promise<Round>>}
 */
const KINDS = {
  // Generated streams, whole and damaged, at random splits: our parser against llhttp in status, body and verdict.
  async streams (seed) {
    const { failed, output } = await runTest(STREAMS_TEST, { FUZZ_SEED: String(seed), FUZZ_RUNS: String(STREAMS) })
    return { tried: 3 * STREAMS, failure: failed ? output : null, notes: {} }
  },
  // Header blocks of HTTP/2, whole, damaged and made of garbage: ours against hpack.js and nghttp2, in both directions.
  async blocks (seed) {
    const tests = [await runTest(BLOCKS_TEST, { FUZZ_SEED: String(seed), FUZZ_RUNS: String(BLOCKS) }), await runTest(NGHTTP2_TEST, { FUZZ_SEED: String(seed), FUZZ_RUNS: String(EXCHANGES) })]
    return { tried: 4 * BLOCKS + EXCHANGES, failure: tests.find(({ failed }) => failed)?.output ?? null, notes: {} }
  },
  // Frames of HTTP/2 at random splits: ours against a reader that has all bytes; requests on a connection: ours against hpack.js.
  async frames (seed) {
    const tests = [await runTest(FRAMES_TEST, { FUZZ_SEED: String(seed), FUZZ_RUNS: String(FRAMES) }), await runTest(REQUESTS_TEST, { FUZZ_SEED: String(seed), FUZZ_RUNS: String(CONNECTIONS) })]
    return { tried: 2 * FRAMES + 2 * CONNECTIONS, failure: tests.find(({ failed }) => failed)?.output ?? null, notes: {} }
  },
  // Frames of WebSocket, whole, damaged and made of garbage, at random splits: our reader against that of ws, and what each reads of the other.
  async websocket (seed) {
    const { failed, output } = await runTest(WEBSOCKET_TEST, { FUZZ_SEED: String(seed), FUZZ_RUNS: String(FRAMES) })
    return { tried: 3 * FRAMES, failure: failed ? output : null, notes: {} }
  },
  // Runs over HTTP/2 against servers that say anything, in fake time: nothing is thrown, and every request has one fate.
  async conversations (seed) {
    const { failed, output } = await runTest(CONVERSATIONS_TEST, { FUZZ_SEED: String(seed), FUZZ_RUNS: String(CONVERSATIONS) })
    return { tried: 2 * CONVERSATIONS, failure: failed ? output : null, notes: {} }
  },
  options: async seed => inputs('options', seed),
  argv: async seed => inputs('argv', seed),
  async servers (seed) {
    try {
      const { sent, errors } = await runAgainstRandomServer(seed)
      return { tried: 1, failure: null, notes: { requests: sent, errors } }
    } catch (error) {
      return { tried: 1, failure: /** @type {Error} */ (error).message, notes: {} }
    }
  }
}

/**
 * @param {'options' | 'argv'} name
 * @param {number} seed
 * @returns {Round}
 */
function inputs (name, seed) {
  const { tried, accepted, failure } = fuzzInput(name, seed, ROUND)
  return { tried, failure, notes: { accepted } }
}

/**
 * @param {string} file absolute
 * @param {Record<string, string>} env
 */
async function runTest (file, env) {
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => { output += text })
  const [code] = await once(child, 'close')
  return { failed: code !== 0, output }
}

async function main () {
  const { seconds = 60, seed = Math.floor(Math.random() * 1e9), only } = readFlags({ seconds: 'positive', seed: 'seed', only: 'text' })
  const kinds = choose(only, Object.keys(KINDS))
  console.log(`seed ${seed}, ${seconds} s over ${kinds.join(', ')}`)
  // What escapes a run is a failure of it, too.
  let current = ''
  process.on('uncaughtException', error => {
    console.error(`uncaught: ${error.stack}\nrepeat: ${current}`)
    process.exit(1)
  })
  for (const kind of kinds) {
    const until = performance.now() + seconds * 1000 / kinds.length
    let tried = 0
    /** @type {Record<string, number>} */
    const notes = {}
    for (let round = seed; performance.now() < until; round++) {
      current = `npm run fuzz -- --only ${kind} --seed ${round} --seconds 1`
      const { failure, ...done } = await KINDS[kind](round).catch(error => ({ tried: 0, failure: error.stack, notes: {} }))
      tried += done.tried
      for (const [name, count] of Object.entries(done.notes)) notes[name] = (notes[name] ?? 0) + count
      if (failure === null) continue
      console.error(`${kind}: ${failure}\nrepeat: ${current}`)
      process.exitCode = 1
      break
    }
    console.log(`${kind}: ${tried.toLocaleString('en-US')} tried${Object.entries(notes).map(([name, count]) => `, ${count.toLocaleString('en-US')} ${name}`).join('')}`)
  }
}

start(main)
