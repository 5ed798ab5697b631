'use strict'

// Owns how text becomes a part of Markdown: always as text, never as markup, HTML, a mention or a link. GitHub shows it.

/**
 * @param {string} given
 * @returns {string} without a line break
 */
function text (given) {
  return String(given)
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N}\p{Sc}\p{Pd} .,:;/%?=+'()×·–−…✓✗]/gu, character => `&#${character.codePointAt(0)};`)
    // Entities are read before mentions and links are looked for: what stands between two comments is neither.
    .replaceAll('&#64;', '&#64;<!-- -->')
    .replaceAll('://', ':<!-- -->//')
    .replace(/\bwww\./gi, '$&<!-- -->')
}

/** @param {string} given */
function code (given) {
  return `<code>${text(given)}</code>`
}

/**
 * @param {string[]} head Markdown; a column that begins with > is aligned to the right
 * @param {string[][]} rows Markdown
 * @returns {string} without a line break at the end
 */
function table (head, rows) {
  return [head.map(name => name.replace(/^>/, '')), head.map(name => name.startsWith('>') ? '--:' : '---'), ...rows]
    .map(row => `| ${row.join(' | ')} |`).join('\n')
}

module.exports = { text, code, table }
