'use strict'

// The transport to a host in a worker thread.

const { Worker } = require('node:worker_threads')
const { join } = require('node:path')
const { AutocannonError } = require('../core/errors')

const ENTRY = join(__dirname, 'thread-entry.js')

/** @param {Worker} [worker] that runs a host */
function startThread (worker = new Worker(ENTRY)) {
  /** @type {import('./messages').Transport} */
  const transport = {
    name: 'a worker thread',
    shares: true,
    isThread: true,
    send: message => worker.postMessage(message),
    onMessage () {},
    onClose () {},
    async close () {
      transport.onMessage = transport.onClose = () => {}
      await worker.terminate()
    }
  }
  worker.on('message', message => transport.onMessage(message))
  worker.on('error', error => transport.onClose(
    new AutocannonError('AC_WORKER', `a worker thread failed: ${error.message}${adviceOn(error)}`, { cause: error })
  ))
  worker.on('exit', code => transport.onClose(new AutocannonError(
    'AC_WORKER',
    `a worker thread ended with code ${code} before its run was over: did a hook call process.exit()?`
  )))
  return transport
}

/**
 * Redirects output of user code in the thread, to keep it out of results on stdout.
 * @param {NodeJS.WritableStream} stream that gets it
 */
function startThreadAside (stream) {
  const worker = new Worker(ENTRY, { stdout: true })
  // Not pipe(), because each thread would add listeners to the stream.
  worker.stdout.on('data', chunk => stream.write(chunk))
  return startThread(worker)
}

/** @type {(error: Error & { code?: string }) => string} */
function adviceOn ({ code, message }) {
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return '. Do its hooks keep what they get? More memory: NODE_OPTIONS=--max-old-space-size=4096 (MB)'
  }
  if (code === 'ERR_WORKER_INIT_FAILED' && message.includes('EMFILE')) {
    return '. No file descriptor is free: use fewer workers, or raise the hard limit (ulimit -Hn)'
  }
  return ''
}

module.exports = { startThread, startThreadAside }
