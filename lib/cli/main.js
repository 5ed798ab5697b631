'use strict'

// The command line from argv to the exit code: flags, config and values, then a run (benchmark.js) or another command
// (commands/), then outputs and the last line. Only this file writes to stdout and sets the exit code.

const { grammarOf, readFlags } = require('./args')
const { WORDS, commandOf } = require('./commands/index')
const { EXIT, SIGNALS, exitCodeOf, unread, unwritten } = require('./exit-code')
const { isMisuse, isUnusable, placeIn, reportFailure } = require('./failure')
const {
  NO_CONFIG, bodyOfGet, callOf, flagsOfOptions, labelOf, lowered, remembered, unusedDuration, validated, withConfig
} = require('./raw-options')
const { Interrupt } = require('./process/interrupt')
const { UnexpectedEnd } = require('./process/unexpected-end')
const { startServer } = require('./commands/measure')
const { apiOptions, runValues } = require('./run-values')
const { say } = require('./say')
const { openViews } = require('./output/views')
const { AutocannonError, HookError } = require('../core/errors')
const { printableLines } = require('../core/foreign-text')
const { isModulePath } = require('../options/users/functions')
const { hasFunctions } = require('../options/users/user-rules')
const { TABLE } = require('../options/table')
const { redacted, withoutUserinfo } = require('../core/secrets')

const GRAMMAR = grammarOf(TABLE, 'url', WORDS)

/**
 * @typedef {(error: Error) => void} OnUnwritten receives the reason why an output cannot be written, such as a full
 *   disk
 *
 * @typedef {object} Ended
 * @property {number} code the exit code if every output is written
 * @property {(end: { code: number, written: boolean }) => string} [conclude] the last line of the text report
 */

/**
 * @param {string[] | Record<string, any>} [given] arguments without node and the script, or options as parseArguments
 *   gives them
 */
async function start (given = []) {
  const argv = Array.isArray(given) ? given : []
  let written = true
  let read = true
  /**
   * Collects errors until the end: a failed last write to a stream is reported after everything else.
   * @type {OnUnwritten}
   */
  const onUnwritten = error => {
    written = false
    process.exitCode = unwritten(Number(process.exitCode ?? EXIT.good))
    complain(error instanceof AutocannonError ? error.message : `the output could not be written: ${error.message}`)
  }
  const onUnread = () => {
    read = false
    process.exitCode = unread(Number(process.exitCode ?? EXIT.good))
  }
  const interrupt = new Interrupt({
    streams: [process.stdout, process.stderr], onUnwritten, onUnread,
    exit: code => {
      // Data that setup created still exists.
      if (running?.isTearingDown) complain('teardown was ended before it had finished, by a second signal')
      process.exit(code)
    }
  })
  const unexpectedEnd = new UnexpectedEnd(code => {
    if (interrupt.signal !== null) return
    process.exitCode = EXIT.impossible
    UnexpectedEnd.report(code, running, { stderr: process.stderr, complain })
  })
  try {
    const { code: planned, conclude } = await run(
      argv, interrupt, onUnwritten, argv === given ? null : flagsOfOptions(given)
    )
    const code = !written ? unwritten(planned) : read ? planned : unread(planned)
    if (conclude !== undefined) process.stderr.write(`${conclude({ code, written })}\n`)
    process.exitCode = code
  } catch (error) {
    if (!(error instanceof AutocannonError)) throw error
    reportFailure(error, argv[0], { stderr: process.stderr, complain })
    process.exitCode = isMisuse(error) ? EXIT.misuse : EXIT.impossible
  } finally {
    unexpectedEnd.forget()
    running = null
    interrupt.forget()
    // At exit Node.js restores the terminal's modes, and aborts if the terminal has closed.
    if (interrupt.signal === 'SIGHUP' && interrupt.atTerminal) process.kill(process.pid, 'SIGHUP')
  }
}

/** The current run. @type {import('../run/instance').Instance | null} */
let running = null

/**
 * @param {string[]} argv
 * @param {Interrupt} interrupt
 * @param {OnUnwritten} onUnwritten
 * @param {ReturnType<typeof readFlags> | null} given instead of argv
 * @returns {Promise<Ended>}
 */
