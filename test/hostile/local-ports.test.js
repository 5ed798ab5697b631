'use strict'

// More connections to one server than one address of this machine has ports for, in a network with 64 of them.

const t = require('tap')
const { execFile, execFileSync } = require('node:child_process')
const path = require('node:path')
const { conserves } = require('../helpers/results/conservation')

const PORTS = 64

/** A network of its own with so few ports. */
const NETWORK = ['-rn', 'sh', '-c', `ip link set lo up && echo 40000 ${40000 + PORTS - 1} > /proc/sys/net/ipv4/ip_local_port_range && exec "$@"`, 'sh']

function whyNot () {
  try {
    execFileSync('unshare', [...NETWORK, 'true'], { stdio: 'pipe' })
    return false
  } catch (error) {
    return `no network of its own can be made here: ${/** @type {Error} */ (error).message}`
  }
}

/** Starts a server and a run, and prints what came of it. */
const PROGRAM = `
  const server = require('node:http').createServer((request, response) => response.end('ok'))
  server.listen(3000, '127.0.0.1', async () => {
    console.log(JSON.stringify(await require('./index')({ url: 'http://127.0.0.1:3000', timeout: 20, ...JSON.parse(process.argv[1]) })))
    process.exit()
  })`

/**
 * @param {Record<string, unknown>} opts
 * @returns {Promise<Record<string, any>>} the result of a run
 */
function inNetwork (opts) {
  const args = [...NETWORK, process.execPath, '-e', PROGRAM, JSON.stringify(opts)]
  return new Promise((resolve, reject) => execFile('unshare', args, { cwd: path.join(__dirname, '../..') }, (error, stdout) => error === null ? resolve(JSON.parse(stdout)) : reject(error)))
}

t.test('each local address has all ports of its own', { skip: whyNot() }, async t => {
  for (const [localAddress, connections, code] of /** @type {const} */ ([[undefined, PORTS, 'EADDRNOTAVAIL'], ['127.0.0.2', PORTS, 'EADDRINUSE'], ['127.0.0.2,127.0.0.3,127.0.0.4', 150, null]])) {
    const result = await inNetwork({ connections: 150, duration: 1, rate: 500, ...localAddress !== undefined && { localAddress } })
    t.equal(result.connect.totalCount, connections, `${localAddress}`)
    t.strictSame(result.errorCodes, code === null ? {} : { [code]: 150 - connections }, 'those that find no port wait for one')
    t.ok(result['2xx'] > 0)
    conserves(t, result, { neverSent: result.errors })
  }
})
