'use strict'

// Puts text into Markdown: always as text, never as markup, HTML, a mention, a reference, a link, a formula or an
// emoji. GitHub shows it.

const { Markup, templateTag } = require('../markup')

/** All characters with a meaning in Markdown, anywhere in a line. $ begins a formula. */
const SPECIAL = /\$|[^\p{L}\p{N}\p{Sc}\p{Pd} .,:;/%?=+'()×·–−±…✓✗]/gu

/** Starts of a line that make it a list or a rule. */
const BLOCK = /^(?:[-+]|\d+[.)])(?= |$)|^[-=]+$/

/**
 * GitHub decodes entities before it looks for mentions, references, links and emoji, and ignores those with a comment
 * inside.
 */
const MEANT = /&#(?:64|35);|\bwww\.|\bGH(?=-\d)|:(?=\/\/|[\w+-]+:)/gi

/** The result of `md`. */
class Markdown extends Markup {}

/** @param {string} text @returns {string} without a line break */
function escape (text) {
  return text.replace(/\s+/g, ' ')
    .replace(SPECIAL, entity)
    .replace(BLOCK, start => start.slice(0, -1) + entity(start.slice(-1)))
    .replace(MEANT, '$&<!-- -->')
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
 * @param {string[]} head a column that begins with > is aligned to the right
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
