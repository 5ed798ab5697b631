'use strict'

// Samples the stack of a load generator's thread, to measure the share of CPU time in files of user functions. The
// profiler of V8 takes a sample every 10 ms.

const path = require('node:path')
const { fileURLToPath } = require('node:url')

/** The sampling interval, µs. */
const INTERVAL = 10_000

/** The interval of summing samples, ms: the samples of hours would fill the memory. */
const TURN = 30_000

/** Files of this package. An installed one is itself below node_modules. */
const OURS = path.resolve(__dirname, '../..') + path.sep
const PACKAGES = `${path.sep}node_modules${path.sep}`

/** V8's names for an idle thread. */
const IDLE = new Set(['(idle)', '(root)'])

/**
 * @typedef {object} Node of the tree of stacks
 * @property {number} id
 * @property {{ url: string, functionName: string, lineNumber: number }} callFrame
 * @property {number[]} [children]
 * @property {Array<{ line: number, ticks: number }>} [positionTicks]
 */

class CodeProfile {
  /**
   * @param {{ busyMs: number, count: (file: string, line: number, name: string, ms: number) => void }} code receives
   *   the counts
   * @param {import('../../core/timers').Timers} timers
   */
  constructor (code, timers) {
    this.code = code
    this.timers = timers
    const { Session } = require('node:inspector')
    this.session = new Session()
    this.isOpen = false
  }

  start () {
    try {
      this.session.connect()
      this.session.post('Profiler.enable')
      this.session.post('Profiler.setSamplingInterval', { interval: INTERVAL })
      this.session.post('Profiler.start')
      this.isOpen = true
    } catch {
      // Another profiler is attached, so the run continues without this one.
      return
    }
    this.wind()
  }

  wind () {
    this.timers.after(TURN, () => {
      this.take()
      this.session.post('Profiler.start')
      this.wind()
    })
  }

  stop () {
    if (!this.isOpen) return
    this.take()
    this.isOpen = false
    this.session.disconnect()
  }

  take () {
    this.session.post('Profiler.stop', (error, answer) => {
      if (!error) this.add(/** @type {any} */ (answer).profile)
    })
  }

  /** @param {{ nodes: Node[], samples?: number[], timeDeltas?: number[] }} profile */
  add ({ nodes, samples = [], timeDeltas = [] }) {
    /** @type {Map<number, Node>} */
    const byId = new Map(nodes.map(node => [node.id, node]))
    /** @type {Map<number, number>} */
    const parents = new Map(nodes.flatMap(({ id, children = [] }) =>
      children.map(child => /** @type {const} */ ([child, id]))))
    /** @type {Map<number, number>} */
    const times = new Map()
    for (let i = 0; i < samples.length; i++) {
      // A sample counts for the time until the next one.
      times.set(samples[i], (times.get(samples[i]) ?? 0) + Math.max(0, timeDeltas[i + 1] ?? 0) / 1000)
    }
    for (const [id, ms] of times) {
      const node = /** @type {Node} */ (byId.get(id))
      if (IDLE.has(node.callFrame.functionName)) continue
      this.code.busyMs += ms
      /** The node of user code that called Node.js or a package. @type {number | undefined} */
      let at = id
      while (at !== undefined && isCalled(/** @type {Node} */ (byId.get(at)))) at = parents.get(at)
      if (at === undefined) continue
      const found = /** @type {Node} */ (byId.get(at))
      const { url, functionName, lineNumber } = found.callFrame
      const file = fileOf(url)
      if (!file.startsWith(OURS)) this.code.count(file, at === id ? lineOf(found) : lineNumber + 1, functionName, ms)
    }
  }
}

/** @param {Node} node with samples of its own code @returns {number} the line with the most samples */
function lineOf ({ callFrame: { lineNumber }, positionTicks = [] }) {
  let most = { line: lineNumber + 1, ticks: 0 }
  for (const one of positionTicks) if (one.ticks > most.ticks) most = one
  return most.line
}

/** @param {Node} node @returns {boolean} whether it belongs to Node.js or a package */
function isCalled ({ callFrame: { url } }) {
  if (url === '' || url.startsWith('node:')) return true
  const file = fileOf(url)
  return file.includes(PACKAGES) && !file.startsWith(OURS)
}

/** @param {string} url */
function fileOf (url) {
  if (!url.startsWith('file:')) return url
  try {
    return fileURLToPath(url)
  } catch {
    return url
  }
}

module.exports = { CodeProfile }
