'use strict'

// Environment variables in the texts of a config: ${NAME}, and ${NAME:-default} for an unset or empty one, as in a
// shell.

const { isRecord, show } = require('../core/foreign-text')
const { placeOf } = require('../requests/place')

/**
 * A name after a dollar, an escaped dollar, or an invalid form of these. A default extends to its brace or to the end,
 * so it is read once.
 */
const REFERENCES = /\$\$\{|\$\{([A-Za-z_]\w*)(?::-([^}]*))?(\}|$)|\$\{[^}]{0,60}\}?/g

/** A few aliases of aliases in YAML may have more values than any memory holds. */
const MOST_VALUES = 1_000_000
const DEEPEST = 100

/**
 * Characters of texts in which something was replaced. A long variable may be named often, and each text is a new one.
 */
const MOST_TEXT = 100_000_000

/**
 * @param {unknown} given plain data
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ value: any, problems: Array<{ place: string, reason: string }>, used: Set<string> }} a copy with values
 *   of the environment in all texts; names of keys stay unchanged. `used` are the names of the variables whose values
 *   are in it
 * @throws {TypeError} for unreasonable sizes
 */
function withEnvironment (given, env) {
  /** @type {Array<{ place: string, reason: string }>} */
  const problems = []
  /** @type {Set<string>} */
  const used = new Set()
  let count = 0
  let size = 0
  // An alias of a text is that text, and no copy of it.
  /** @type {Map<string, { value: string, reasons: Set<string> }>} */
  const known = new Map()
  /** @type {(text: string, place: string) => string} */
  const replace = (text, place) => {
    if (!text.includes('${')) return text
    const found = known.get(text) ?? replaced(text, env, used, length => {
      size += length
      if (size > MOST_TEXT) {
        throw new TypeError(`expected texts of at most ${MOST_TEXT / 1e6} million characters with what the ` +
          'environment has in them, got more')
      }
    })
    known.set(text, found)
    for (const reason of found.reasons) problems.push({ place, reason })
    return found.value
  }
  /** @type {(value: any, place: string, depth: number) => unknown} */
  const walk = (value, place, depth) => {
    if (++count > MOST_VALUES || depth > DEEPEST) {
      throw new TypeError(`expected at most ${MOST_VALUES / 1e6} million values, at most ${DEEPEST} levels deep, got ` +
        'more, perhaps by aliases of aliases')
    }
    if (typeof value === 'string') return replace(value, place)
    if (Array.isArray(value)) return value.map((one, i) => walk(one, place + placeOf(i), depth + 1))
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, place + placeOf(key), depth + 1)]))
      : value
  }
  return { value: walk(given, '', 0), problems, used }
}

/**
 * @param {string} text
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {Set<string>} used gets the names of variables whose values are put in
 * @param {(length: number) => void} grow called with each part of the resulting text, and may throw
 */
function replaced (text, env, used, grow) {
  /** @type {Set<string>} */
  const reasons = new Set()
  grow(text.length)
  const value = text.replace(REFERENCES, (found, name, fallback, end) => {
    if (found === '$${') return '${'
    if (name === undefined || end === '') {
      reasons.add(`expected \${NAME} or \${NAME:-default} for an environment variable, got ${show(found)}; $\${ ` +
        'means the characters ${')
      return found
    }
    // Its end would be that of the inner one, and the rest would be sent as text.
    if (fallback?.includes('${')) {
      reasons.add(
        `expected a default without another variable, got ${show(found)}; use a JavaScript config with process.env`
      )
      return found
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      grow(value.length)
      used.add(name)
      return value
    }
    if (fallback === undefined) {
      reasons.add(`the environment variable ${name} is not set; set it, or give a default as in \${${name}:-…}`)
    }
    return fallback ?? found
  })
  return { value, reasons }
}

module.exports = { withEnvironment }
