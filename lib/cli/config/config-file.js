'use strict'

// Reads a config file: a module, or YAML or JSON with the line of each value.

const { statSync } = require('node:fs')
const { types } = require('node:util')
const { OptionsError, looksOf, messageOf } = require('../../core/errors')
const { oneLine, show } = require('../../core/foreign-text')
const { withTimeout } = require('../../core/timers')
const { loadDefault, moduleFile } = require('../../options/requests/module-file')
const { readFile, isStandardInput } = require('../../requests/file')
const { parseJsonWithBigInts } = require('../../requests/json')
const { largeIntegerOf } = require('../../requests/json-numbers')
const { placeOf } = require('../../requests/place')

/**
 * @typedef {object} ConfigFile
 * @property {unknown} value
 * @property {boolean} isText whether it is YAML or JSON, not a module
 * @property {string | null} file null for a pipe
 * @property {(place: string) => number | null} lineOf the line of a place such as `.requests[1].path`; null if unknown
 */

/** How long a module may take, ms. */
const LOAD_TIMEOUT = 30_000

/** The limit of YAML aliases, nested ones multiplied. */
const MOST_ALIASES = 10_000

/** YAML tags of plain types. */
const TAGS = new Set(['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(name => `tag:yaml.org,2002:${name}`))

/**
 * @param {string} path
 * @param {number} [loadTimeout] ms that a module may take
 * @returns {Promise<ConfigFile>}
 * @throws {OptionsError}
 */
async function readConfigFile (path, loadTimeout = LOAD_TIMEOUT) {
  const stat = statSync(path, { throwIfNoEntry: false })
  /** A pipe or a device, which cannot be a module. */
  const isPipe = isStandardInput(path) || (stat !== undefined && !stat.isFile() && !stat.isDirectory())
  const file = isPipe ? path : moduleFile(path)
  if (!isPipe && !/\.(json|ya?ml)$/i.test(file)) {
    return { value: await loadModule(path, file, loadTimeout), isText: false, file, lineOf: () => null }
  }
  const text = reading(() => readFile(file, 'the config').toString())
  const isYaml = isPipe ? !/^\ufeff?\s*\{/.test(text) : !file.endsWith('.json')
  const value = isYaml ? readYaml(text, path) : reading(() => parseJsonWithBigInts(text, `the file '${path}'`))
  /** @type {ReturnType<typeof linesOf> | null} */
  let lines = null
  return { value, isText: true, file: isPipe ? null : file, lineOf: place => (lines ??= linesOf(text))(place) }
}

/**
 * @template T
 * @param {() => T} read
 * @param {string} [where]
 * @returns {T}
 * @throws {OptionsError}
 */
function reading (read, where = '') {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new OptionsError([where + error.message])
  }
}

/** @param {string} text JSON is YAML, too */
function parse (text) {
  const { LineCounter, isScalar, parseDocument, visit } = require('yaml')
  const lineCounter = new LineCounter()
  // In YAML 1.2, on, off, yes and no are strings.
  const document = parseDocument(text.replace(/^\ufeff/, ''), {
    version: '1.2', merge: true, stringKeys: true, lineCounter, prettyErrors: false
  })
  return { document, lineCounter, isScalar, visit }
}

/**
 * @param {string} text
 * @param {string} path as it was given
 * @returns {unknown}
 * @throws {OptionsError}
 */
function readYaml (text, path) {
  const { document, lineCounter, isScalar, visit } = parse(text)
  /** @type {(reason: string, offset?: number) => never} */
  const fail = (reason, offset) => {
    const { line, col } = lineCounter.linePos(offset ?? 0)
    throw new OptionsError([`the config '${path}' is not valid YAML: ` +
      `${oneLine(reason, 300)}${offset === undefined ? '' : `, line ${line}, column ${col}`}`])
  }
  const [error, next] = [...document.errors, ...document.warnings]
  if (error !== undefined) {
    // A key that is indented too far continues the value above it, and several lines become one key.
    const isDeep = error.code === 'BLOCK_AS_IMPLICIT_KEY' && next?.code === 'MULTILINE_IMPLICIT_KEY' &&
      next.pos[0] === error.pos[0]
    const offset = isDeep ? next.pos[1] - 1 : error.pos[0]
    const { line } = lineCounter.linePos(offset)
    const written = text.split('\n')[line - 1] ?? ''
    const isIndent = isDeep || error.code === 'BAD_INDENT' || error.message === SEQUENCE_AS_KEY
    fail(
      isIndent ? INDENT[error.message] ?? error.message : wordsOf(error, written),
      isIndent ? lineCounter.lineStarts[line - 1] + written.search(/\S|$/) : offset
    )
  }
  if (document.directives?.yaml.explicit && document.directives.yaml.version !== '1.2') {
    fail(`expected YAML 1.2, got %YAML ${document.directives.yaml.version}`)
  }
  visit(document, {
    Node (_, node) {
      const { tag, range } = node
      if (tag !== undefined && !TAGS.has(tag)) {
        fail(
          `expected no tags but !!str, !!int, !!float, !!bool, !!null, !!map and !!seq, got ${show(tag)}`,
          range?.[0]
        )
      }
      if (isScalar(node) && typeof node.value === 'number') node.value = largeIntegerOf(node.source ?? '') ?? node.value
    }
  })
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES })
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    return fail(
      message.startsWith('Excessive alias count')
        ? `expected at most ${MOST_ALIASES} aliases, nested ones multiplied, got more`
        : message
    )
  }
}

