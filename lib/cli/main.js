'use strict'

// Owns a run from the command line: argv → options → instance → report → exit code, and which command runs instead. The
// only file that writes to stdout and sets the exit code.

const { isatty } = require('node:tty')
const { readFlags, apiOptions } = require('./args')
const { AutocannonError, OptionsError } = require('../errors')
const { flags } = require('../options/table')
const { validate } = require('../options/validate')
const { printable } = require('../units')

const EXIT = Object.freeze({ answered: 0, unanswered: 1, misuse: 2, failed: 3 })

/** Loaded by those who use them. */
const COMMANDS = /** @type {const} */ ({
  compare: () => require('./compare').runCompare,
  merge: () => require('./merge').runMerge
})

/** @type {Readonly<Record<string, number>>} the exit code of a run that a signal ended */
const SIGNALS = Object.freeze({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 })

/** SIGPIPE is not one of them: a server that goes away raises it, too. */
const CAUGHT = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * @param {string[]} argv without node and the script
 */
async function start (argv) {
  const interrupt = new Interrupt()
  try {
    const code = await run(argv, interrupt)
    process.exitCode = unwritten === null ? code : EXIT.unanswered
  } catch (error) {
    if (!(error instanceof AutocannonError)) throw error
    process.stderr.write(`autocannon: ${error.message.split('\n').join('\nautocannon: ')}\n`)
    if (error instanceof OptionsError) process.stderr.write('Try autocannon --help for more.\n')
    process.exitCode = error instanceof OptionsError ? EXIT.misuse : EXIT.unanswered
  } finally {
    interrupt.forget()
    // At its exit Node.js gives a terminal its modes back, and aborts when that has gone.
    if (interrupt.signal === 'SIGHUP' && interrupt.atTerminal) process.kill(process.pid, 'SIGHUP')
  }
}

/**
 * @param {string[]} argv
 * @param {Interrupt} interrupt
 * @returns {Promise<number>} the exit code
 */
async function run (argv, interrupt) {
  const [first, ...rest] = argv
  if (first === 'compare' || first === 'merge') {
    const { text, code } = COMMANDS[first]()(rest, { stdout: process.stdout, env: process.env })
    print(text)
    return code
  }
  const flags = readFlags(argv)
  const { command, problems } = flags
  if (flags.raw.help === true) return print(require('./help').help())
  if (flags.raw.version === true) return print(`autocannon v${require('../../package.json').version}\nnode ${process.version}\n`)

  const raw = await withConfig(flags)
  if (raw.githubSummary === true) problems.push(...require('./verdict').summaryProblems(process.env))
  const outputs = raw.output === undefined && raw.junit === undefined ? null : new (require('./outputs').Outputs)(raw, process.stdout)
  const { values } = validate(raw, label, [...problems, ...outputs?.problems() ?? []])
  if (values.printConfig) return print(require('./print-config').printedConfig(values, raw))
  let server = null
  try {
    if (values.onPort) server = await startServer(command, raw, interrupt)
    const result = await benchmark(raw, values, interrupt, outputs)
    await outputs?.end()
    if (interrupt.signal !== null) return SIGNALS[interrupt.signal]
    return exitCodeOf(result)
  } catch (error) {
    if (error === interrupt && interrupt.signal !== null) return SIGNALS[interrupt.signal]
    throw error
  } finally {
    await server?.stop()
  }
}

/**
 * @param {ReturnType<typeof readFlags>} flags
 * @returns {Promise<Record<string, any>>} raw options; those of the flags win over those of the config
 */
async function withConfig ({ raw, urlImplied }) {
  if (raw.config === undefined) return raw
  const config = await require('./config').loadConfig(raw.config)
  const url = urlImplied && config.url !== undefined ? [config.url].flat() : raw.url
  return { ...config, ...raw, ...url !== undefined && { url } }
}

/**
 * @param {Record<string, any>} result
 * @returns {number}
 */
function exitCodeOf (result) {
  const { hasFailed } = require('./verdict')
  const answers = result.requests?.total ?? result.totals.completed
  return answers === 0 ? EXIT.unanswered : hasFailed(result) ? EXIT.failed : EXIT.answered
}

/**
 * @param {Record<string, any>} raw
 * @param {Record<string, any>} values
 * @param {Interrupt} interrupt
 * @param {import('./outputs').Outputs | null} outputs
 * @returns {Promise<Record<string, any>>} the result
 */
function benchmark (raw, values, interrupt, outputs) {
  // Not at the top: neither the help nor a wrong flag needs the engine.
  const { Instance } = require('../run/instance')
  const { track } = require('../report/progress')
  const { printResult } = require('../report/text')
  const instance = new Instance(apiOptions(raw, values))
  interrupt.onSignal = () => instance.stop()
  if (interrupt.signal !== null) instance.stop()
  if (values.debug) instance.on('reqError', error => process.stderr.write(`${printable(`${error.code ?? error.name}: ${wordsOf(error)}`)}\n`))
  // Before those that show the result.
  if (values.baseline !== undefined) {
    const { compare } = require('../stats/comparison')
    instance.on('done', result => { result.comparison = compare(values.baseline, [result], values.failIf) })
  }
  if (values.githubSummary) {
    const { appendSummary, verdictMarkdown } = require('./verdict')
    instance.on('done', result => appendSummary(verdictMarkdown(result), process.env))
  }
  if (values.json || values.skipAggregateResult) {
    instance.on('done', result => print(JSON.stringify(result) + '\n'))
  } else {
    track(instance, {
      renderProgressBar: values.progress,
      renderResultsTable: values.verbose,
      renderLatencyTable: values.latency,
      renderStatusCodes: values.renderStatusCodes,
      // Not asked for, it is shown all the same when several requests have names.
      ...values.byRequest && { renderRequestTable: true }
    })
  }
  outputs?.follow(instance, values.baseline)
  return Promise.resolve(instance).catch(error => {
    // What was measured until the run failed is not lost.
    if (error.result?.requests?.sent > 0) process.stderr.write(printResult(error.result))
    throw error
  })
}

