'use strict'

// Owns the far side of a thread channel: runs a generator, as in the main thread, and sends what it tells as messages.

const { parentPort, workerData } = require('node:worker_threads')
const { LocalChannel } = require('./channel-local')
const { HEARTBEAT, encodeSnapshot, encodeError } = require('./messages')

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort)

/** @param {import('./messages').Report} report */
const send = report => port.postMessage(report)

/** @type {number[]} status, size and ms of the responses since the last message */
let responses = []

/** @type {import('../load/connection').Observer} */
const observer = { response: null, requestError: null, mismatch: null }

const channel = new LocalChannel(workerData.plan, {
  snapshot: snapshot => send({ type: 'snapshot', snapshot: encodeSnapshot(snapshot) }),
  end (error) {
    sendResponses()
    send({ type: 'end', error: error === null ? null : encodeError(error) })
    channel.close()
    port.close()
  }
}, observer)

function sendResponses () {
  if (responses.length === 0) return
  send({ type: 'responses', list: Float64Array.from(responses) })
  responses = []
}

/**
 * @param {unknown} connection
 * @param {number} status
 * @param {number} size
 * @param {number} ms
 */
function collectResponse (connection, status, size, ms) {
  if (responses.length === 0) setImmediate(sendResponses)
  responses.push(status, size, ms)
}

port.on('message', (/** @type {import('./messages').Order} */ order) => {
  switch (order.type) {
    case 'observe':
      observer.response = order.responses ? collectResponse : null
      observer.requestError = order.errors ? error => send({ type: 'requestError', error: encodeError(error) }) : null
      observer.mismatch = order.mismatches ? body => send({ type: 'mismatch', body }) : null
      break
    case 'start':
      channel.start()
      break
    case 'stop':
      channel.stop()
  }
})

// A hook that does not return would keep the thread silent for ever.
setInterval(() => send({ type: 'alive' }), HEARTBEAT).unref()

channel.open().then(
  () => send({ type: 'ready' }),
  error => {
    send({ type: 'end', error: encodeError(error) })
    port.close()
  }
)
