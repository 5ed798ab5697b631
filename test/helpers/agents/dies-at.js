'use strict'

// Loaded before an agent, it has it end as if killed, at the moment that AGENT_DIES_AT names: when it is told `open` or `begin`, before it has
// done it; `opened`, when it has; `end`, when a generator says so, before it passes that on; `release`, when the run lets it go.

const { Session } = require('../../../lib/run/agents/session')

const { AGENT_DIES_AT: moment } = process.env
const dieAt = (/** @type {unknown} */ what) => { if (what === moment) process.kill(process.pid, 'SIGKILL') }
const { fromThread, handle } = Session.prototype

Session.prototype.handle = function (message) {
  dieAt(message.release === true ? 'release' : message.m?.type)
  handle.call(this, message)
  if (message.m?.type === 'open') dieAt('opened')
}

Session.prototype.fromThread = function (c, message) {
  if (message?.type === 'end') dieAt('end')
  return fromThread.call(this, c, message)
}
