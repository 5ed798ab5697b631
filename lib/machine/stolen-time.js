'use strict'

// CPU time that the host (/proc/stat, steal) and the quota of the control group (cpu.stat) took from this process.

const { quotaGroups, throttledMs } = require('./cgroup')

/** @typedef {{ busy: number, steal: number }} Ticks of all cores since the start of the system */

/**
 * @param {string | null} text of /proc/stat
 * @returns {Ticks | null} null where the system has no figures
 */
function ticksOf (text) {
  const [, words] = /^cpu +([\d ]+)$/m.exec(text ?? '') ?? []
  if (words === undefined) return null
  const [user, nice, system, , , irq = 0, softirq = 0, steal = 0] = words.split(' ').map(Number)
  return { busy: user + nice + system + irq + softirq, steal }
}

class StolenTime {
  /** @param {import('./cgroup').Read} read */
  constructor (read) {
    this.read = read
    this.groups = quotaGroups(read)
    this.ticks = ticksOf(read('/proc/stat'))
    this.throttled = this.look()
  }

  /** @returns {number} ms since the control groups began */
  look () {
    return this.groups.reduce((sum, { folder }) => sum + throttledMs(this.read(`${folder}/cpu.stat`)), 0)
  }

  /**
   * @param {number} cpuMs that the thread had since the last time
   * @returns {{ stolenMs: number, throttledMs: number }} since then. The host takes time from a core that wants it: of
   *   the time that a thread had and lost, the part that all cores lost.
   */
  take (cpuMs) {
    const [before, after] = [this.ticks, ticksOf(this.read('/proc/stat'))]
    const throttled = this.groups.length === 0 ? 0 : this.look()
    const lost = throttled - this.throttled
    this.throttled = Math.max(throttled, this.throttled)
    if (after === null || before === null) return { stolenMs: 0, throttledMs: Math.max(0, lost) }
    this.ticks = after
    const [busy, steal] = [after.busy - before.busy, after.steal - before.steal]
    return { stolenMs: busy > 0 && steal > 0 ? cpuMs * steal / busy : 0, throttledMs: Math.max(0, lost) }
  }
}

module.exports = { StolenTime, ticksOf }
