'use strict'

// The text of `--version`. With --verbose it includes the sockets and the clock that a run would use, and why.

const path = require('node:path')
const { version } = require('../../package.json')

const ROOT = path.join(__dirname, '..', '..')

/**
 * @param {Record<string, any>} raw flags: `sockets` and `clock`, and `verbose` for all lines
 * @returns {string} lines
 */
function versionText ({ verbose, ...chosen }) {
  const short = `autocannon v${version}\nnode ${process.version}\n`
  if (verbose !== true) return short
  const { usable, FILE } = require('../net/sockets/binding')
  const { reason } = chosen.sockets === 'node' ? { reason: 'chosen by --sockets node' } : usable()
  return `${short}platform: ${process.platform} ` +
    `${process.arch}\n${socketLines(reason, path.relative(ROOT, FILE), chosen.clock)}`
}

/**
 * @param {string | null} reason why native sockets are not used
 * @param {string} file of the add-on, in this package
 * @param {string | undefined} clock as given
 */
function socketLines (reason, file, clock) {
  if (reason !== null) {
    return `sockets: node (${reason})\nclock: read (the sockets of Node.js do not report when a response arrived)\n`
  }
  const when = clock === 'read'
    ? 'read (chosen by --clock read)'
    : 'arrival (a latency ends when the kernel receives the response)'
  return `sockets: native (${file.split(path.sep).join('/')}); over TLS and through undici those of Node.js\nclock: ` +
    `${when}; over TLS and through undici read\n`
}

module.exports = { versionText }
