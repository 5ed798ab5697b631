'use strict'

// The two processes of a part of the soak: a server and the client that is watched.

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { join } = require('node:path')

/** How long a client may take to end when it has nothing left to do, ms. */
const FAREWELL = 5000

async function startServer (behaviour = {}) {
  const child = fork(join(__dirname, 'server.js'), [JSON.stringify(behaviour)])
  const [{ url }] = await once(child, 'message')
  return {
    url,
    /** What it has counted, once it has seen that the client has gone. */
    async counts () {
      await new Promise(resolve => setTimeout(resolve, 200))
      child.send('report')
      const [counts] = await once(child, 'message')
      return counts
    },
    stop: () => child.disconnect()
  }
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

module.exports = { startServer, client }
