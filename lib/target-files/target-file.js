'use strict'

// Parses a targets file. Its content determines the format: requests as in vegeta (`METHOD URL`, headers,
// `@body-file`), a JSON object per line as in vegeta, or URLs as in siege and oha (`URL`, `URL POST data`). Errors have
// the line.

const { dirname } = require('node:path')
const { show } = require('../core/foreign-text')
const { withoutUserinfo } = require('../core/secrets')
const { isStandardInput, readFile } = require('../requests/file')
const { firstWord, isFieldValue, parseHeader } = require('../requests/headers')
const { partsOfJson } = require('./json-lines')
const { TargetCollector } = require('./target-collector')

/** @typedef {import('./target-collector').Parts} Parts */

const [LF, CR, SPACE, TAB, HASH, BRACE] = Buffer.from('\n\r \t#{')

/** Iterates over the lines of a file, without white space around them. */
class Lines {
  /** @param {Buffer} buf */
  constructor (buf) {
    this.buf = buf
    /** Offset of the next line. */
    this.at = 0
    /** Number of the line between `start` and `end`, from 1. */
    this.line = 0
    /** Number of the first line of the current request. */
    this.first = 0
    this.start = 0
    this.end = 0
    this.rewind()
  }

  rewind () {
    const { buf } = this
    // A byte order mark is skipped.
    this.at = buf[0] === 0xef && buf[1] === 0xbb && buf[2] === 0xbf ? 3 : 0
    this.line = 0
  }

  /** @returns {boolean} whether there was a line */
  next () {
    const { buf, at } = this
    if (at >= buf.length) return false
    const found = buf.indexOf(LF, at)
    let start = at
    let end = found === -1 ? buf.length : found
    this.at = end + 1
    while (start < end && isSpace(buf[start])) start++
    while (start < end && isSpace(buf[end - 1])) end--
    this.line++
    this.start = start
    this.end = end
    return true
  }

  /** @returns {boolean} whether there was a line that is neither empty nor a comment */
  nextContent () {
    while (this.next()) {
      if (this.isEmpty || this.isComment) continue
      this.first = this.line
      return true
    }
    return false
  }

  get isEmpty () {
    return this.start === this.end
  }

  get isComment () {
    return this.buf[this.start] === HASH
  }

  get text () {
    return this.buf.toString('utf8', this.start, this.end)
  }
}

/** @param {number} byte */
const isSpace = byte => byte === SPACE || byte === TAB || byte === CR

/** The start of a line with a method. */
const METHOD = /^[A-Z]+\s/

/** Reads the format of vegeta. @type {(lines: Lines, collector: TargetCollector) => void} */
function readRequests (lines, collector) {
  while (lines.nextContent()) {
    const { first, text } = lines
    if (!METHOD.test(text)) throw new TypeError(notRequest(text))
    const [, method, url] = /** @type {RegExpExecArray} */ (/^(\S+)\s+(.*)$/s.exec(text))
    const more = readMore(lines)
    try {
      collector.add({ method, url, ...more })
    } catch (error) {
      // A mistake in headers or a file has its own line: this one is in the first line.
      if (more.file === undefined) lines.line = first
      throw error
    }
  }
}

/**
 * Reads the lines below a request: headers, and the file of its body.
 * @type {(lines: Lines) => { headers: Array<[string, string]>, file?: string }}
 */
function readMore (lines) {
  /** @type {Array<[string, string]>} */
  const headers = []
  for (let { at, line } = lines; lines.next(); { at, line } = lines) {
    if (lines.isEmpty) break
    if (lines.isComment) continue
    const { text } = lines
    if (METHOD.test(text)) {
      lines.at = at
      lines.line = line
      break
    }
    if (text.startsWith('@')) return { headers, file: text.slice(1).trim() }
    headers.push(readHeader(text))
  }
  return { headers }
}

