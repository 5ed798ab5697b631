'use strict'

// Rejects values that turn a path segment into . or .. , which would change the path. It checks the resulting path:
// `{{a}}{{b}}`, `.{{v}}`, `%2e{{v}}` and a raw value with slashes can produce such segments, too. Segments without a
// value stay as the user wrote them.

/**
 * @typedef {import('./own').Own} Own
 * @typedef {import('./fillers').Part} Part
 */

const ENDS_SEGMENT = /[/\\?#]/

/** Text with which a value can make a dot segment: %2e is a dot (WHATWG URL), and so may be %2{{v}}. */
const NEAR_DOTS = /^[.%2e]*$/i

const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?:[/\\]|$)/i

/** One between slashes of the template. */
const WRITTEN_DOT_SEGMENT = /(?<=[/\\])(?:\.|%2e){1,2}(?=[/\\])/gi

class Segment {
  constructor () {
    /** @type {Part[]} */
    this.parts = []
    /** Whether no other text than dots is in it. */
    this.isNearDots = true
    /** Whether a value may have slashes. */
    this.isRaw = false
    /** How many of its parts are values. */
    this.values = 0
  }

  /** @param {string} text */
  addText (text) {
    if (text === '') return
    this.parts.push(text)
    if (!NEAR_DOTS.test(text)) this.isNearDots = false
  }

  /** @type {(value: Exclude<Part, string>, isRaw: boolean) => void} */
  addValue (value, isRaw) {
    this.parts.push(value)
    this.values++
    if (isRaw) this.isRaw = true
  }

  /** Returns the same parts, or one that checks their values. @type {(refuse: (own: Own) => void) => Part[]} */
  end (refuse) {
    const { values, isNearDots, isRaw } = this
    const parts = joined(this.parts)
    if (values === 0 || !(isRaw || isNearDots)) return parts
    // The slash marks the end of the path.
    const checked = parts.map((part, i) =>
      typeof part === 'string' ? withoutWritten(i === parts.length - 1 ? part + '/' : part) : part)
    return [own => {
      let text = ''
      let guarded = ''
      for (let i = 0; i < parts.length; i++) {
        const part = parts[i]
        const value = typeof part === 'string' ? part : part(own)
        text += value
        guarded += typeof part === 'string' ? checked[i] : value
      }
      if (DOT_SEGMENT.test(pathIn(guarded))) refuse(own)
      return text
    }]
  }
}

/** @param {string} text of a template, which may end with the middle of a segment */
function withoutWritten (text) {
  return text.replace(WRITTEN_DOT_SEGMENT, '_')
}

/** @param {string} text */
function pathIn (text) {
  const end = text.search(/[?#]/)
  return end === -1 ? text : text.slice(0, end)
}

/**
 * @param {ReadonlyArray<Part>} parts of a path
 * @param {(i: number) => 'raw' | 'encoded' | 'checked'} kindOf the kind of value at this place: checked for a whole
 *   segment that is checked already
 * @param {(own: Own) => void} refuse
 * @returns {Part[]} that refuse values with which they make a dot segment
 */
function withoutDotSegments (parts, kindOf, refuse) {
  /** @type {Part[]} */
  const guarded = []
  let segment = new Segment()
  let inQuery = false
  const end = () => {
    guarded.push(...segment.end(refuse))
    segment = new Segment()
  }
  for (const [i, part] of parts.entries()) {
    if (inQuery) guarded.push(part)
    else if (typeof part !== 'string') {
      // A segment that is still open has the parts before it.
      if (kindOf(i) === 'checked' && segment.parts.length === 0) guarded.push(part)
      else segment.addValue(part, kindOf(i) === 'raw')
    } else {
      let rest = part
      for (let at = rest.search(ENDS_SEGMENT); at !== -1 && !inQuery; at = rest.search(ENDS_SEGMENT)) {
        segment.addText(rest.slice(0, at))
        inQuery = rest[at] === '?' || rest[at] === '#'
        // A raw value may go on after the slash.
        if (segment.isRaw && !inQuery) segment.parts.push(rest[at])
        else {
          end()
          guarded.push(inQuery ? rest.slice(at) : rest[at])
        }
        rest = inQuery ? '' : rest.slice(at + 1)
      }
      segment.addText(rest)
    }
  }
  end()
  return joined(guarded)
}

/** Returns without two texts in a row. @type {(parts: Part[]) => Part[]} */
function joined (parts) {
  /** @type {Part[]} */
  const list = []
  for (const part of parts) {
    const last = list.at(-1)
    if (typeof part === 'string' && typeof last === 'string') list[list.length - 1] = last + part
    else list.push(part)
  }
  return list
}

module.exports = { withoutDotSegments }