async function run (argv, interrupt, onUnwritten, given) {
  const [first, ...rest] = argv
  // The default command; the options of the module are its config.
  if (first === 'run' && !rest.some(isHelp)) return runModule(rest, interrupt, onUnwritten)
  return runWith(argv, interrupt, onUnwritten, given)
}

/** @param {string} arg */
const isHelp = arg => arg === '--help' || arg === '-h'

/** @type {(argv: string[], interrupt: Interrupt, onUnwritten: OnUnwritten) => Promise<Ended>} */
async function runModule (argv, interrupt, onUnwritten) {
  const { file, argv: others } = require('./config/user-module').moduleIn(argv)
  const { options, notes } = await optionsOf(file)
  return runWith(others, interrupt, onUnwritten, null, options, notes, file)
}

/**
 * Loads a module. Its output is handled like the output of its functions.
 * @param {string} file of a module
 */
async function optionsOf (file) {
  userCode ??= require('./process/user-code')
  const printing = userCode.UserCode.printedAside(console)
  try {
    return await require('./config/user-module').optionsOf(file, complain)
  } finally {
    printing.end()
  }
}

/**
 * @param {string[]} argv
 * @param {Interrupt} interrupt
 * @param {OnUnwritten} onUnwritten
 * @param {ReturnType<typeof readFlags> | null} given instead of argv
 * @param {Record<string, any> | null} [base] options of a module: flags take precedence
 * @param {import('./config/k6-options').Note[]} [baseNotes] explain how these options were converted
 * @param {string} [module] its path
 * @returns {Promise<Ended>}
 */
async function runWith (argv, interrupt, onUnwritten, given, base = null, baseNotes = [], module = '') {
  const [first, ...rest] = argv
  const runs = commandOf(first)
  if (runs !== undefined) return { code: await runCommand(runs, rest, interrupt, onUnwritten) }
  const flags = given ?? readFlags(argv, process.env, undefined, GRAMMAR)
  if (flags.raw.help === true) {
    const help = /** @type {import('./commands/index').Command} */ (commandOf('help'))
    return { code: await runCommand(help, require('./help').subjectIn(argv), interrupt, onUnwritten) }
  }
  if (flags.raw.version === true) return { code: print(require('./version').versionText(flags.raw)) }

  // The module of -u may also export options of the run.
  let hasScenarios = false
  if (base === null && given === null && typeof flags.raw.user === 'string' && isModulePath(flags.raw.user)) {
    module = flags.raw.user;
    ({ options: base, notes: baseNotes } = await optionsOf(module))
    hasScenarios = base?.user === undefined
  }
  const typed = Object.keys(flags.raw)
  const { raw, command, problems, label } = await withConfig(argv, flags, GRAMMAR, base, module)
  if (hasScenarios) delete raw.user
  const outputs = outputsOf(raw, onUnwritten)
  const { values } = validated(raw, label, [...problems, ...outputs?.problems() ?? []])
  if (!values.json) {
    const used = baseNotes.filter(({ option }) => !typed.includes(option)).map(({ sentence }) => sentence)
    const notes = [...unusedDuration(values, raw, label), ...bodyOfGet(values, raw, label), ...lowered(values, raw)]
    for (const note of [...used, ...flags.notes, ...notes]) complain(note)
  }
  if (values.baseline !== undefined && !values.acrossMachines && values.agents === undefined) {
    require('./machines').refuseMachines(values.baseline)
  }
  if (values.printConfig) return { code: print(require('./config/print-config').printedConfig(values, raw, command)) }
  interrupt.listen()
  let server = null
  let views = null
  try {
    views = await openViews(values, { stderr: process.stderr, env: process.env, interrupt })
    let run = runValues(values)
    if (values.onPort) ({ server, values: run } = await startServer(command, run, interrupt))
    const UserCode = hasFunctions(run) ? (userCode = require('./process/user-code')).UserCode : null
    const { stdout, stderr } = process
    // Lazy: neither the help nor a wrong flag needs the engine.
    const result = await require('./benchmark').benchmark(run, {
      interrupt, server, outputs, views, UserCode, stdout, stderr, printer: console, print, complain,
      onRun: instance => { running = instance }
    })
    const { inconclusive } = values
    const code = exitCodeOf(result, { signal: interrupt.signal, forever: values.forever, inconclusive })
    const hasText = !values.json && !values.skipAggregateResult
    return {
      code,
      ...hasText && {
        conclude: end => require('./commands/concluded').concludedBy(
          result,
          { ...end, signal: interrupt.signal, by: interrupt.by, inconclusive },
          process.stderr
        )
      }
    }
  } catch (error) {
    if (error === interrupt && interrupt.signal !== null) return { code: SIGNALS[interrupt.signal] }
    if (error instanceof AutocannonError && error.code === 'AC_WS_MATCH') {
      error.message = error.message.replace(/^match:/, `${callOf(label)('match')}:`)
    }
    if (isUnusable(error)) {
      const path = String(HookError.unusableOf(error))
      error.message = `${label.at?.(placeIn(raw, path)) ?? ''}${error.message}`
    }
    if (error instanceof AutocannonError) {
      outputs?.fail(error, values.title ?? 'autocannon ' +
        `${(values.onPort ? redacted(command, 'command') : values.url.map(withoutUserinfo)).join(' ')}`)
    }
    throw error
  } finally {
    await Promise.all([outputs?.end(), views?.end(), server?.stop()])
  }
}

