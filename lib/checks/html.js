'use strict'

// Values in HTML: cheerio, an optional peer of the package, finds elements by CSS selectors and decodes entities.

const { ProtocolError } = require('../core/errors')

/**
 * Elements nested in each other take time that grows with the square of their number: 40,000 tags take about 1 s. So
 * only pages up to these sizes are read.
 */
const LONGEST = 2 * 1024 * 1024
const MOST_TAGS = 40_000

/** cheerio looks at elements by recursion, which ends the stack at about 3,000. Browsers nest 512 at most. */
const DEEPEST = 1000

/**
 * As it is written, by htmlparser2. The parser that builds the elements of a browser takes three times as long, 17 s
 * for 40,000 nested elements, and makes 1,000,000 of 4,500 tags.
 */
const OPTIONS = Object.freeze({ xml: { xmlMode: false, decodeEntities: true } })

/** @type {any} */
let loaded = null

/** A file beside the config of the run; null for none. @type {string | null} */
let besideConfig = null

/** @param {string} file beside which cheerio is looked up, too */
function lookBeside (file) {
  besideConfig = file
}

/**
 * Found from the user's modules, beside the config, from the working directory, or beside this package. No module is
 * loaded once connections have taken all descriptors.
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
      // It may be found from the next one.
    }
  }
  return null
}

/**
 * Without its parser of browsers and its client, neither of which is used here: 36 ms of CPU time and 10 MiB instead of
 * 127 ms and 26 MiB (cheerio 1.2).
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
    // A package of that name without this part leads to one that is further away.
    const slim = load.resolve('cheerio/slim')
    if (dirname(slim) === dirname(whole)) return load(slim)
  } catch {
    // It is an older one.
  }
  return load(whole)
}

/** Returns where another thread looks it up. */
function fileBesideConfig () {
  return besideConfig
}

/** @param {string} what needs it */
function missingFor (what) {
  return `${what} needs the package cheerio, which is not installed: npm install cheerio`
}

/** @param {string} selector @returns {string | null} why it is none */
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
 * @throws {ProtocolError} for a page that would take too long
 */
function pageOf (text) {
  checkSize(text)
  const page = parse(text)
  checkDepth(page.root()[0])
  return page
}

/**
 * Not `$(selector)`, which creates elements from a text that begins with `<`. @type {(page: any, selector: string) =>
 * any}
 */
const find = (page, selector) => page.root().find(selector)

/** Shared by several captures of a response. @type {WeakMap<object, any>} */
const PAGES = new WeakMap()

/**
 * @param {{ body: string }} response
 * @param {string} selector
 * @param {string | null} attribute null for the text of elements
 * @returns {Generator<string>} of each element that has it
 * @throws {ProtocolError} likewise
 */
function * valuesIn (response, selector, attribute) {
  let page = PAGES.get(response)
  if (page === undefined) PAGES.set(response, page = pageOf(response.body))
  for (const element of find(page, selector)) {
    // cheerio's `attr()` returns the name for `disabled`.
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
 * Not by recursion.
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
