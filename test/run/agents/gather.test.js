'use strict'

const t = require('tap')
const { buildPlan } = require('../../../lib/options/plan')
const { validate } = require('../../../lib/options/validate')
const { noteOnLoopback } = require('../../../lib/run/agents/gather')

/** @param {string[]} url */
const planOf = (...url) => buildPlan(validate({ url }).values)
const agentsOf = (...hosts) => hosts.map((host, i) => ({ name: `agent-${i}`, host, cores: 2, node: 'v20.0.0', workers: 2, clockError: 0 }))

t.test('a server of this machine is not what agents elsewhere reach by its name', async t => {
  t.equal(noteOnLoopback(planOf('http://localhost:3000/path'), agentsOf('here', 'there'), 'here'), 'http://localhost:3000 is a server on the machine of each agent, and agent-1 is not on this one')
  t.equal(noteOnLoopback(planOf('http://shop', 'http://[::1]:3000'), agentsOf('a', 'b', 'c', 'd', 'e'), 'here'), 'http://[::1]:3000 is a server on the machine of each agent, and agent-0, agent-1, agent-2 and 2 others are not on this one')
  t.equal(noteOnLoopback(planOf('http://127.0.0.1:3000'), agentsOf('here', 'here'), 'here'), null)
  t.equal(noteOnLoopback(planOf('http://shop:3000', 'http://10.0.0.1'), agentsOf('there'), 'here'), null)
})
