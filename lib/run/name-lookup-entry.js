'use strict'

// The process for name look-ups: calls the operating system, and ends with its parent.

const dns = require('node:dns')

const [, , order] = process.argv
dns.setDefaultResultOrder(/** @type {any} */ (order))

// A terminal sends these signals to all processes. This process must serve the run until its report, and ends with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

/** @param {object} message */
const send = message => process.send?.(message, undefined, {}, () => {})

/** @typedef {{ key: string, host: string, options: import('node:dns').LookupOptions }} Question */

process.on('message', (/** @type {Question} */ { key, host, options }) => {
  dns.lookup(host, options, (error, ...answer) => {
    if (error === null) return send({ key, error, answer })
    const { message, code, errno, syscall, hostname } =
      /** @type {NodeJS.ErrnoException & { hostname?: string }} */ (error)
    send({ key, error: { message, code, errno, syscall, hostname }, answer: [] })
  })
})

// Other kinds of exit would wait for pending look-ups.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

send({ ready: true })
