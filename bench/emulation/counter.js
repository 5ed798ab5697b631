'use strict'

// Owns the counter of instructions inside the emulated machine: what the plugin (count.c) has counted on the core that runs
// nothing but the measured program, beside what the server has answered.

const fs = require('node:fs')
const path = require('node:path')

/** The core that the kernel leaves alone (`isolcpus` in machine.js). */
const CORE = 1
const FIELDS = 8
const INTERVAL_MS = 1000

/** Of a run's requests, those that are left out: start-up, connecting, and compilation, which goes on for a while. */
const WARM_UP = 0.6

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
 * @param {Array<{ instructions: number, requests: number }>} samples of a run, both since whenever
 * @returns {{ instructions: number, requests: number }} of the part of the run in which the program was warm
 */
function steady (samples) {
  // After the program's last request it only sums up; the sample before saw nothing of that.
  const end = samples.findIndex(({ requests }) => requests === samples.at(-1)?.requests) - 1
  const first = samples[0]
  const begin = samples.findIndex(({ requests }) => requests - first.requests >= WARM_UP * (samples[end].requests - first.requests))
  if (end <= begin) throw new Error(`${samples.length} s are too few to find what a request costs`)
  return {
    instructions: samples[end].instructions - samples[begin].instructions,
    requests: samples[end].requests - samples[begin].requests
  }
}

module.exports = { emulator, steady, CORE }
