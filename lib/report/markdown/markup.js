'use strict'

// Puts text into Markdown as GitHub shows it: always as text, never as markup, HTML, a mention, a reference, a link, a
// formula or an emoji.

const { Markup, templateTag } = require('../markup')

/** Characters that may have a meaning in Markdown. $ begins a formula. */
const SPECIAL = /\$|[^\p{L}\p{N}\p{Sc}\p{Pd} .,:;/%?=+'()×·–−±…✓✗]/gu

/** Starts of a line that make it a list or a rule. */
const BLOCK = /^(?:[-+]|\d+[.)])(?= |$)|^[-=]+$/

/** Starts of mentions, references, links and emoji. GitHub decodes entities first; a comment inside disables them. */
const LINKED = /&#(?:64|35);|\bwww\.|\bGH(?=-\d)|:(?=\/\/|[\w+-]+:)/gi

/** The result of `md`. */
class Markdown extends Markup {}

/** @param {string} text @returns {string} without a line break */
function escape (text) {
  return text.replace(/\s+/g, ' ')
    .replace(SPECIAL, entity)
    .replace(BLOCK, start => start.slice(0, -1) + entity(start.slice(-1)))
    .replace(LINKED, '$&<!-- -->')
}

/** @param {string} character */
function entity (character) {
  return `&#${character.codePointAt(0)};`
}

const md = templateTag(Markdown, escape)

/** @param {unknown} given */
function code (given) {
  return md`<code>${given}</code>`
}

/** @param {unknown[]} parts @param {Markdown} separator */
function joined (parts, separator) {
  return md`${parts.map((part, i) => i === 0 ? md`${part}` : md`${separator}${part}`)}`
}

/**
 * @param {string[]} head one that begins with > is aligned to the right
 * @param {unknown[][]} rows
 * @returns {Markdown} without a line break at the end
 */
function table (head, rows) {
  const lines = [
    head.map(name => name.replace(/^>/, '')),
    head.map(name => name.startsWith('>') ? md`--:` : md`---`),
    ...rows
  ]
  return joined(lines.map(cells => md`| ${joined(cells, md` | `)} |`), md`\n`)
}

module.exports = { md, code, joined, table, Markdown }
