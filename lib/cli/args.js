'use strict'

// Converts argv to raw options and words. mistakes.js has the hints for wrong arguments.

const { TABLE, flags } = require('../options/table')
const { typeOf } = require('../options/types')
const { show } = require('../core/foreign-text')
const { tryOr } = require('../core/try-or')
const { startsNode } = require('../server/command')
const {
  NOT_PROXY, flagsOfServer, isFileName, isFileThere, looksLikeUrl, nearestFlag, notFlag, notKnown, notServer,
  notThreads, notTitle, notUi, notUrl, notValue, notWarmup, offHint, urlOfPort
} = require('./mistakes')

/**
 * @typedef {import('../options/table').Option} Option
 *
 * @typedef {object} Grammar
 * @property {Map<string, { option: Readonly<Option>, negative: boolean }>} meanings meanings of flags, without dashes
 * @property {ReadonlyArray<Readonly<Option>>} rows of the table
 * @property {'url' | 'two urls' | 'files'} words words without a flag
 * @property {ReadonlyArray<string>} commands suggested for a word that is no URL
 *
 * @typedef {{ url?: unknown, targets?: unknown, onPort?: string[] | false }} Config the options of a config that decide
 *   how arguments are read
 *
 * @typedef {object} Circumstances facts that the flags do not show
 * @property {boolean} hasUrl whether a config has a URL
 * @property {boolean} needsNoUrl whether the run works without a URL: a server is started, or a file names servers
 * @property {boolean} isRead whether the config has been read
 */

/**
 * @type {(rows: ReadonlyArray<Readonly<Option>>, words: Grammar['words'], commands?: Grammar['commands']) => Grammar}
 */
function grammarOf (rows, words, commands = []) {
  /** @type {Grammar['meanings']} */
  const meanings = new Map()
  for (const option of rows) {
    if (option.where === 'api') continue
    for (const name of [option.name, ...option.aliases ?? []]) {
      meanings.set(name, { option, negative: false })
      if (typeOf(option).isSwitch) meanings.set('no-' + name, { option, negative: true })
    }
    if (option.short !== undefined) meanings.set(option.short, { option, negative: option.negated === true })
  }
  return { meanings, rows, words, commands }
}

const RUN = grammarOf(TABLE, 'url')

/**
 * minimist and util.parseArgs do not fit: they take `-b -x` for two flags, and the value of -b may begin with a hyphen.
 * They also take `-XPUT` for four, and have no flags with an optional value.
 */
class ArgumentReader {
  /** @param {string[]} args up to `--` @param {Grammar} grammar @param {Circumstances} circumstances */
  constructor (args, grammar, circumstances) {
    this.args = args
    this.circumstances = circumstances
    this.at = 0
    this.grammar = grammar
    /** By name of the option, in order. @type {Map<string, Array<string | boolean>>} */
    this.values = new Map()
    /** @type {string[]} arguments without a flag */
    this.words = []
    /** @type {string[]} */
    this.problems = []
    /** @type {string[]} ambiguities to report */
    this.notes = []
    /**
     * @type {Map<string, { label: string, value: string, isAlternative: boolean }>} option → the typed flag;
     *   isAlternative: it is not spelled as the option
     */
    this.typed = new Map()
    /** @type {Record<string, any> | undefined} */
    this.warmup = undefined
    /** @type {import('./mistakes').Before | null} the flag right before */
    this.before = null
    /** Whether a word in the place of the URL is no URL. */
    this.isUrlWrong = false
    /** Whether a URL follows -x directly. */
    this.isAfterX = false
    /** Whether the URL after -x has been reported: once is enough. */
    this.isProxyRefused = false
    /**
     * A word such as 127.0.0.1:8080 right after --ui, --open or --ui-allow-remote.
     * @type {{ at: number, flag: string, word: string } | null}
     */
    this.maybeUi = null
    while (this.at < args.length) {
      const arg = args[this.at++]
      if (isFlag(arg)) this.readFlags(arg)
      else this.readWord(arg)
    }
    this.decideUi()
  }

  /** @type {(name: string, value: string | boolean) => void} */
  add (name, value) {
    const values = this.values.get(name)
    if (values === undefined) this.values.set(name, [value])
    else values.push(value)
  }

  /** @returns {Record<string, any>} raw options; an option that does not repeat has its last value */
  raw () {
    const { grammar: { rows }, values, warmup } = this
    return {
      ...warmup !== undefined && { warmup },
      ...Object.fromEntries(rows.filter(({ name }) => values.has(name)).map(option => {
        const given = values.get(option.name)
        return [option.name, typeOf(option).repeats ? given : given?.at(-1)]
      }))
    }
  }

