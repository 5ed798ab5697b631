'use strict'

// A run from the command line: argv → options → instance → report → exit code, or another command. The only file that
// writes to stdout and sets the exit code.

const { resolve, sep } = require('node:path')
const { types } = require('node:util')
const { grammarOf, readFlags } = require('./args')
const { WORDS, commandOf } = require('./commands/index')
const { EXIT, SIGNALS, answersOf, exitCodeOf, unread, unwritten } = require('./exit-code')
const { NO_CONFIG, flagsOfOptions, labelOf, remembered, unusedDuration, validated, withConfig } = require('./given')
const { Interrupt } = require('./interrupt')
const { measured, measuredBefore, startServer } = require('./commands/measure')
const { apiOptions, runValues } = require('./run-values')
const { say } = require('./say')
const { openViews } = require('./views')
const { amountText, isOfIterations } = require('../core/amount')
const { countedAt } = require('../core/counted')
const { AutocannonError, HookError, OptionsError } = require('../core/errors')
const { isRecord, printableData, printableLines, toJson } = require('../core/foreign-text')
const { mostConnections } = require('../options/load/load')
const { isModulePath } = require('../options/users/functions')
const { hasFunctions } = require('../options/users/user-rules')
const { TABLE } = require('../options/table')
const { placeOf: placeOfKey } = require('../requests/place')
const { redacted, withoutUserinfo } = require('../core/secrets')
const { plural } = require('../core/units')

/** A stack that begins there has no frame of a hook. */
const OURS = resolve(__dirname, '..') + sep

/** Of a run. */
const GRAMMAR = grammarOf(TABLE, 'url', WORDS)

/**
 * @typedef {(error: Error) => void} OnUnwritten receives why an output cannot be written, such as a full disk
 *
 * @typedef {object} Ended
 * @property {number} code the exit code when every output is written
 * @property {(end: { code: number, written: boolean }) => string} [conclude] the last line of a report that people read
 */

/**
 * @param {string[] | Record<string, any>} [given] arguments without node and the script, or options as parseArguments
 *   gives them
 */
async function start (given = []) {
  const argv = Array.isArray(given) ? given : []
  let written = true
  let read = true
  /** A failed last write to a stream is reported after all else. @type {OnUnwritten} */
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
    streams: [process.stdout, process.stderr], onUnwritten, onUnread, exit: code => process.exit(code)
  })
  let thrown = false
  const onThrown = () => { thrown = true }
  // Node.js reports an exception, and a signal needs no message.
  const ended = (/** @type {number} */ code) => {
    if (!thrown && interrupt.signal === null) endsUnfinished(code)
  }
  process.on('uncaughtExceptionMonitor', onThrown)
  process.on('exit', ended)
  try {
    const { code: planned, conclude } = await run(
      argv, interrupt, onUnwritten, argv === given ? null : flagsOfOptions(given)
    )
    const code = !written ? unwritten(planned) : read ? planned : unread(planned)
    if (conclude !== undefined) process.stderr.write(`${conclude({ code, written })}\n`)
    process.exitCode = code
  } catch (error) {
    if (!(error instanceof AutocannonError)) throw error
    const { hasReport = false, unread } = /** @type {{ hasReport?: boolean, unread?: string }} */ (error)
    // Of a module with a syntax error whose line is not known.
    const line = unread === undefined ? '' : require('./syntax-line').syntaxLine(unread)
    const whole = error.message + line + placeOf(error.cause)
    // After a report, the last line is the one that is read.
    const [, ...more] = whole.split('\n')
    // An exception has one line with its place, and a text of a server may have many.
    const isPlaced = hasReport && more.length === 1 && more[0].startsWith('at ')
    if (!hasReport || (more.length > 0 && !isPlaced)) complain(whole)
    if (hasReport) {
      process.stderr.write(require('./commands/concluded').concludedByEnd(
        error, EXIT.impossible, process.stderr, isPlaced ? more[0] : ''
      ))
    }
    if (error instanceof OptionsError) {
      process.stderr.write('Try autocannon ' +
        `${commandOf(argv[0]) === undefined || argv[0] === 'help' ? '' : argv[0] + ' '}--help for more.\n`)
    }
    process.exitCode = isMisuse(error) ? EXIT.misuse : EXIT.impossible
  } finally {
    process.off('exit', ended)
    process.off('uncaughtExceptionMonitor', onThrown)
    running = null
    interrupt.forget()
    // At its exit Node.js gives a terminal its modes back, and aborts when that has gone.
    if (interrupt.signal === 'SIGHUP' && interrupt.atTerminal) process.kill(process.pid, 'SIGHUP')
  }
}

