'use strict'

// Owns what stands for an environment variable in the texts of a config: ${NAME}, and ${NAME:-default} where it may be unset or empty, as in a shell.

const { isRecord, show } = require('../foreign-text')
const { placeOf } = require('../scenario/place')

/** A name behind a dollar, an escaped dollar, or what looks like one of them and is none. */
const REFERENCES = /\$\$\{|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}|\$\{[^}]{0,60}\}?/g

/** A few aliases of aliases in YAML may stand for more than any memory holds. */
const MOST_VALUES = 1_000_000
const DEEPEST = 100

/**
 * @param {unknown} given plain data
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ value: any, problems: Array<{ place: string, reason: string }> }} a copy in which what the environment has stands in all texts; names of
 *   keys stay as they are
 * @throws {TypeError} for more than anybody writes
 */
function withEnvironment (given, env) {
  /** @type {Array<{ place: string, reason: string }>} */
  const problems = []
  let count = 0
  /**
   * @param {any} value
   * @param {string} place
   * @param {number} depth
   * @returns {unknown}
   */
  const walk = (value, place, depth) => {
    if (++count > MOST_VALUES || depth > DEEPEST) throw new TypeError(`expected at most ${MOST_VALUES / 1e6} million values, at most ${DEEPEST} levels deep, got more, perhaps by aliases of aliases`)
    if (typeof value === 'string') return value.includes('${') ? replaced(value, env, reason => problems.push({ place, reason })) : value
    if (Array.isArray(value)) return value.map((one, i) => walk(one, place + placeOf(i), depth + 1))
    return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, place + placeOf(key), depth + 1)])) : value
  }
  return { value: walk(given, '', 0), problems }
}

/**
 * @param {string} text
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {(reason: string) => void} complain
 */
function replaced (text, env, complain) {
  return text.replace(REFERENCES, (found, name, fallback) => {
    if (found === '$${') return '${'
    if (name === undefined) {
      complain(`expected \${NAME} or \${NAME:-default} for an environment variable, got ${show(found)}; $\${ stands for the characters \${`)
      return found
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined
    if (value !== undefined && (value !== '' || fallback === undefined)) return value
    if (fallback === undefined) complain(`the environment variable ${name} is not set; set it, or give a default as in \${${name}:-…}`)
    return fallback ?? found
  })
}

module.exports = { withEnvironment }