  /** @param {string} arg with one flag or several letters */
  readFlags (arg) {
    const { args, problems, grammar: { meanings, words } } = this
    this.before = null
    const mistake = notFlag(arg, meanings, words !== 'files', args[this.at])
    if (mistake !== null) {
      problems.push(mistake)
      // The next word is more likely its value than another mistake.
      if (!arg.includes('=') && this.isNextWrong()) this.at++
      return
    }
    if (/^-t\d+$/.test(arg)) this.notes.push(notThreads(arg.slice(2)))
    const all = flagsIn(arg, meanings)
    for (const [i, { flag, value }] of all.entries()) {
      const { option, negative } = meanings.get(flag.replace(/^--?/, '')) ?? {}
      if (option === undefined) {
        problems.push(notKnown(flag, meanings, words !== 'files', value ?? args[this.at]))
        this.isUrlWrong ||= nearestFlag(flag, meanings, words !== 'files') === 'help'
        if (value === undefined && (this.isNextWrong() || this.isNextPath())) {
          this.isUrlWrong ||= this.isNextPath()
          this.at++
        }
      } else if (option.type === 'warmup') this.readWarmup(flag, value)
      else if (typeOf(option).takes !== undefined) this.readOptional(option, value)
      else if (!typeOf(option).isSwitch) this.readValue(flag, value ?? this.nextValue(option), option)
      else {
        // After -jb the next word is the value of -b.
        const isLast = i === all.length - 1
        const on = value ?? (isLast && /^(true|false)$/.test(args[this.at]) ? args[this.at++] : 'true')
        // --help=load is help about a word.
        if (option.name !== 'help' && on !== 'true' && on !== 'false') {
          problems.push(`${flags(option)}: expected true or false, got ${show(on)}`)
        }
        const isOff = (on !== 'false') === negative
        const mistake = isOff ? offHint(arg, option.name) : null
        if (mistake !== null) problems.push(mistake)
        this.add(option.name, !isOff)
        this.before = { flag: arg, name: option.name }
      }
    }
  }

  /**
   * @param {Readonly<Option>} option
   * @returns {string | undefined} the next argument; undefined if it is a flag and cannot be a value of the option
   */
  nextValue (option) {
    const next = this.args[this.at]
    const isFlagHere = next !== undefined && isFlag(next) && flagsIn(next, this.grammar.meanings)
      .every(({ flag }) => this.grammar.meanings.has(flag.replace(/^--?/, '')))
    if (isFlagHere && !isValueOf(option, next)) return undefined
    this.at++
    return next
  }

  /** @type {(flag: string, value: string | undefined, option: Readonly<Option>) => number | undefined} */
  readValue (flag, value, option) {
    const { name, aliases = [] } = option
    const { problems, typed } = this
    if (value === undefined) {
      const { choices = [] } = option
      return problems.push(`${flag} needs a value${choices.length > 0 ? `: ${choices.join(' or ')}` : ''}`)
    }
    this.before = { flag, value, name }
    const mistake = notValue(flag, name, value)
    this.isUrlWrong ||= mistake !== null && flag === '-L'
    if (mistake !== null) return problems.push(mistake)
    if (name === 'title' && MEDIA_TYPE.test(value)) this.notes.push(notTitle(flag, value))
    const isFile = name === 'body' && value.startsWith('@')
    const letters = flag.replace(/^--?/, '')
    // -c and --connections are the same flag, and so are --bodyRaw and --body-raw: the last one counts. -m and -X are
    // two, and so are -i FILE and -b @FILE: with different values they are refused.
    const given = {
      label: isFile || name === 'input' ? `${flag} ${value}`.slice(0, 60) : flag,
      value: isFile ? value.slice(1) : value,
      isAlternative: isFile || (aliases.includes(letters) && !letters.includes('-'))
    }
    const target = isFile ? 'input' : name
    const before = typed.get(target)
    if (before !== undefined && before.isAlternative !== given.isAlternative && before.value !== given.value &&
      !typeOf(option).repeats) {
      return problems.push(
        `${before.label} and ${given.label} each give ${target === 'input' ? 'a body' : `the ${name}`}: use one of them`
      )
    }
    typed.set(target, given)
    this.add(target, given.value)
  }

