'use strict'

// The process that is watched in the soak: it runs autocannon as a program would, looks at its own memory, and has to
// end by itself when its parent lets go of it. Its job and options come as JSON.

const { setTimeout: sleep } = require('node:timers/promises')
const autocannon = require('../..')

/** Memory is looked at that often, ms. */
const LOOK = 1000

/** @typedef {{ rss: number, heap: number }} Memory MB */

function memory () {
  const { rss, heapUsed } = process.memoryUsage()
  return { rss: rss / 1e6, heap: heapUsed / 1e6 }
}

/** What only listens or waits, and what a run has to leave as it was, once closed sockets have said so. */
async function held () {
  await sleep(50)
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(/** @type {any} */ (name)), 0)
  return { listeners, resources: process.getActiveResourcesInfo().filter(name => name !== 'PipeWrap').length }
}

const JOBS = {
  /** One run, with what memory and figures were all along. */
  async run (options) {
    const memories = []
    const ticks = []
    const watch = setInterval(() => memories.push(memory()), LOOK)
    const instance = autocannon(options)
    // By its own time on a core, because others may need the machine, too.
    instance.on('tick', ({ counter, length, p99, generator }) => ticks.push({ perCpuSecond: counter / (length / 1000 * generator.cpu), p99 }))
    const result = await instance
    clearInterval(watch)
    return { result, memories, ticks, held: await held() }
  },

  /** Several runs, one after the other. */
  async waves ({ waves, ...options }) {
    const results = []
    for (let i = 0; i < waves; i++) results.push(await autocannon(options))
    return { results, held: await held() }
  },

  /** Several runs at once, each with options of its own. */
  async together ({ all }) {
    return { results: await Promise.all(all.map((/** @type {any} */ options) => autocannon(options))), held: await held() }
  },

  /** The same short run over and over. */
  async loop ({ runs, ...options }) {
    const before = await held()
    const memories = []
    const total = {}
    for (let i = 0; i < runs; i++) {
      const { fates } = await autocannon(options)
      for (const [name, count] of Object.entries(fates)) total[name] = (total[name] ?? 0) + count
      if (i % (runs / 20) === 0) memories.push(memory())
    }
    return { results: [{ fates: total }], memories, before, after: await held() }
  }
}

process.once('message', async ({ job, options }) => {
  const report = await JOBS[job](options)
  process.send?.({ ...report, peak: process.resourceUsage().maxRSS / 1000 }, () => process.disconnect())
})
