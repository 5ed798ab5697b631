'use strict'

// The processes of a part of the soak: servers, and the client that is watched.

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')
const served = require('../served')

/** How long a client may take to end when it has nothing left to do, ms. */
const FAREWELL = 5000

const startServer = behaviour => served.startServer('soak/server.js', behaviour)

/** @returns {Promise<any>} what a server has counted, once it has seen that the client has gone. It ends */
async function countsOf (server) {
  await new Promise(resolve => setTimeout(resolve, 200))
  const counts = await server.ask()
  await server.stop()
  return counts
}

/** @returns {Promise<{ report: any, counts: any }>} of a job against one server */
async function watched (job, options, behaviour) {
  const server = await startServer(behaviour)
  const report = await client(job, { url: server.url, ...options })
  return { report, counts: await countsOf(server) }
}

/** @returns {Promise<any>} what the job reports, and whether its process ended by itself */
async function client (job, options) {
  const child = fork(join(__dirname, 'client.js'))
  const exited = new Promise(resolve => child.once('exit', resolve))
  child.send({ job, options })
  const report = await Promise.race([
    once(child, 'message').then(([message]) => message),
    exited.then(code => { throw new Error(`the client of '${job}' ended with code ${code}`) })
  ])
  const timer = setTimeout(() => child.kill('SIGKILL'), FAREWELL)
  const code = await exited
  clearTimeout(timer)
  return { ...report, endedByItself: code === 0 }
}

module.exports = { client, countsOf, startServer, watched }