  /**
   * `--warmup [ -c 1 -d 3 ]`. Brackets mean something only there: a body may be a JSON array.
   * @param {string} flag
   * @param {string} [value]
   */
  readWarmup (flag, value) {
    const { args, problems } = this
    if (value !== undefined) args.splice(this.at, 0, value)
    if (this.warmup !== undefined) problems.push(`${flag} is given twice: use one of them`)
    this.warmup = {}
    const mistake = notWarmup(flag, args[this.at])
    if (mistake !== null) {
      this.at++
      return problems.push(mistake)
    }
    if (!args[this.at]?.startsWith('[')) return
    const close = args.findIndex((arg, i) => i >= this.at && arg.endsWith(']'))
    if (close === -1 && args[this.at] === '[') this.at++
    if (close === -1) {
      return problems.push(`${flag} [ has no ] after it: expected something like --warmup [ -c 1 -d 3 ]`)
    }
    const inner = args.slice(this.at, close + 1).join(' ').slice(1, -1).split(/\s+/).filter(arg => arg !== '')
    const { raw, problems: inside } = readFlags(inner, {})
    const strange = Object.keys(raw).filter(name => name !== 'connections' && name !== 'duration')
    problems.push(...inside, ...strange.map(name => `--warmup takes only -c and -d, got ${name}`))
    this.warmup = raw
    this.at = close + 1
  }

  /**
   * A flag with an optional value: `--ui`, or `--ui :8080`.
   * @param {Readonly<Option>} option
   * @param {string} [given]
   */
  readOptional (option, given) {
    const { name } = option
    const isNext = given === undefined && typeOf(option).takes?.(this.args[this.at] ?? '')
    const value = isNext ? this.args[this.at++] : given
    this.add(name, value ?? '')
    if (name === 'ui') this.before = { flag: '--ui', name, value }
  }

  /**
   * Decides whether the word after --ui is the address of the page or the URL of a server. An ambiguous word is
   * refused.
   */
  decideUi () {
    const { maybeUi, values, words, problems, typed, grammar, circumstances } = this
    if (maybeUi === null || (maybeUi.flag !== '--ui' && values.get('ui')?.some(value => value !== ''))) return
    const { at, flag, word } = maybeUi
    const isSpare = words.length > (grammar.words === 'two urls' ? 2 : 1) || circumstances.hasUrl
    if (isSpare && flag === '--ui') return this.add('ui', words.splice(at, 1)[0])
    const needsNoUrl = circumstances.needsNoUrl || typed.has('targets') || values.get('onPort')?.includes(true)
    // A config that has not been read yet may have a URL.
    if (!isSpare && (!needsNoUrl || (typed.has('config') && !circumstances.isRead))) return
    words.splice(at, 1)
    this.isUrlWrong = true
    problems.push(notUi(flag, word))
  }

  /** @param {string} word */
  readWord (word) {
    const { before, problems, grammar: { meanings, words, commands } } = this
    this.before = null
    if (words === 'files' || looksLikeUrl(word)) {
      const mistake = words === 'files' ? null : notServer(word, before, meanings.has('output'))
      if (mistake !== null) problems.push(mistake)
      if (this.isAfterX && !this.isProxyRefused) {
        problems.push(NOT_PROXY)
        this.isProxyRefused = true
      }
      this.isAfterX ||= before?.flag === '-x' && before.value === undefined
      if (ofPage(before) && require('../options/ui').mayBeUi(word)) {
        this.maybeUi = { at: this.words.length, flag: before.flag, word }
      }
      return this.words.push(word)
    }
    problems.push(notUrl(word, before, { two: words === 'two urls', commands }))
    this.isUrlWrong ||= before === null || (before.value !== undefined && urlOfPort(word, before) !== null)
    // Several wrong words in a row are reported once.
    while (this.isNextWrong()) this.at++
  }

  /**
   * @returns {boolean} whether the next argument is a path or an existing file: more likely the value of an unknown
   *   flag than a server
   */
  isNextPath () {
    const next = this.args[this.at] ?? ''
    return this.grammar.words !== 'files' && (next.startsWith('/') || isFileThere(next))
  }

  /** @returns {boolean} whether the next argument is a word without a meaning */
  isNextWrong () {
    const next = this.args[this.at]
    return next !== undefined && this.grammar.words !== 'files' && !isFlag(next) &&
      (!looksLikeUrl(next) || isFileName(next))
  }
}

/**
 * @param {import('./mistakes').Before | null} before
 * @returns {before is import('./mistakes').Before} whether an address after it may be that of the page
 */
const ofPage = before => before !== null && before.value === undefined &&
  ['ui', 'open', 'uiAllowRemote'].includes(before.name)