/**
 * A module of the user may end the process, and Node.js ends a process with nothing to wait for: a build must not take
 * either for a run that passed, or for one with failed thresholds. The partial result is shown.
 * @param {number} code
 */
function endsUnfinished (code) {
  process.exitCode = EXIT.impossible
  const result = running?.soFar() ?? null
  if (result !== null && result.requests?.sent > 0) {
    process.stderr.write(require('../report/text').printResult({ ...result, interrupted: true }))
  }
  complain(code === EXIT.good
    ? 'the command ended without a result: a module called process.exit(), or something that it waited for can ' +
      'never come'
    : `the command ended before ${running === null ? 'it had a result' : 'its run was over'}: a module called ` +
      `process.exit(${code}); throw an error to end a run with its report`)
}

/** The run that goes on. @type {import('../run/instance').Instance | null} */
let running = null

/**
 * @param {Record<string, any>} values
 * @param {Record<string, any>} raw as given
 * @returns {string[]} a sentence for each number that the amount lowers, and for connections that the workers raise
 */
function lowered (values, raw) {
  if (values.amount === undefined && values.workers === undefined) return []
  const extent = require('../options/plan').extentOf(values)
  if (raw.connections !== undefined && extent.connections > values.connections) {
    return [`the run has ${plural(extent.connections, 'connection')}, not ${values.connections}: each of ` +
      `${plural(values.workers, 'worker')} needs one; use fewer workers (-w)`]
  }
  return /** @type {const} */ (['connections', 'workers']).flatMap(name => {
    const [most, given] = [extent[name], values[name]]
    if (raw[name] === undefined || most === undefined || most >= given) return []
    const does = isOfIterations(values.amount) ? 'starts' : 'sends'
    return `the run has ${plural(most, name.slice(0, -1))}, not ${given}: it ${does} ` +
      `${amountText(values.amount, countedAt(values.url).one)} in all`
  })
}

/**
 * Before the run, which would take its time for nothing.
 * @param {Array<Record<string, any>>} baseline results
 * @throws {OptionsError} when they are of another machine than this one
 */
function refuseMachines (baseline) {
  const { environment } = require('../run/environment')
  const problems = require('./machines').problemOfMachines(baseline, [{ environment: environment() }])
  if (problems.length > 0) throw new OptionsError(problems.map(problem => `--baseline: ${problem}`))
}

/**
 * @param {string[]} argv
 * @param {Interrupt} interrupt
 * @param {OnUnwritten} onUnwritten
 * @param {ReturnType<typeof readFlags> | null} given instead of argv
 * @returns {Promise<Ended>}
 */
async function run (argv, interrupt, onUnwritten, given) {
  const [first, ...rest] = argv
  // A run as any other, of a module whose options are a config.
  if (first === 'run' && !rest.some(isHelp)) return runModule(rest, interrupt, onUnwritten)
  return runWith(argv, interrupt, onUnwritten, given)
}

/** @param {string} arg */
const isHelp = arg => arg === '--help' || arg === '-h'

/** @type {(argv: string[], interrupt: Interrupt, onUnwritten: OnUnwritten) => Promise<Ended>} */
async function runModule (argv, interrupt, onUnwritten) {
  const { file, argv: others } = require('./user-module').moduleIn(argv)
  const { options, notes } = await optionsOf(file)
  return runWith(others, interrupt, onUnwritten, null, options, notes)
}

/**
 * Its code prints as that of its functions does.
 * @param {string} file of a module
 */
