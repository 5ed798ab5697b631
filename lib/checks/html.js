'use strict'

// Finds values in HTML by CSS selectors, with cheerio, an optional peer dependency.

const { ProtocolError } = require('../core/errors')

/** Limits of a page: nested elements take quadratic time, and 40,000 tags take about 1 s. */
const LONGEST = 2 * 1024 * 1024
const MOST_TAGS = 40_000

/** cheerio is recursive: about 3,000 levels overflow the stack. Browsers nest up to 512. */
const DEEPEST = 1000

/**
 * htmlparser2, which keeps the elements as they are written. The parser with the rules of browsers takes three times as
 * long, 17 s for 40,000 nested elements, and creates 1,000,000 elements from 4,500 tags.
 */
const OPTIONS = Object.freeze({ xml: { xmlMode: false, decodeEntities: true } })

/** @type {any} */
let loaded = null

/** A file next to the config of the run; null for none. @type {string | null} */
let besideConfig = null

/** @param {string} file next to which cheerio may be installed */
function lookBeside (file) {
  besideConfig = file
}

/**
 * Looks for cheerio from the user's modules, the config, the working directory and this package. Modules must be loaded
 * before connections have taken all file descriptors.
 * @param {string[]} [files] of the modules
 * @returns {any} null where it is not installed
 */
function loadHtml (files = []) {
  if (loaded !== null) return loaded
  const { resolve } = require('node:path')
  for (const file of [...files, besideConfig ?? [], resolve('package.json'), __filename].flat()) {
    try {
      loaded = cheerioBeside(file)
      return loaded
    } catch {
      // The next file may find it.
    }
  }
  return null
}

/**
 * Loads cheerio/slim, without the browser parser and the HTTP client: 36 ms of CPU time and 10 MiB instead of 127 ms
 * and 26 MiB (cheerio 1.2).
 * @param {string} file
 * @returns {any}
 * @throws {Error} where it is not installed
 */
function cheerioBeside (file) {
  const { createRequire } = require('node:module')
  const { dirname } = require('node:path')
  const load = createRequire(file)
  const whole = load.resolve('cheerio')
  try {
    // An older cheerio without this part may hide a newer one in a parent folder: both have to be in the same folder.
    const slim = load.resolve('cheerio/slim')
    if (dirname(slim) === dirname(whole)) return load(slim)
  } catch {
    // An older version has no such part.
  }
  return load(whole)
}

/** Returns the file for other threads. */
function fileBesideConfig () {
  return besideConfig
}

/** @param {string} what the feature that needs it */
function missingFor (what) {
  return `${what} needs the package cheerio, which is not installed: npm install cheerio`
}

/** @param {string} selector @returns {string | null} the reason when it is invalid */
function problemOf (selector) {
  try {
    find(parse(''), selector)
    return null
  } catch (error) {
    return /** @type {Error} */ (error).message
  }
}

/** @param {string} text */
const parse = text => loadHtml().load(text, OPTIONS, false)

/**
 * @param {string} text
 * @returns {any}
 * @throws {ProtocolError} for a page beyond the limits
 */
function pageOf (text) {
  checkSize(text)
  const page = parse(text)
  checkDepth(page.root()[0])
  return page
}

/**
 * `$(selector)` would create elements from a text that begins with `<`. @type {(page: any, selector: string) => any}
 */
const find = (page, selector) => page.root().find(selector)

/** Parsed pages, shared by the captures of a response. @type {WeakMap<object, any>} */
const PAGES = new WeakMap()

/**
 * @param {{ body: string }} response
 * @param {string} selector
 * @param {string | null} attribute null for the text of elements
 * @returns {Generator<string>} the value of each element that has it
 * @throws {ProtocolError} as above
 */
function * valuesIn (response, selector, attribute) {
  let page = PAGES.get(response)
  if (page === undefined) PAGES.set(response, page = pageOf(response.body))
  for (const element of find(page, selector)) {
    // `attr()` of cheerio returns the name for boolean attributes such as `disabled`.
    const value = attribute === null ? page(element).text().trim() : attributeOf(element, attribute)
    if (value !== undefined) yield value
  }
}

/** @type {(element: { attribs: Record<string, string> }, name: string) => string | undefined} */
function attributeOf ({ attribs }, name) {
  return Object.hasOwn(attribs, name) ? attribs[name] : undefined
}

/**
 * @param {string} text
 * @throws {ProtocolError}
 */
function checkSize (text) {
  if (text.length > LONGEST) throw tooLarge('is longer than the 2 MiB that html reads')
  let tags = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) tags++
  if (tags > MOST_TAGS) throw tooLarge(`has more than the ${MOST_TAGS} tags that html reads`)
}

/**
 * Walks the elements without recursion.
 * @param {any} root
 * @throws {ProtocolError}
 */
function checkDepth (root) {
  let [node, depth] = [root, 0]
  while (node) {
    if (depth > DEEPEST && node.attribs) throw tooLarge(`has elements that are nested more than ${DEEPEST} deep`)
    if (node.firstChild) {
      node = node.firstChild
      depth++
      continue
    }
    while (node && node !== root && !node.nextSibling) {
      node = node.parent
      depth--
    }
    node = node === root ? null : node.nextSibling
  }
}

/** @param {string} how */
function tooLarge (how) {
  return new ProtocolError('AC_HTML', `the page ${how}`)
}

module.exports = { fileBesideConfig, loadHtml, lookBeside, missingFor, pageOf, problemOf, valuesIn }
