'use strict'

// Adds and removes connections of a generator or a group as stages require. The last one to join leaves first, so that
// connections always have the lowest numbers.

const { shareOf } = require('../users/choice')
const { Stages } = require('../shapes/stages')

/**
 * @typedef {import('./connection').Connection} Connection
 *
 * @typedef {object} Needs
 * @property {ReadonlyArray<import('../shapes/stages').Stage>} stages with totals of all generators
 * @property {number} first number of the first connection of this generator
 * @property {number} step distance to its next number: each of n generators has every n-th connection
 * @property {number} streams users per connection: stages count connections, and a ramp counts users
 * @property {import('../core/timers').Timers} timers
 * @property {() => number} elapsed ms since the start of the load
 * @property {(i: number) => Connection | null} join the i-th one here; null if no requests are left
 * @property {(connection: Connection) => void} leave
 * @property {(at: number) => void} onChange called at the time of a change: connections join or leave, or a stage ends
 */

class Ramp {
  /** @param {Needs} needs */
  constructor (needs) {
    this.needs = needs
    this.stages = new Stages(needs.stages.map(stage => this.inUsers(stage)))
    /** The current connections, in the order of their numbers. @type {Connection[]} */
    this.connections = []
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
  }

  /** @param {ReadonlyArray<Connection>} connections at the start of the run */
  start (connections) {
    this.connections = [...connections]
    this.follow()
  }

  /** @param {import('../shapes/stages').Stage} stage that follows */
  extend (stage) {
    this.stages.extend(this.inUsers(stage))
    this.follow()
  }

  /** @param {import('../shapes/stages').Stage} stage */
  inUsers (stage) {
    const { streams } = this.needs
    return { ...stage, start: stage.start * streams, end: stage.end * streams }
  }

  /**
   * Adds or removes connections up to the current number, and waits for the next change. Changes within one ms are
   * combined.
   */
  follow () {
    const { needs: { first, step, streams, timers, elapsed, join, leave, onChange }, connections, stages } = this
    timers.cancel(this.timer)
    const at = elapsed()
    onChange(at)
    const count = shareOf(stages.connectionsAt(at), first, step, streams)
    while (connections.length > count) leave(/** @type {Connection} */ (connections.pop()))
    while (connections.length < count) {
      const connection = join(connections.length)
      if (connection === null) break
      connections.push(connection)
    }
    const next = stages.changeAfter(at)
    // A hook may have ended the run.
    if (next !== Infinity && !timers.stopped) this.timer = timers.after(Math.ceil(next - at), () => this.follow())
  }
}

/**
 * @param {import('../options/plan').Plan} plan with stages of connections
 * @param {import('./groups').Groups | null} groups for scenarios that run in parallel
 * @param {Pick<Needs, 'timers' | 'elapsed' | 'join' | 'leave' | 'onChange'>} needs
 * @returns {Ramp[]} one for all connections, or one for each group with stages
 */
function rampsOf (plan, groups, needs) {
  const { streams } = plan
  if (groups === null) {
    return [new Ramp({
      ...needs, streams, stages: /** @type {ReadonlyArray<import('../shapes/stages').Stage>} */ (plan.stages),
      first: plan.firstConnection, step: plan.connectionStep
    })]
  }
  return /** @type {NonNullable<typeof plan.groups>} */ (plan.groups).flatMap(({ ramp, before, step }, group) =>
    ramp === null
      ? []
      : [
          new Ramp({
            ...needs, streams, stages: ramp, first: before, step, join: i => needs.join(groups.first[group] + i)
          })
        ])
}

module.exports = { rampsOf }
