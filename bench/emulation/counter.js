'use strict'

// Owns the counter of instructions inside the emulated machine: what the plugin (count.c) has counted on the core that runs
// nothing but the measured program, beside what the server has answered.

const fs = require('node:fs')
const path = require('node:path')

/** The core that the kernel leaves alone (`isolcpus` in machine.js). */
const CORE = 1
const FIELDS = 8
const INTERVAL_MS = 1000

/**
 * The part of a run's requests that is looked at. Before, programs start, connect, and compile, which goes on for a while;
 * after, they sum up. A real run has twenty times as many requests to spread that over.
 */
const FROM = 0.6
const TO = 0.95

/** How much slower than the machine's the time of a measured program passes (slow.c). */
const TIME_FACTOR = 5

/**
 * @returns {number} instructions so far, user and kernel
 */
function instructions () {
  const file = fs.readFileSync(path.join(process.env.EMULATION, 'counters'))
  const [user, kernel] = [0, 1].map(field => Number(file.readBigUInt64LE(8 * (CORE * FIELDS + field))))
  return user + kernel
}

/** @type {import('../peers/cost').Counter} */
const emulator = {
  start: (folder, answered) => {
    /** @type {Array<{ instructions: number, requests: number }>} */
    const samples = []
    let last = Promise.resolve()
    const look = setInterval(() => {
      last = answered().then(requests => { samples.push({ instructions: instructions(), requests }) })
    }, INTERVAL_MS).unref()
    return {
      front: [],
      env: { LD_PRELOAD: process.env.EMULATION_PRELOAD, TIME_FACTOR: String(TIME_FACTOR) },
      stop: async () => {
        clearInterval(look)
        await last
        return steady(samples)
      }
    }
  }
}

/**
 * @param {Array<{ instructions: number, requests: number }>} samples of a run, both figures since whenever
 * @returns {{ instructions: number, requests: number }} of the part of the run in which the program was warm
 */
function steady (samples) {
  const [first, last] = [samples[0]?.requests, samples.at(-1)?.requests]
  const [begin, end] = [FROM, TO].map(share => samples.find(({ requests }) => requests - first >= share * (last - first)))
  if (begin === end) throw new Error(`a run of ${samples.length} s is too short to find what a request costs`)
  return { instructions: end.instructions - begin.instructions, requests: end.requests - begin.requests }
}

module.exports = { emulator, steady, CORE }
