'use strict'

// Opens a live page before a run: its address, its link, and the browser on request.

const { randomBytes } = require('node:crypto')
const { hostname, networkInterfaces } = require('node:os')
const { LivePage } = require('./live-page')
const { PageServer } = require('./server')
const { inherited } = require('../../core/secrets')

/** Commands that open a link, by system. @type {Readonly<Record<string, [string, ...string[]]>>} */
const OPENERS = Object.freeze({ darwin: ['open'], win32: ['cmd', '/c', 'start', ''] })

/** The wait for a connection of the opened browser, ms. */
const BROWSER = 5000

/**
 * @typedef {object} Options
 * @property {import('../../options/ui').Address} ui
 * @property {boolean} open whether to open a browser
 * @property {Record<string, any>} [baseline]
 * @property {string} version of autocannon
 *
 * @typedef {object} Context
 * @property {(sentence: string) => void} say
 * @property {(link: string) => void} show prints the link
 * @property {() => void} stop ends the run, as Ctrl-C does
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * @param {Options} options
 * @param {Context} context
 * @returns {Promise<{ follow: LivePage['follow'], compare: LivePage['compare'], end: () => Promise<void> }>}
 * @throws {import('../../core/errors').AutocannonError}
 */
async function openPage ({ ui, open, baseline, version }, { say, show, stop, env }) {
  const token = randomBytes(16).toString('base64url')
  const page = new LivePage({ baseline })
  const names = new Set([
    'localhost', '127.0.0.1', '::1', ui.host.toLowerCase(), ...ui.isLoopback ? [] : [hostname().toLowerCase()]
  ])
  const server = new PageServer(page, { rules: { token, names, anyAddress: !ui.isLoopback }, version, stop })
  const port = await server.listen(ui)
  const link = `http://${shownHost(ui.host)}:${port}/${token}/`
  show(link)
  if (!ui.isLoopback) {
    say('anyone with this link can watch the run and end it; the page is sent over the network as plain text')
  }
  if (open) {
    server.awaited = Infinity
    openBrowser(link, env, reason => {
      server.awaited = 0
      say(`no browser could be opened (${reason}): open the link`)
    })
  }
  return {
    follow: (instance, about) => page.follow(instance, about),
    compare: last => page.compare(last),
    end () {
      if (server.awaited === Infinity) server.awaited = Date.now() + BROWSER
      return server.end()
    }
  }
}

/** Returns the host name for links from other machines. @type {(host: string) => string} */
function shownHost (host) {
  if (host === '0.0.0.0' || host === '::') {
    return Object.values(networkInterfaces()).flat().find(address =>
      address?.family === 'IPv4' && !address.internal)?.address ??
      '127.0.0.1'
  }
  return host.includes(':') ? `[${host}]` : host
}

/** @type {(link: string, env: NodeJS.ProcessEnv, onFailure: (reason: string) => void) => void} */
function openBrowser (link, env, onFailure) {
  const { spawn } = require('node:child_process')
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, link], { env: inherited(env), stdio: 'ignore', detached: true })
  child.once('error', error => onFailure(
    /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? `${command} is not there` : error.message
  ))
  child.once('exit', code => { if (code !== 0 && code !== null) onFailure(`${command} ended with ${code}`) })
  child.unref()
}

module.exports = { openPage }
