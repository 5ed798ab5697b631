'use strict'

// Servers in processes of their own, so that neither their work nor their pauses are the client's: how they are started, asked and ended, and what all of
// them do at their end.

const { fork } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')

const END_OF_HEAD = Buffer.from('\r\n\r\n')

/**
 * @param {string} program below this folder, which is given the behaviour as JSON and calls `serve`
 * @param {unknown} [behaviour]
 * @returns {Promise<{ url: string, ask: () => Promise<any>, stop: () => Promise<void> }>} `ask`: for its report
 */
async function startServer (program, behaviour = {}) {
  const child = fork(path.join(__dirname, program), [JSON.stringify(behaviour)], { serialization: 'advanced' })
  const [port] = await once(child, 'message')
  return {
    url: `http://127.0.0.1:${port}/`,
    async ask () {
      child.send('report')
      return (await once(child, 'message'))[0]
    },
    async stop () {
      if (child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.disconnect()
      await exited
    }
  }
}

/** @param {(server: Awaited<ReturnType<typeof startServer>>) => Promise<any>} use */
async function withServer (behaviour, use, program = 'accuracy/server.js') {
  const server = await startServer(program, behaviour)
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}

/**
 * In the process of a server.
 * @param {import('node:net').Server} server
 * @param {() => unknown} [report]
 */
function serve (server, report = () => null) {
  process.on('message', async () => process.send?.(await report()))
  process.on('disconnect', () => process.exit())
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () => process.send?.(/** @type {import('node:net').AddressInfo} */ (server.address()).port))
}

/** @returns {(chunk: Buffer) => number} how many requests end in what a connection has read: they have no bodies here, so the ends of their heads are all there is to see */
function headCounter () {
  let matched = 0
  return chunk => {
    let count = 0
    for (const byte of chunk) {
      matched = byte === END_OF_HEAD[matched] ? matched + 1 : byte === END_OF_HEAD[0] ? 1 : 0
      if (matched < END_OF_HEAD.length) continue
      matched = 0
      count++
    }
    return count
  }
}

const behaviour = () => JSON.parse(process.argv[2] ?? '{}')

module.exports = { behaviour, headCounter, serve, startServer, withServer }
