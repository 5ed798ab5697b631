'use strict'

// Owns a run from the command line: argv → options → instance → report → exit code. The only file that writes to stdout
// and sets the exit code.

const { readFlags } = require('./args')
const { AutocannonError, OptionsError } = require('../errors')
const { flags, byName } = require('../options/table')
const { validate } = require('../options/validate')

const EXIT = Object.freeze({ answered: 0, unanswered: 1, misuse: 2 })

/** @type {Readonly<Record<string, number>>} the exit code of a run that a signal ended */
const SIGNALS = Object.freeze({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })

/**
 * @param {string[]} argv without node and the script
 */
async function main (argv) {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  try {
    process.exitCode = await run(argv)
  } catch (error) {
    if (!(error instanceof AutocannonError)) throw error
    process.stderr.write(`autocannon: ${error.message.split('\n').join('\nautocannon: ')}\n`)
    if (error instanceof OptionsError) process.stderr.write('Try autocannon --help for more.\n')
    process.exitCode = error instanceof OptionsError ? EXIT.misuse : EXIT.unanswered
  }
}

/**
 * @param {string[]} argv
 * @returns {Promise<number>} the exit code
 */
async function run (argv) {
  const { raw, command, problems } = readFlags(argv)
  if (raw.help === true) return print(require('./help').help())
  if (raw.version === true) return print(`autocannon v${require('../../package.json').version}\nnode ${process.version}\n`)

  const { values } = validate(raw, option => option.name === 'url' ? 'URL' : flags(option), problems)
  const interrupt = new Interrupt()
  const server = values.onPort ? await startServer(command, raw, interrupt) : null
  try {
    const result = await benchmark(raw, values, interrupt)
    if (values.json) print(JSON.stringify(result) + '\n')
    if (interrupt.signal !== null) return SIGNALS[interrupt.signal]
    return result.requests.total > 0 ? EXIT.answered : EXIT.unanswered
  } finally {
    await server?.stop()
    interrupt.forget()
  }
}

/**
 * @param {Record<string, any>} raw
 * @param {Record<string, any>} values
 * @param {Interrupt} interrupt
 * @returns {Promise<Record<string, any>>} the result
 */
function benchmark (raw, values, interrupt) {
  const autocannon = require('../..')
  const api = Object.fromEntries(Object.entries(raw).filter(([name]) => byName.get(name)?.where !== 'cli'))
  if (values.input !== undefined) api.body = values.input
  const instance = autocannon(api)
  interrupt.onSignal = () => instance.stop()
  if (values.debug) instance.on('reqError', error => process.stderr.write(`${error.code ?? error.name}: ${error.message}\n`))
  if (!values.json) {
    autocannon.track(instance, {
      renderProgressBar: values.progress,
      renderResultsTable: values.verbose,
      renderLatencyTable: values.latency,
      renderStatusCodes: values.renderStatusCodes
    })
  }
  return Promise.resolve(instance)
}

/**
 * @param {string[]} command
 * @param {Record<string, any>} raw its url or socketPath is set to where the server listens
 * @param {Interrupt} interrupt
 */
async function startServer (command, raw, interrupt) {
  const { startServer } = require('./on-port')
  const controller = new AbortController()
  interrupt.onSignal = () => controller.abort()
  const server = await startServer(command, { stdout: process.stderr, stderr: process.stderr, signal: controller.signal })
  if ('socketPath' in server.address) {
    raw.socketPath = server.address.socketPath
  } else {
    const { port } = server.address
    raw.url = raw.url.map((/** @type {string} */ url) => withPort(url, port))
  }
  return server
}

/**
 * @param {string} url
 * @param {number} port
 */
function withPort (url, port) {
  const changed = new URL(/^[a-z]+:\/\//i.test(url) ? url : 'http://' + url)
  changed.port = String(port)
  return changed.href
}

/** The first signal asks for the report so far, the second ends the process at once. */
class Interrupt {
  constructor () {
    /** @type {NodeJS.Signals | null} */
    this.signal = null
    this.onSignal = () => {}
    /** @param {NodeJS.Signals} signal */
    this.handle = signal => {
      if (this.signal !== null) process.exit(SIGNALS[signal])
      this.signal = signal
      this.onSignal()
    }
    for (const signal of Object.keys(SIGNALS)) process.on(signal, this.handle)
  }

  forget () {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, this.handle)
  }
}

/**
 * @param {string} text
 * @returns {number}
 */
function print (text) {
  process.stdout.write(text)
  return EXIT.answered
}

/**
 * Whoever read our output has gone, as `head` does: there is nobody left to tell.
 * @param {NodeJS.ErrnoException} error
 */
function ignoreClosedPipe (error) {
  if (error.code !== 'EPIPE') throw error
}

module.exports = { main }
