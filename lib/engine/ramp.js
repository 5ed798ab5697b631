'use strict'

// How many connections a generator or a group has while stages change the number. The last one to join leaves first, so
// that the connections of a run or group always have its lowest numbers.

const { shareOf } = require('../users/choice')
const { Stages } = require('../shapes/stages')

/**
 * @typedef {import('./connection').Connection} Connection
 *
 * @typedef {object} Needs
 * @property {ReadonlyArray<import('../shapes/stages').Stage>} stages of all generators together
 * @property {number} first number of the first one here
 * @property {number} step the distance to the next number: several generators have every n-th
 * @property {number} streams how many users a connection of the stages is
 * @property {import('../core/timers').Timers} timers
 * @property {() => number} elapsed ms since the start of the load
 * @property {(i: number) => Connection | null} join the i-th one here; null when there is nothing for it to do
 * @property {(connection: Connection) => void} leave
 * @property {(at: number) => void} onChange others are about to come or leave at that time, or a stage is over
 */

class Ramp {
  /** @param {Needs} needs */
  constructor (needs) {
    this.needs = needs
    this.stages = new Stages(needs.stages.map(stage => this.inUsers(stage)))
    /** Those that are to be there, in the order of their numbers. @type {Connection[]} */
    this.connections = []
    /** @type {NodeJS.Timeout | undefined} */
    this.timer = undefined
  }

  /** @param {ReadonlyArray<Connection>} connections that the run begins with */
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

  /** Lets as many come or leave as it takes, and waits for the next time. Those of one ms come together. */
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
 * @param {import('../options/plan').Plan} plan whose connections come and go
 * @param {import('./groups').Groups | null} groups where scenarios run side by side
 * @param {Pick<Needs, 'timers' | 'elapsed' | 'join' | 'leave' | 'onChange'>} needs
 * @returns {Ramp[]} one for all connections, or one for each group that has stages of its own
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
