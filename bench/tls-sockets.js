'use strict'

// What TLS over a native socket costs, which would give responses over TLS an arrival time: CPU time per request of tls.connect({ socket }) over one,
// against that of node:tls on its own socket. Each run is a process of its own; the ratio is paired by round.
//
//   node bench/tls-sockets.js [--rounds 7] [--seconds 3]

const { spawn } = require('node:child_process')
const { EventEmitter, once } = require('node:events')
const { readFileSync } = require('node:fs')
const https = require('node:https')
const net = require('node:net')
const path = require('node:path')
const { Duplex } = require('node:stream')
const tls = require('node:tls')
const { machine } = require('./accuracy/machine')
const { readFlags, start } = require('./program')

const CONNECTIONS = 100
const WARM_UP = 1000
const TLS = path.join(__dirname, '../test/fixtures/tls')

/** From here on arrival times over TLS are not worth their cost. */
const BOUND = 1.3

function serve () {
  const [key, cert] = ['key', 'cert'].map(name => readFileSync(path.join(TLS, `${name}.pem`)))
  const server = https.createServer({ key, cert }, (request, response) => response.end('hello world'))
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
}

/** Connections of all generators are made by this from now on. */
function overNativeSockets () {
  const transport = require('../lib/wire/transport')
  const { NativeSockets } = require('../lib/wire/sockets/native-sockets')
  const { RunningClock } = require('../lib/load/running-clock')
  const { now } = require('../lib/clock')
  const sockets = new NativeSockets(require('../lib/wire/sockets/binding').load().binding, { clock: new RunningClock(now), arrivals: true, batches: true })
  const secureContext = tls.createSecureContext({})
  transport.makeConnect = () => (target, onread, onReady) => {
    const socket = net.connect(target.port, target.host)
    // The one that was connected is closed when it is taken over.
    const link = Object.assign(new EventEmitter(), { destroy: () => socket.destroy() })
    socket.on('error', error => link.emit('error', error)).on('connect', () => {
      let [arrival, seen] = [-1, -1]
      const write = chunk => { native.write(chunk) }
      const plain = new Duplex({
        read () {},
        write (chunk, encoding, callback) { callback(write(chunk)) },
        writev (chunks, callback) { callback(chunks.forEach(({ chunk }) => write(chunk))) }
      })
      const native = sockets.adopt(socket, (size, buffer, from, ...times) => {
        [arrival, seen] = times
        // TLS copies it before this returns.
        plain.push(buffer.subarray(from, from + size))
        return true
      })
      const secure = tls.connect({ socket: plain, secureContext, rejectUnauthorized: false })
      // With a socket of ours, tls.connect takes no `onread`.
      secure.on('data', bytes => onread.callback(bytes.length, bytes, 0, arrival, seen))
      secure.on('secureConnect', () => onReady(secure)).on('close', () => native.destroy())
    })
    return link
  }
}

/** @param {string} kind @param {string} port @param {string} seconds */
async function load (kind, port, seconds) {
  if (kind === 'native') overNativeSockets()
  const instance = require('..')({ url: `https://127.0.0.1:${port}`, connections: CONNECTIONS, duration: Number(seconds) + WARM_UP / 1000, sockets: 'node' })
  let [requests, before] = [0, process.cpuUsage()]
  setTimeout(() => {
    before = process.cpuUsage()
    instance.on('tick', ({ counter }) => { requests += counter })
  }, WARM_UP)
  const { errors } = await instance
  const { user, system } = process.cpuUsage(before)
  process.stdout.write(`${JSON.stringify({ us: (user + system) / requests, errors })}\n`)
}

/** @param {string[]} args @returns {Promise<{ child: import('node:child_process').ChildProcess, line: string }>} a process, and the first line that it prints */
async function child (...args) {
  const child = spawn(process.execPath, [__filename, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TLS_SOCKETS: '1' } })
  const [line] = await once(child.stdout, 'data')
  return { child, line: String(line).trim() }
}

async function main () {
  const { rounds = 7, seconds = 3 } = readFlags({ rounds: 'count', seconds: 'positive' })
  const { child: server, line: port } = await child('serve')
  process.on('exit', () => server.kill())
  const ratios = []
  for (let round = 0; round < rounds; round++) {
    const us = {}
    for (const kind of round % 2 === 0 ? ['node', 'native'] : ['native', 'node']) {
      const { us: own, errors } = JSON.parse((await child('load', kind, port, `${seconds}`)).line)
      if (errors > 0) throw new Error(`${errors} errors over ${kind} sockets`)
      us[kind] = own
    }
    ratios.push(us.native / us.node)
    console.log(`${us.node.toFixed(1)} µs over node:tls, ${us.native.toFixed(1)} µs over native sockets`)
  }
  ratios.sort((a, b) => a - b)
  const median = ratios[Math.floor(rounds / 2)]
  console.log(`${machine()}: median ${median.toFixed(2)} (${ratios[0].toFixed(2)}–${ratios[rounds - 1].toFixed(2)}); arrival times over TLS are ${median <= BOUND ? '' : 'not '}worth it at ${BOUND}`)
  server.kill()
}

if (process.env.TLS_SOCKETS === undefined) start(main)
else if (process.argv[2] === 'serve') serve()
else load(process.argv[3], process.argv[4], process.argv[5])
