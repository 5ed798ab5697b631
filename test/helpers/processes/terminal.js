'use strict'

// How a test runs a program on a pseudo-terminal.

const { missing } = require('../missing')

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

/** Says with which code the command has ended, and waits until that was read: what a terminal has not read 0.2 s after the end is lost. */
const SAYING = ['sh', '-c', 'trap : INT QUIT; "$@"; printf "\\033]ended %d\\007" $?; read -r _', 'sh']

/**
 * @param {string[]} command
 * @param {Parameters<typeof spawnOnTerminal>[1] & { type?: (said: string) => string | undefined }} options `type` is asked what to type after each output
 * @returns {Promise<{ code: number, screen: string }>} all that was written to the terminal
 */
function onTerminal (command, { type, ...options }) {
  return new Promise(resolve => {
    let screen = ''
    const terminal = spawnOnTerminal([...SAYING, ...command], options)
    terminal.onData(text => {
      screen += text
      const [end, code] = /\x1b\]ended (\d+)\x07/.exec(screen) ?? [] // eslint-disable-line no-control-regex
      if (end !== undefined) {
        terminal.write('\r')
        return resolve({ code: Number(code), screen: screen.slice(0, screen.indexOf(end)).replaceAll('\r\n', '\n') })
      }
      const keys = type?.(screen)
      if (keys !== undefined) terminal.write(keys)
    })
  })
}

/**
 * Closes our end, as a window that is closed does. `destroy()` of node-pty would send a signal of its own, too.
 * @param {import('@lydell/node-pty').IPty} terminal
 */
function closeTerminal (terminal) {
  /** @type {any} */ (terminal)._socket.destroy()
}

module.exports = { closeTerminal, lacksTerminal, onTerminal, spawnOnTerminal }
