'use strict'

// Owns how a test runs a program on a pseudo-terminal.

const { missing } = require('./missing')

/** @type {typeof import('@lydell/node-pty') | null} */
let pty = null
try {
  pty = require('@lydell/node-pty')
} catch {}

/** Why tests on a terminal are not run here; false when they are. */
const lacksTerminal = pty === null
  ? missing(`@lydell/node-pty has no pseudo-terminal for ${process.platform} on ${process.arch}: run npm ci on a machine that it has one for`)
  : process.platform === 'win32' && 'Windows has no terminal of Unix'

/**
 * @param {string[]} command
 * @param {{ env: NodeJS.ProcessEnv, columns?: number }} options
 */
function spawnOnTerminal ([file, ...args], { env, columns = 100 }) {
  return /** @type {NonNullable<typeof pty>} */ (pty).spawn(file, args, { name: env.TERM, cols: columns, rows: 30, env })
}

/**
 * Closes our end, as a window that is closed does. `destroy()` of node-pty would send a signal of its own, too.
 * @param {import('@lydell/node-pty').IPty} terminal
 */
function closeTerminal (terminal) {
  /** @type {any} */ (terminal)._socket.destroy()
}

module.exports = { closeTerminal, lacksTerminal, spawnOnTerminal }
