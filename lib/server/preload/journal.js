'use strict'

// The parent's side of the journal of report-listening.js: the file, a folder for further reports, the environment for
// the command, which makes every Node.js process below it write to the journal, and a parser.

const { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')

const PRELOAD = path.join(__dirname, 'report-listening.js')

class Journal {
  constructor () {
    this.folder = mkdtempSync(path.join(tmpdir(), 'autocannon-'))
    this.file = path.join(this.folder, 'journal')
    writeFileSync(this.file, '')
    /** Removes the folder, also when process.exit() aborts the wait. */
    this.remove = () => {
      process.off('exit', this.remove)
      rmSync(this.folder, { recursive: true, force: true })
    }
    process.once('exit', this.remove)
  }

  /** Removes the journal once the ports are known; the folder stays for reports during the run. */
  close () {
    unlinkSync(this.file)
  }

  /**
   * Adds the preload to the environment, after the user's NODE_OPTIONS.
   * @type {(env: NodeJS.ProcessEnv) => NodeJS.ProcessEnv}
   */
  extend (env) {
    const options = [env.NODE_OPTIONS, `--require ${quote(PRELOAD)}`].filter(Boolean).join(' ')
    return { ...env, NODE_OPTIONS: options, AUTOCANNON_ON_PORT: this.file }
  }

  read () {
    return parseJournal(readFileSync(this.file, 'utf8'))
  }
}

/**
 * @typedef {object} Reports
 * @property {Set<number>} watched pids of the Node.js processes that report
 * @property {Set<number | string>} known their listening ports and paths; those without an entry in `servers` are not
 *   HTTP servers
 * @property {import('../listening-sockets').Candidate[]} servers in the order in which they started to listen
 */

/** @param {string} text one line of JSON per fact; the last line may be incomplete */
function parseJournal (text) {
  /** @type {Reports} */
  const reports = { watched: new Set(), known: new Set(), servers: [] }
  for (const line of text.split('\n').slice(0, -1)) {
    const { pid, known, port, host, socketPath, http = false } = JSON.parse(line)
    reports.watched.add(pid)
    if (known !== undefined) reports.known.add(known)
    else if (socketPath !== undefined) reports.servers.push({ address: { socketPath }, http })
    else if (port !== undefined) reports.servers.push({ address: { port, host }, http })
  }
  return reports
}

/**
 * Node.js splits NODE_OPTIONS at spaces; within double quotes a backslash escapes the character after it. Quotes are
 * used only if needed, because Node.js before 12 takes quotes as part of the path.
 * @param {string} word
 */
function quote (word) {
  return /[ "]/.test(word) ? `"${word.replace(/[\\"]/g, '\\$&')}"` : word
}

module.exports = { Journal, parseJournal, quote }
