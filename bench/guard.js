'use strict'

// The regression guard of the tests: what a request costs beside a client that only reads and writes (peers/floor.js), and
// in instructions, where the machine counts them, beside a recorded figure. Exits with 1 when it costs too much.
//
//   node bench/guard.js
//
// The bounds are wide and each attempt counts: a machine that is busy is not slow three times in a row on one side only.

const { start, readFlags } = require('./program')
const { CASES } = require('./peers/cases')
const { onClientCore, onServerCore } = require('./peers/cores')
const { measure, whyNotCounted } = require('./peers/cost')
const { startOwn } = require('./peers/server')
const { findTools } = require('./peers/tools')

const SECONDS = 2
const ATTEMPTS = 3

/**
 * `ofFloor`: 1.12 and 1.26 were measured in runs of 2 s, 2026-11-21. `instructions`: 19,400 and 3,400 per request of a warm
 * program are recorded in bench/README.md (emulated, 2026-11-21), and whole runs are judged: in 2 s the start adds some 2,000 and 400. Half
 * as much again is the margin, for kernels take more with mitigations.
 */
const BOUNDS = {
  p1: { ofFloor: 2, instructions: 33_000 },
  p10: { ofFloor: 3, instructions: 6_000 }
}

async function main () {
  readFlags({})
  const { tools } = findTools(['ours', 'floor'])
  const why = whyNotCounted()
  if (why !== '') console.log(`Judged by CPU time only: ${why}`)
  const server = await startOwn(onServerCore())
  try {
    for (const [name, { ofFloor, instructions: most }] of Object.entries(BOUNDS)) {
      const { connections, pipelining = 1 } = CASES[name].options
      let passed = false
      for (let attempt = 1; attempt <= ATTEMPTS && !passed; attempt++) {
        const costs = {}
        for (const [tool, { command, read }] of Object.entries(tools)) {
          const url = `http://127.0.0.1:${server.plain}`
          const { stdout, cpu, instructions = null } = await measure([...onClientCore(), ...command({ name, url, seconds: SECONDS, connections, pipelining })], { counted: why === '' })
          const { count } = read(stdout)
          costs[tool] = { cpu: cpu / count, instructions: instructions === null ? null : instructions / count }
        }
        const ratio = costs.ours.cpu / costs.floor.cpu
        const { instructions } = costs.ours
        passed = ratio <= ofFloor && (instructions === null || instructions <= most)
        console.log(`${passed ? '✓' : '✗'} ${name}: ${ratio.toFixed(2)} × the floor, at most ${ofFloor}` +
          (instructions === null ? '' : `; ${Math.round(instructions).toLocaleString('en')} instructions, at most ${most.toLocaleString('en')}`))
      }
      if (!passed) process.exitCode = 1
    }
  } finally {
    server.stop()
  }
}

start(main)