/**
 * @param {Readonly<import('./commands/index').Command>} command
 * @param {string[]} argv
 * @param {Interrupt} interrupt
 * @param {OnUnwritten} onUnwritten
 */
async function runCommand (command, argv, interrupt, onUnwritten) {
  const { env, stdout, stderr } = process
  const {
    text, code, summary, complaint, hint, last, files = [], failure
  } = await command.load()(argv, { stdout, stderr, env, interrupt, onUnwritten })
  print(text)
  if (failure !== undefined) throw failure
  if (typeof complaint === 'string') complain(complaint)
  if (hint !== undefined) stderr.write(`${hint}\n`)
  if (last !== undefined) print(`${last}\n`)
  const { OutputFile } = require('./output/output-file')
  const summaries = env.GITHUB_STEP_SUMMARY === undefined || summary === undefined
    ? []
    : [{ file: env.GITHUB_STEP_SUMMARY, text: summary, append: true }]
  for (const { file, text, append } of [...summaries, ...files.map(one => ({ ...one, append: false }))]) {
    const output = new OutputFile(file, { append })
    output.write(text)
    const failure = await output.end()
    if (failure !== null) onUnwritten(failure)
  }
  return code
}

/**
 * Returns null without outputs.
 * @type {(raw: Record<string, any>, onUnwritten: OnUnwritten) => import('./output/outputs').Outputs | null}
 */
function outputsOf (raw, onUnwritten) {
  const { env, stdout } = process
  return raw.output ?? raw.junit ?? raw.githubSummary
    ? new (require('./output/outputs').Outputs)(raw, { stdout, env, onUnwritten })
    : null
}

/** Loaded for runs with user functions. @type {typeof import('./process/user-code') | null} */
let userCode = null

/**
 * For the command's own process only: a program that calls `start` has other work.
 * @param {string[]} argv without node and the script
 */
async function command (argv) {
  await start(argv)
  userCode?.UserCode.endProcess([process.stdout, process.stderr], () => process.exit())
}

/** @param {string} message */
function complain (message) {
  say(process.stderr, printableLines(message).split('\n').join('\nautocannon: '))
}

/** @type {(text: string) => number} */
function print (text) {
  process.stdout.write(text)
  return EXIT.good
}

/**
 * @param {string[]} argv without node and the script
 * @returns {Record<string, any>} options for autocannon(), and `debug`, which the program implements
 * @throws {import('../core/errors').OptionsError}
 */
function parseArguments (argv) {
  const flags = readFlags(argv)
  const { raw, problems } = flags
  if (raw.config !== undefined) problems.push(`--config: ${NO_CONFIG}`)
  return remembered(apiOptions(raw, validated(raw, labelOf(flags), problems).values), flags)
}

module.exports = { command, start, parseArguments }
