'use strict'

// Template tags that escape every value, one for each markup language.

/** Safe text of a markup language. Each language has its own class. */
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
 * @template {Markup} T
 * @param {new (text: string) => T} Language
 * @param {(text: string) => string} escape makes any text safe
 * @returns {(strings: TemplateStringsArray, ...values: unknown[]) => T} a template tag: values are escaped unless they
 *   are markup of the language. Arrays are joined; false, null and undefined are empty
 */
function templateTag (Language, escape) {
  /** @type {(value: unknown) => string} */
  const shown = value => {
    if (value instanceof Language) return value.text
    if (Array.isArray(value)) return value.map(shown).join('')
    return value === false || value === null || value === undefined ? '' : escape(String(value))
  }
  return (strings, ...values) => new Language(strings.reduce((text, part, i) => text + shown(values[i - 1]) + part))
}

module.exports = { Markup, templateTag }