/**
 * Messages for the most frequent mistakes; they replace the messages of the parser.
 * @type {Readonly<Record<string, string>>}
 */
const WORDS = Object.freeze({
  DUPLICATE_KEY: 'duplicate key',
  MULTIPLE_DOCS: 'expected one document, got another one after ---',
  TAB_AS_INDENT: 'a tab is no indentation, use spaces',
  NON_STRING_KEY: 'a key has to be a text',
  BLOCK_AS_IMPLICIT_KEY: 'a text with a colon and a space in it needs quotation marks'
})

/** The parser's message for a list item that is indented less than the item above it. */
const SEQUENCE_AS_KEY = 'A block sequence may not be used as an implicit map key'

const ENTRIES = 'entries of one list begin at the same column, and this one begins at another than those above it'

/** Messages for mistakes of indentation. @type {Readonly<Record<string, string>>} */
const INDENT = Object.freeze({
  'Nested mappings are not allowed in compact mappings':
    'this line is indented deeper than the keys above it: keys of one object begin at the same column',
  'All mapping items must start at the same column':
    'keys of one object begin at the same column, and this one begins at another than those above it',
  'All sequence items must start at the same column': ENTRIES,
  [SEQUENCE_AS_KEY]: ENTRIES
})

/**
 * @param {{ code: string, message: string }} error
 * @param {string} line where it is
 */
function wordsOf ({ code, message }, line) {
  const words = WORDS[code] ?? message
  // `{ id: $.items[0].id }` and `{ a: Bearer {{token}} }`: in a flow map, brackets and braces end a text.
  if (/^Unexpected flow-(seq|map)-(start|end)/.test(message) || /\{.*\{\{/.test(line)) {
    return 'a text with a bracket or brace in it needs quotation marks within { } and [ ]: quote it, as in ' +
      '{ id: "$.items[0].id" } or { a: "Bearer {{token}}" }'
  }
  return /[:-]\s+\{\{/.test(line) ? `${words}; a text that begins with {{ needs quotation marks` : words
}

/** @param {string} text YAML or JSON that has been read @returns {(place: string) => number | null} */
function linesOf (text) {
  const { document, lineCounter } = parse(text)
  return place => {
    /** @type {any} */
    let node = document.contents
    let at = null
    for (let rest = place; rest !== '';) {
      const [found = '', index] = /^\[(\d+)\]/.exec(rest) ?? []
      const isEntry = index !== undefined && Array.isArray(node?.items)
      // A key may contain a dot: the longest match is taken.
      const [item, part] = isEntry
        ? [node.items[index], found]
        : (node?.items ?? []).map((/** @type {any} */ pair) => [pair, placeOf(String(pair.key?.value))])
            .filter((/** @type {[any, string]} */ [, part]) =>
              rest.startsWith(part) && /^([.[]|$)/.test(rest.slice(part.length)))
            .sort((/** @type {[any, string]} */ [, a], /** @type {[any, string]} */ [, b]) => b.length - a.length)[0] ??
              []
      if (item === undefined) break
      at = (item.key ?? item).range?.[0] ?? at
      node = item.value?.range === undefined ? item : item.value
      rest = rest.slice(part.length)
    }
    return at === null ? null : lineCounter.linePos(at).line
  }
}

/**
 * @param {string} path of a module, as it was given
 * @param {string} file
 * @param {number} loadTimeout ms
 * @returns {Promise<unknown>}
 * @throws {OptionsError}
 */
async function loadModule (path, file, loadTimeout) {
  let config
  try {
    // A pending import alone does not keep the process alive: without a timer, Node.js would end with exit code 0.
    config = await withTimeout(loadTimeout, loadDefault(file), () => new Error('it does not finish loading within ' +
      `${loadTimeout / 1000} s: is there an await or a promise in it that never ends?`))
  } catch (error) {
    const message = messageOf(error) ?? `it threw ${looksOf(error)}`
    if (/^Cannot find (package|module) 'k6\b/.test(message)) {
      throw new OptionsError([
        `the config '${path}' is a script of k6, which does not run here: write its requests and checks as scenarios ` +
          '(docs/scenarios.md has k6 terms and theirs, docs/websocket.md those of k6/ws and k6/websockets), and its ' +
          'options as flags (docs/load.md)'
      ])
    }
    // The stack of a syntax error begins with its place.
    const [, line] = /^(?:file:\/\/)?[^\n]+?:(\d+)\n/.exec(types.isNativeError(error) ? String(error.stack) : '') ?? []
    throw new OptionsError([
      `could not load the config '${path}': ${message.split('\n')[0]}${line === undefined ? '' : `, line ${line}`}`
    ])
  }
  if (config === undefined) {
    throw new OptionsError([
      `the config '${path}' has to export an object of options, by module.exports or as the default`
    ])
  }
  return config
}

module.exports = { readConfigFile, reading }
