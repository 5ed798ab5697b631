'use strict'

// Owns the counter of instructions inside the emulated machine: what the plugin (count.c) has counted on the core that runs
// nothing but the measured program; and how much slower time passes for that program and its servers.

const fs = require('node:fs')
const path = require('node:path')
const { CLIENT } = require('../peers/cores')
const { watch } = require('../peers/warm')

const FIELDS = 8
const INTERVAL_MS = 1000

/** How much slower than the machine's the time of the measured program and of the servers passes (slow.c). */
const TIME_FACTOR = 5

/** @returns {Record<string, string>} environment that slows a program down; nothing outside the emulated machine */
function slowed () {
  const { EMULATION, EMULATION_PRELOAD } = process.env
  return EMULATION === undefined ? {} : { LD_PRELOAD: EMULATION_PRELOAD, TIME_FACTOR: String(TIME_FACTOR) }
}

/**
 * @returns {number} instructions so far, user and kernel
 */
function instructions () {
  const file = fs.readFileSync(path.join(process.env.EMULATION, 'counters'))
  const [user, kernel] = [0, 1].map(field => Number(file.readBigUInt64LE(8 * (CLIENT * FIELDS + field))))
  return user + kernel
}

/** @type {import('../peers/cost').Counter} */
const emulator = {
  start: (folder, answered) => ({
    front: [],
    env: slowed(),
    stop: watch(instructions, answered, INTERVAL_MS)
  })
}

module.exports = { emulator, slowed }