/** @param {Error & { errors?: Error[] }} error one of each address when a name has several */
function wordsOf ({ message, errors = [] }) {
  return message || errors.map(({ message }) => message).join(', ')
}

/**
 * Rejects with the interrupt when a signal comes before the server listens.
 * @param {string[]} command
 * @param {Record<string, any>} raw its url or socketPath is set to where the server listens
 * @param {Interrupt} interrupt
 */
async function startServer (command, raw, interrupt) {
  const { startServer } = require('./on-port')
  const controller = new AbortController()
  interrupt.onSignal = () => controller.abort(interrupt)
  const server = await startServer(command, { stdout: process.stderr, stderr: process.stderr, signal: controller.signal })
  if ('socketPath' in server.address) {
    raw.socketPath = server.address.socketPath
  } else {
    const { address } = server
    raw.url = raw.url.map((/** @type {string} */ url) => withAddress(url, address))
  }
  return server
}

/**
 * @param {string} url a host other than localhost is what the user wants to be asked for
 * @param {{ host: string, port: number }} address
 */
function withAddress (url, { host, port }) {
  const changed = new URL(/^[a-z]+:\/\//i.test(url) ? url : 'http://' + url)
  if (changed.hostname === 'localhost') changed.hostname = host.includes(':') ? `[${host}]` : host
  changed.port = String(port)
  return changed.href
}

/**
 * What somebody wanted and can't have, such as a result on a full disk. A file's error comes after the write.
 * @type {Error | null}
 */
let unwritten = null

/**
 * Also of the last write, which comes after all else.
 * @this {NodeJS.WriteStream}
 * @param {NodeJS.ErrnoException} error
 */
function noteUnwritten (error) {
  if (signalOf(this, error) !== null || unwritten !== null) return
  unwritten = error
  process.exitCode = EXIT.unanswered
  process.stderr.write(`autocannon: the output could not be written: ${error.message}\n`)
}

/**
 * @param {NodeJS.WriteStream} stream
 * @param {NodeJS.ErrnoException} error
 * @returns {'SIGPIPE' | 'SIGHUP' | null} the signal that says the same: a pipe's reader has gone, or a terminal was closed
 */
function signalOf ({ isTTY }, { code }) {
  return code === 'EPIPE' ? 'SIGPIPE' : code === 'EIO' && isTTY ? 'SIGHUP' : null
}

/**
 * Asks for the report so far: at the first signal, or when whoever read our output has gone, as `head` does. A second
 * signal ends the process at once.
 */
class Interrupt {
  constructor () {
    /** @type {string | null} */
    this.signal = null
    this.onSignal = () => {}
    this.hungUp = false
    /** @param {string} signal */
    this.handle = signal => {
      // A write may tell before the signal does that the terminal was closed.
      if (this.hungUp && signal === 'SIGHUP') return
      if (this.signal !== null) process.exit(SIGNALS[signal])
      this.signal = signal
      this.onSignal()
    }
    const { handle } = this
    const interrupt = this
    /**
     * @this {NodeJS.WriteStream}
     * @param {NodeJS.ErrnoException} error
     */
    this.handleLostStream = function (error) {
      const signal = signalOf(this, error)
      if (signal === null) return interrupt.onSignal()
      if (interrupt.signal === null) handle(signal)
      interrupt.hungUp ||= signal === 'SIGHUP'
    }
    this.atTerminal = [0, 1, 2].some(isatty)
    unwritten = null
    for (const signal of CAUGHT) process.on(signal, this.handle)
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', this.handleLostStream)
      // A pipe may close after the last write.
      if (!stream.listeners('error').includes(noteUnwritten)) stream.on('error', noteUnwritten)
    }
  }

  forget () {
    for (const signal of CAUGHT) process.off(signal, this.handle)
    for (const stream of [process.stdout, process.stderr]) stream.off('error', this.handleLostStream)
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
 * @param {string[]} argv without node and the script
 * @returns {Record<string, any>} options for autocannon()
 * @throws {OptionsError}
 */
function parseArguments (argv) {
  const { raw, problems } = readFlags(argv)
  if (raw.config !== undefined) problems.push('--config: a config is read by the command line only; load it yourself and add its options')
  const { values } = validate(raw, label, problems)
  return apiOptions(raw, values)
}

/** @param {import('../options/table').Option} option */
function label (option) {
  return option.name === 'url' ? 'URL' : flags(option)
}

module.exports = { start, parseArguments }