async function optionsOf (file) {
  userCode ??= require('./user-code')
  const printing = userCode.UserCode.printedAside(console)
  try {
    return await require('./user-module').optionsOf(file, complain)
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
 * @param {import('./k6-options').Note[]} [told] how these were read
 * @returns {Promise<Ended>}
 */
async function runWith (argv, interrupt, onUnwritten, given, base = null, told = []) {
  const [first, ...rest] = argv
  const runs = commandOf(first)
  if (runs !== undefined) return { code: await runCommand(runs, rest, interrupt, onUnwritten) }
  const flags = given ?? readFlags(argv, process.env, undefined, GRAMMAR)
  if (flags.raw.help === true) {
    return {
      code: await runCommand(
      /** @type {import('./commands/index').Command} */ (commandOf('help')), require('./help').subjectIn(argv),
        interrupt, onUnwritten
      )
    }
  }
  if (flags.raw.version === true) return { code: print(require('./version').versionText(flags.raw)) }

  // The module of -u may have options of the run, too.
  let isOfScenarios = false
  if (base === null && given === null && typeof flags.raw.user === 'string' && isModulePath(flags.raw.user)) {
    ({ options: base, notes: told } = await optionsOf(flags.raw.user))
    isOfScenarios = base?.user === undefined
  }
  const typed = Object.keys(flags.raw)
  const { raw, command, problems, label } = await withConfig(argv, flags, GRAMMAR, base)
  if (isOfScenarios) delete raw.user
  const outputs = outputsOf(raw, onUnwritten)
  const { values } = validated(raw, label, [...problems, ...outputs?.problems() ?? []])
  if (!values.json) {
    const used = told.filter(({ option }) => !typed.includes(option)).map(({ sentence }) => sentence)
    for (const note of [...used, ...flags.notes, ...unusedDuration(values, raw, label), ...lowered(values, raw)]) {
      complain(note)
    }
  }
  if (values.baseline !== undefined && !values.acrossMachines && values.agents === undefined) {
    refuseMachines(values.baseline)
  }
  if (values.printConfig) return { code: print(require('./print-config').printedConfig(values, raw, command)) }
  interrupt.listen()
  let server = null
  let views = null
  try {
    views = await openViews(values, { stderr: process.stderr, env: process.env, interrupt })
    let run = runValues(values)
    if (values.onPort) ({ server, values: run } = await startServer(command, run, interrupt))
    const result = await benchmark(run, interrupt, { outputs, views }, server)
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
  const { OutputFile } = require('./output-file')
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
 * Returns null when there are none.
 * @type {(raw: Record<string, any>, onUnwritten: OnUnwritten) => import('./outputs').Outputs | null}
 */
function outputsOf (raw, onUnwritten) {
  const { env, stdout } = process
  return raw.output ?? raw.junit ?? raw.githubSummary
    ? new (require('./outputs').Outputs)(raw, { stdout, env, onUnwritten })
    : null
}

/**
 * JSON results usually go to a file: the log shows what failed or was inconclusive.
 * @param {Record<string, any>} result a raw one has no figures to judge
 */
function explain (result) {
  if (result.requests === undefined) return
  const { hasFailed, isUnsure, headlineOf } = require('../report/headline')
  const { hints } = require('../report/findings')
  const isSilent = answersOf(result) === 0 && !result.interrupted
  const why = isSilent ? hints(printableData(result))[0].text : undefined
  if (isSilent || result.endedBy !== undefined || hasFailed(result) || isUnsure(result)) {
    complain(why ?? headlineOf(printableData(result)).sentence)
  }
}

/**
 * @param {import('../options/normalize').Values} values
 * @param {Interrupt} interrupt
 * @param {{ outputs: import('./outputs').Outputs | null, views: import('./views').View }} shown where, beside the
 *   terminal
 * @param {import('../server/on-port').Server | null} server of ours, whose end is the end of the run
 * @returns {Promise<Record<string, any>>} the result
 */
async function benchmark (values, interrupt, { outputs, views }, server) {
  // Not at the top: neither the help nor a wrong flag needs the engine.
  const { readValues } = require('../options/read')
  const { Instance } = require('../run/instance')
  const { Terminal } = require('../follow/terminal')
  const { printResult } = require('../report/text')
  const UserCode = hasFunctions(values) ? (userCode = require('./user-code')).UserCode : null
  const instance = running = new Instance(values, undefined, UserCode?.startWorker, readValues)
  // A run continues to its verdict even if a full disk prevents its report; an endless series of rounds has none.
  if (values.forever) interrupt.onLost = () => instance.stop()
  if (values.debug) require('./debug').printErrors(instance, process.stderr)
  instance.on('notice', complain)
  instance.on('log', line => process.stderr.write(`${line}\n`))
  let hasReport = false
  // Before those that show the result.
  if (values.baseline !== undefined) {
    const { compareRuns } = require('./commands/comparison')
    instance.follow({ done: result => { result.comparison = compareRuns(values.baseline, [result], values) } })
  }
  const isData = values.json || values.skipAggregateResult
  if (isData) {
    instance.follow({
      done (result) {
        print(toJson(result) + '\n')
        if (values.forever) explain(result)
      }
    })
  } else {
    instance.follow(new Terminal(instance, {
      renderProgressBar: values.progress,
      renderResultsTable: values.verbose !== false,
      chartInTables: values.chart,
      verbose: values.verbose === true,
      renderLatencyTable: values.latency,
      renderStatusCodes: values.renderStatusCodes,
      // Shown by default when several requests have names.
      ...values.byRequest && { renderRequestTable: true },
      // A run that goes on for ever has no last line until it is ended.
      concluded: !values.forever
    }, undefined, () => require('../follow/live/live').goLive(
      instance, process.stderr, { others: [process.stdout], chart: values.chart }
    )))
    instance.follow({ done: () => { hasReport = true } })
  }
  outputs?.follow(instance, values.baseline)
  views.follow(instance)
  const code = UserCode === null ? null : new UserCode(instance, values, { complain, printer: console })
  const limit = require('./heap-limit').limitHeap(mostConnections(values))
  if (limit !== null) instance.follow(limit)
  try {
    const result = await measured(instance, { interrupt, server, forever: values.forever })
    if (code !== null && code.failure !== null) throw code.failure
    // The error reports a server that ended.
    if (isData && !values.forever) explain(result)
    return result
  } catch (error) {
    const { isTold = false } = /** @type {{ isTold?: boolean }} */ (error)
    const result = isTold ? null : measuredBefore(error)
    if (result !== null && isData) print(toJson(result) + '\n')
    else if (result !== null) {
      process.stderr.write(printResult(result))
      hasReport = true
    }
    throw error instanceof AutocannonError ? Object.assign(error, { hasReport }) : error
  } finally {
    running = null
    code?.end()
  }
}

/**
 * @param {AutocannonError} error
 * @returns {boolean} whether the options can't be used as they are given; of a message that is known once it is made
 */
function isMisuse (error) {
  return error.code === 'AC_WS_MATCH' || error instanceof OptionsError || isUnusable(error)
}

/**
 * @param {unknown} error
 * @returns {error is HookError} whether it is about a file that cannot be used, so that nothing
 *   was sent
 */
function isUnusable (error) {
  return error instanceof HookError && HookError.unusableOf(error) !== null
}

/**
 * @param {unknown} options as given
 * @param {string} text
 * @param {string} [place] of the options
 * @returns {string} the place of the text in them, such as `requests[1].setupRequest`; empty for none
 */
function placeIn (options, text, place = '') {
  if (options === text) return place.replace(/^\./, '')
  if (types.isProxy(options) || !(Array.isArray(options) || isRecord(options))) return ''
  for (const [key, value] of Object.entries(options)) {
    const found = placeIn(value, text, place + placeOfKey(Array.isArray(options) ? Number(key) : key))
    if (found !== '') return found
  }
  return ''
}

/** Loaded by those whose users are functions. @type {typeof import('./user-code') | null} */
let userCode = null

/**
 * The process of the command has nothing else to do: a program that calls `start` has.
 * @param {string[]} argv without node and the script
 */
async function command (argv) {
  await start(argv)
  userCode?.UserCode.endProcess([process.stdout, process.stderr], () => process.exit())
}

/**
 * @param {unknown} thrown by a hook
 * @returns {string} where in the user's files, as a line of its own; empty when that is not known
 */
function placeOf (thrown) {
  for (const line of stackOf(thrown).split('\n')) {
    const [, place] = /^ +at (?:async )?(?:.*\()?((?:file:\/\/)?[^():]*(?::\\[^():]*)?:\d+:\d+)\)?$/.exec(line) ?? []
    // Our code may have thrown, such as a method of a response that the user's code called.
    if (place !== undefined && !place.startsWith('node:') && !place.startsWith(OURS)) return `\nat ${place}`
  }
  return ''
}

/** @param {unknown} thrown to look at it may throw again */
function stackOf (thrown) {
  try {
    return types.isNativeError(thrown) ? String(thrown.stack) : ''
  } catch {
    return ''
  }
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
 * @returns {Record<string, any>} options for autocannon(), and `debug`, which programs obey themselves
 * @throws {OptionsError}
 */
function parseArguments (argv) {
  const flags = readFlags(argv)
  const { raw, problems } = flags
  if (raw.config !== undefined) problems.push(`--config: ${NO_CONFIG}`)
  return remembered(apiOptions(raw, validated(raw, labelOf(flags), problems).values), flags)
}

module.exports = { command, start, parseArguments }