/** @type {(text: string) => [string, string]} */
function readHeader (text) {
  if (/^[a-z]+:\/\//i.test(text)) throw new TypeError(notRequest(text))
  const colon = text.indexOf(':')
  if (colon < 1) {
    throw new TypeError('expected a header such as Accept: text/html, @ and the file of a body, or the next request, ' +
      `got ${show(firstWord(text))}`)
  }
  return parseHeader(text.slice(0, colon).trim(), text.slice(colon + 1).trim())
}

/** @param {string} text */
function notRequest (text) {
  return 'expected a method and a URL, such as GET http://localhost:3000/path, as the first request of the file has ' +
    `them, got ${show(withoutUserinfo(firstWord(text)))}`
}

/** Reads a JSON object per line. @type {(lines: Lines, collector: TargetCollector) => void} */
function readJsonLines (lines, collector) {
  while (lines.nextContent()) collector.add(partsOfJson(lines.text, lines.line))
}

/** A line that sets a variable, as in siege. */
const VARIABLE = /^([A-Za-z_]\w*)\s*=\s*(.*)$/s

/** Reads the format of siege and oha. @type {(lines: Lines, collector: TargetCollector) => void} */
function readUrls (lines, collector) {
  /** @type {Map<string, string>} */
  const variables = new Map()
  while (lines.nextContent()) {
    let { text } = lines
    const [, name, value] = VARIABLE.exec(text) ?? []
    if (variables.size > 0) {
      text = text.replace(/\$(?:\((\w+)\)|\{(\w+)\})/g, (all, a, b) => variables.get(a ?? b) ?? all)
    }
    if (name !== undefined) {
      variables.set(name, value)
      continue
    }
    const space = text.search(/\s/)
    collector.add(space === -1
      ? { method: null, url: text }
      : partsOfPost(text.slice(0, space), text.slice(space).trim()))
  }
}

/** @param {string} url @param {string} rest of the line @returns {Parts} */
function partsOfPost (url, rest) {
  const [, method, data] = /^([A-Z]+)(?:\s+(.*))?$/s.exec(rest) ?? []
  if (method === undefined) {
    throw new TypeError(`expected a URL, or a URL, POST and data, got ${show(withoutUserinfo(url))} and more after ` +
      'it; a space in a URL is written %20')
  }
  if (data === undefined) return { method, url }
  if (data.startsWith('<')) return { method, url, file: data.slice(1).trim(), isForm: true }
  if (!isFieldValue(data)) throw new TypeError('the data has a line break or a NUL in it')
  return { method, url, body: data, isForm: true }
}

/**
 * @param {Lines} lines at the first line with content
 * @returns {typeof readUrls} the reader of its format
 */
function formOf (lines) {
  const { buf, start, text } = lines
  if (buf[start] === BRACE) return readJsonLines
  if (text.startsWith('[')) {
    throw new TypeError(
      'this is a JSON array, and a targets file has a JSON object in each line: jq -c \'.[]\' makes that of it'
    )
  }
  return METHOD.test(text) && !VARIABLE.test(text) ? readRequests : readUrls
}

/**
 * @param {Buffer} content
 * @param {{ name?: string, folder?: string }} [where] name: of the file in messages; folder: the base folder of body
 *   files
 * @returns {TargetCollector} with all requests
 * @throws {TypeError} with the number of the line
 */
function parseTargets (content, { name = 'the targets', folder } = {}) {
  if (content[0] === 0xff && content[1] === 0xfe) throw new TypeError(`${name} is UTF-16: save it as UTF-8`)
  const lines = new Lines(content)
  if (!lines.nextContent()) {
    throw new TypeError(
      `${name} has no request: ${content.length === 0 ? 'it is empty' : 'there are only empty lines and comments'}`
    )
  }
  const collector = new TargetCollector(content.length + 1024, folder)
  collector.place = () => `line ${lines.first} of ${name}`
  try {
    const read = formOf(lines)
    lines.rewind()
    read(lines, collector)
  } catch (error) {
    if (error instanceof TypeError) error.message = `line ${lines.line} of ${name}: ${error.message}`
    throw error
  }
  if (collector.writer.count === 0) throw new TypeError(`${name} has no request: there are only variables`)
  return collector
}

/**
 * @throws {TypeError}
 * @type {(path: string) => TargetCollector}
 */
function readTargets (path) {
  const isInput = isStandardInput(path)
  return parseTargets(readFile(path), {
    name: isInput ? 'standard input' : `'${path}'`, folder: isInput ? '.' : dirname(path)
  })
}

module.exports = { parseTargets, readTargets }
