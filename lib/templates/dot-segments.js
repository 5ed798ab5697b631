'use strict'

// Rejects values that turn a path segment into . or .. , which would lead to another path. It checks the path with its
// values: `{{a}}{{b}}`, `.{{v}}`, `%2e{{v}}` and a raw value with slashes can all produce such a segment. Segments
// without a value stay as the user wrote them.

/**
 * @typedef {import('./own').Own} Own
 * @typedef {import('./fillers').Part} Part
 */

/** `%2e` is a dot (WHATWG URL). */
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i

/** A dot segment between slashes of the template. */
const WRITTEN_DOT_SEGMENT = /(?<=[/\\])(?:\.|%2e){1,2}(?=[/\\])/gi

/** Characters that replace values in the outline of a path. */
const OUTLINE = Object.freeze({ raw: '\0', encoded: '\x01', checked: '\x02' })

/** A segment of an outline that values can turn into dots, as in `%2{{v}}`. */
// eslint-disable-next-line no-control-regex
const NEAR_DOTS = /^[.%2e]*\x01[.%2e\x01]*$/i

/** A raw value may have slashes. @type {(outline: string) => boolean} whether values can make a dot segment */
function isRisky (outline) {
  return outline.includes(OUTLINE.raw) || outline.split(/[/\\]/).some(segment => NEAR_DOTS.test(segment))
}

/**
 * @param {Part[]} parts of a path and its query
 * @param {(i: number) => 'raw' | 'encoded' | 'checked'} kindOf the kind of the value at this index: `checked` for one
 *   that is a whole segment, and is no dot segment
 * @param {(own: Own) => void} refuse
 * @returns {Part[]} that refuse values with which they make a dot segment
 */
function withoutDotSegments (parts, kindOf, refuse) {
  const [path, query] = splitAtQuery(parts)
  if (!isRisky(path.map((part, i) => typeof part === 'string' ? part : OUTLINE[kindOf(i)]).join(''))) return parts
  // The slash marks the end of the path.
  const written = path.map((part, i) => typeof part === 'string'
    ? (i === path.length - 1 ? part + '/' : part).replace(WRITTEN_DOT_SEGMENT, '_')
    : null)
  return [own => {
    let text = ''
    let checked = ''
    for (const [i, part] of path.entries()) {
      const value = typeof part === 'string' ? part : part(own)
      text += value
      checked += written[i] ?? value
    }
    // A raw value may begin the query.
    if (DOT_SEGMENT.test(checked.replace(/[?#].*/s, ''))) refuse(own)
    return text
  }, ...query]
}

/** @type {(parts: Part[]) => [path: Part[], query: Part[]]} */
function splitAtQuery (parts) {
  const i = parts.findIndex(part => typeof part === 'string' && /[?#]/.test(part))
  if (i === -1) return [parts, []]
  const text = String(parts[i])
  const at = text.search(/[?#]/)
  return [[...parts.slice(0, i), text.slice(0, at)], [text.slice(at), ...parts.slice(i + 1)]]
}

module.exports = { withoutDotSegments }