/** The value of -T in hey. */
const MEDIA_TYPE = /^(application|text|multipart|image)\/[\w.+-]+/i

/** @type {(option: Readonly<Option>, text: string) => boolean} */
function isValueOf (option, text) {
  return tryOr(false, () => {
    typeOf(option).parse(text, option)
    return true
  })
}

/** @param {string} arg */
const isFlag = arg => /^-./s.test(arg)

/**
 * Splits one-letter flags: -jlc5 is -j, -l, and -c with the value 5.
 * @type {(arg: string, meanings: Grammar['meanings']) => Array<{ flag: string, value?: string }>}
 */
function flagsIn (arg, meanings) {
  const [, long, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(arg) ?? []
  if (long !== undefined) return [{ flag: long, value }]
  const flag = arg.slice(0, 2)
  const rest = arg.slice(2)
  if (rest === '') return [{ flag }]
  if (meanings.get(flag[1])?.option.type === 'flag' && !rest.startsWith('=')) {
    return [{ flag }, ...flagsIn('-' + rest, meanings)]
  }
  return [{ flag, value: rest.replace(/^=/, '') }]
}

/**
 * @param {string[]} argv
 * @param {Grammar} grammar
 * @param {Config} [config]
 * @returns {{ raw: Record<string, any>, command: string[], reader: ArgumentReader }} the values by option
 */
function readArguments (argv, grammar, config = undefined) {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const command = argv.slice(end + 1)
  const { url, onPort, targets } = config ?? {}
  const reader = new ArgumentReader(argv.slice(0, end), grammar, {
    hasUrl: Boolean(url), needsNoUrl: Boolean(onPort || targets) || startsNode(command), isRead: config !== undefined
  })
  return { raw: reader.raw(), command, reader }
}

/**
 * @param {string[]} argv without node and the script
 * @param {NodeJS.ProcessEnv} [env]
 * @param {Config} [config] that is read already
 * @param {Grammar} [grammar] default: the grammar of a run
 * @returns {{ raw: Record<string, any>, command: string[], problems: string[], notes: string[], labels: Record<string,
 *   string>, urlImplied: boolean }} raw: options by name; command: the server for --on-port; problems, notes: one
 *   sentence each; labels: the typed words of options without a flag; urlImplied: the URL is the address of --on-port
 */
function readFlags (argv, env = process.env, config = undefined, grammar = RUN) {
  const { raw, command, reader } = readArguments(argv, grammar, config)
  const { words: urls, problems, notes, typed, isUrlWrong } = reader
  const configured = config?.onPort || []
  const { label = '', isAlternative = false } = typed.get('input') ?? {}
  // Words after -- are not flags: without a server to start, they are a URL.
  if (raw.onPort !== true && command.length > 0 && command.every(word => /^https?:\/\//i.test(word))) {
    urls.push(...command.splice(0))
  }
  if (startsNode(command) || configured.length > 0) raw.onPort ??= true
  if (raw.onPort !== true && command.length > 0) {
    problems.push('a command stands after --, but --on-port is not given: add --on-port to start it and measure the ' +
      'port that it listens on')
  }
  if (raw.onPort === true) notes.push(...flagsOfServer(command))
  if (raw.onPort === true && command.length === 0) command.push(...configured)
  if (raw.onPort === true && command.length === 0) {
    problems.push('--on-port needs a command after --, such as: autocannon --on-port / -- node server.js')
  }
  if (urls.length > 0) raw.url = urls.map(url => urlFromPath(url, raw.onPort === true, env, problems))
  // A wrong word has been reported already, and a missing URL would be a second report of it.
  else if (raw.onPort === true || isUrlWrong) raw.url = ['http://localhost/']
  return { raw, command, problems, notes, labels: isAlternative ? { input: label } : {}, urlImplied: urls.length === 0 }
}

/**
 * A path means a URL on this machine, at the port of PORT or of the server that is started.
 * @type {(url: string, onPort: boolean, env: NodeJS.ProcessEnv, problems: string[]) => string}
 */
function urlFromPath (url, onPort, env, problems) {
  if (!url.startsWith('/')) return url
  if (onPort) return `http://localhost${url}`
  if (env.PORT) return `http://localhost:${env.PORT}${url}`
  problems.push(`${show(url)} is a path without a server: set the environment variable PORT, or give something like ` +
    'http://localhost:3000/path')
  return `http://localhost${url}`
}

module.exports = { readFlags, readArguments, grammarOf }
