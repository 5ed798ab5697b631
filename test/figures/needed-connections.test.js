'use strict'

const t = require('tap')
const { neededConnections } = require('../../lib/figures/needed-connections')

/** 2 connections that were busy all the time, at 5 ms for a response. @param {Record<string, any>} changes */
const result = changes => ({
  duration: 10,
  connections: 2,
  pipelining: 1,
  timeouts: 0,
  serviceTime: { totalCount: 4000, mean: 5, min: 4 },
  rate: { target: 1000 },
  ...changes
})

/** @type {Array<[title: string, changes: Record<string, any>, needed: number | null]>} */
const CASES = [
  ['rate × mean service time', {}, 5],
  ['rounded up', { serviceTime: { totalCount: 4000, mean: 5.01, min: 4 } }, 6],
  ['divided by the requests that a connection carries at once', { pipelining: 2, connections: 1 }, 3],
  ['enough connections', { connections: 5 }, null],
  ['a service time that grew under load', { serviceTime: { totalCount: 4000, mean: 5, min: 1 } }, null],
  ['connections that were idle for most of the run', { serviceTime: { totalCount: 1900, mean: 5, min: 4 } }, null],
  ['timeouts, whose service time is unknown', { timeouts: 1 }, null],
  ['scenarios, whose think time holds connections, too', { iterations: {} }, null],
  ['no response', { serviceTime: { totalCount: 0, mean: 0, min: 0 } }, null],
  ['a result of an older version, without service times', { serviceTime: undefined }, null]
]

t.test('how many connections a rate needs', async t => {
  for (const [title, changes, needed] of CASES) t.equal(neededConnections(result(changes)), needed, title)
})
