'use strict'

// What generators of a short run report, as it travels: the snapshots of each, one for each second.

const { Followers } = require('../../lib/follow/followers')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { LocalChannel } = require('../../lib/run/channel-local')
const { encode } = require('../../lib/run/codec')
const { Coordinator } = require('../../lib/run/coordinator')
const { encodeSnapshot } = require('../../lib/run/messages')

const NOBODY = { response: null, requestError: null, mismatch: null }

/**
 * @param {Record<string, unknown>} options of the run
 * @returns {Promise<any[][]>} the snapshots of each generator, encoded
 */
async function record (options, generators) {
  const plan = buildPlan(validate(options).values)
  const recorded = Array.from({ length: generators }, () => [])
  const coordinator = new Coordinator(plan, generators, (slice, sinks, observer, i) => new LocalChannel(slice, {
    ...sinks,
    snapshot (snapshot) {
      recorded[i].push(encode({ type: 'snapshot', snapshot: encodeSnapshot(snapshot) }))
      sinks.snapshot(snapshot)
    }
  }, observer), new Followers(), NOBODY)
  const { failure } = await coordinator.run()
  if (failure !== null) throw failure
  // What comes behind the end of the last second is not of a whole one.
  const seconds = Math.min(...recorded.map(({ length }) => length)) - 1
  return recorded.map(messages => messages.slice(0, seconds))
}

/**
 * @param {(message: any) => void} send
 * @returns {import('../../lib/run/messages').Transport} to a generator that is played
 */
const played = (send, close = async () => {}) => ({ name: 'a recording', send, onMessage () {}, onClose () {}, close })

/**
 * @param {any[]} messages of one generator, encoded
 * @returns {any[]} as if it had gone on for so long
 */
function prolonged (messages, seconds) {
  return Array.from({ length: seconds }, (_, sample) => {
    const message = messages[sample % messages.length]
    const { from, to } = message.snapshot
    const by = (sample - message.snapshot.sample) * 1000
    return { ...message, snapshot: { ...message.snapshot, from: from + by, to: to + by, sample } }
  })
}

/**
 * @param {Record<string, any>} options of the run that was recorded
 * @returns {Record<string, any>} those of one that lasts so long
 */
function prolongedLoad ({ stages }, seconds) {
  return stages === undefined ? { duration: seconds } : { stages: [...stages.slice(0, -1), { ...stages.at(-1), duration: seconds }] }
}

module.exports = { played, prolonged, prolongedLoad, record }
