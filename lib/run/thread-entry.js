'use strict'

// The entry point of a worker thread: a host with messages over the port of the thread.

const { parentPort } = require('node:worker_threads')
const { Host } = require('./host')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

/** @type {import('./messages').Transport} */
const transport = {
  name: 'the main thread',
  send: message => port.postMessage(message),
  onMessage () {},
  onClose () {},
  async close () {
    port.close()
  }
}
const host = new Host(transport)
port.on('message', message => {
  if (message.memory === undefined) transport.onMessage(message)
  else host.memory = message.memory
})
