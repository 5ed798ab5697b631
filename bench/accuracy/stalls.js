'use strict'

// What a machine does to two programs that each have a core and only wait for the clock: when each of them stood still. A queue that such a pair
// makes is the best that any pair can make here.

const { once } = require('node:events')
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads')
const { sharedNow } = require('../../lib/core/clock')

/** A look at the clock takes less, ms. */
const LEAST = 0.005

/** @typedef {Array<{ from: number, to: number }>} Stalls ms on the clock that all threads share, in order */

/**
 * @param {number} ms how long it lasts
 * @returns {Promise<{ start: number, sender: Stalls, server: Stalls }>} when both were there, and when each was not
 */
async function stallsOfPair (ms) {
  const from = sharedNow() + 200
  const [sender, server] = await Promise.all([0, 1].map(async () => (await once(new Worker(__filename, { workerData: { from, to: from + ms } }), 'message'))[0]))
  return { start: from, sender, server }
}

function stalls ({ from, to }) {
  const { bigint } = process.hrtime
  const least = BigInt(LEAST * 1e6)
  const end = BigInt(Math.trunc(to * 1e6))
  const found = []
  let last = bigint()
  while (last < BigInt(Math.trunc(from * 1e6))) last = bigint()
  while (last < end) {
    const at = bigint()
    if (at - last > least) found.push(last, at)
    last = at
  }
  return Array.from({ length: found.length / 2 }, (_, n) => ({ from: Number(found[2 * n]) / 1e6, to: Number(found[2 * n + 1]) / 1e6 }))
}

if (!isMainThread && workerData?.from !== undefined) parentPort?.postMessage(stalls(workerData))

module.exports = { stallsOfPair }
