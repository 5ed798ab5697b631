'use strict'

// Owns how text that came from a user or a server becomes part of a page: always as text, never as markup.

const { toJson } = require('../../foreign-text')

const ENTITIES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })

/**
 * @param {unknown} text printable
 * @returns {string} for content and for attributes in quotes
 */
function escape (text) {
  return String(text).replace(/[&<>"']/g, character => ENTITIES[character])
}

/** Markup that is known to be safe, as `html` makes it. */
class Markup {
  /** @param {string} text */
  constructor (text) {
    this.text = text
  }

  toString () {
    return this.text
  }
}

/**
 * A template tag: what is put in is escaped unless it is markup itself. Arrays are joined; false, null and undefined are nothing.
 * @param {TemplateStringsArray} strings
 * @param {...unknown} values
 * @returns {Markup}
 */
function html (strings, ...values) {
  return new Markup(strings.reduce((text, part, i) => text + part + (i < values.length ? shown(values[i]) : ''), ''))
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function shown (value) {
  if (value instanceof Markup) return value.text
  if (Array.isArray(value)) return value.map(shown).join('')
  return value === false || value === null || value === undefined ? '' : escape(value)
}

/**
 * @param {unknown} value
 * @returns {Markup} JSON for a script element: nothing in it can end the element
 */
function json (value) {
  return new Markup(toJson(value).replaceAll('<', '\\u003c'))
}

/** @param {string} text markup that we wrote ourselves */
function trusted (text) {
  return new Markup(text)
}

module.exports = { html, json, trusted, Markup }
