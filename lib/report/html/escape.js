'use strict'

// Puts untrusted text into a page: always as text, never as markup.

const { toJson } = require('../../core/foreign-text')
const { Markup: Text, templateTag } = require('../markup')

const ENTITIES = /** @type {Record<string, string>} */ ({
  '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'
})

/** The result of `html`. */
class Markup extends Text {}

/** For content, and for attributes in quotes. */
const html = templateTag(Markup, text => text.replace(/[&<>"']/g, character => ENTITIES[character]))

/** @param {unknown} value @returns {Markup} JSON for a script element, which it cannot end */
function json (value) {
  return new Markup(toJson(value).replaceAll('<', '\\u003c'))
}

/** @param {string} text markup of our own */
function trusted (text) {
  return new Markup(text)
}

module.exports = { html, json, trusted, Markup }
