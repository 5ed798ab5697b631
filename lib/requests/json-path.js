'use strict'

// Paths into JSON, the same ones in expectations, captures, templates and user functions: `user.roles[0].name` (or
// `user.roles.0.name`), `items[-1]`, `items[*].id` and `items.length`.

const { keepText, textOf } = require('./json-numbers')

/** `[*]`: each element of a list. The rest of the path is looked up in each. */
const EACH = Symbol('[*]')

/**
 * A name or an index; a negative number counts from the end of a list.
 * @typedef {string | number | typeof EACH} Step
 */

const STEP = /^\[(?:(\d+)|(-[1-9]\d*)|\*)\]$/

/**
 * @param {string} path may begin with `$.`, as in JSONPath
 * @returns {Step[]} of the path
 * @throws {TypeError}
 */
function parseJsonPath (path) {
  const steps = path.replace(/^\$(?:\.(?!\.)|(?=\[))/, '').split(/\.|(?=\[(?:-?\d+|\*)\])/)
  // An empty first step, as in `.[0]`.
  if (steps.length > 1 && steps[0] === '') steps.shift()
  return steps.map(step => {
    const [found, index, fromEnd] = STEP.exec(step) ?? []
    if (step === '' || (found === undefined && /^\[(?:-?\d+|\*)\]/.test(step))) {
      throw new TypeError(`expected a path into JSON such as user.id, items[0].name or items[*].id, got '${path}'`)
    }
    return found === undefined ? step : index ?? (fromEnd === undefined ? EACH : Number(fromEnd))
  })
}

/**
 * @param {string} path
 * @returns {boolean} whether it is a path; false for other JSONPath syntax, and for `$` alone, which would be read as a
 *   name
 */
function isJsonPath (path) {
  try {
    return path !== '$' && parseJsonPath(path).every(step => typeof step !== 'string' || !/[*?[\]]/.test(step))
  } catch {
    return false
  }
}

/** Returns a normal form: `a[0]` and `a.0` are the same place. @type {(path: string) => string} */
function placeOf (path) {
  return parseJsonPath(path).map(step => typeof step === 'string' ? step : `[${String(step)}]`).join('.')
}

/**
 * @param {any} value parsed JSON
 * @param {ReadonlyArray<Step>} steps
 * @param {number} [from] index of the first step to follow
 * @returns {any} the value at the path; undefined for none
 */
function valueAt (value, steps, from = 0) {
  for (let i = from; i < steps.length; i++) {
    const step = steps[i]
    if (typeof step !== 'string') {
      if (!Array.isArray(value)) return undefined
      if (step === EACH) return valuesAt(value, steps, i + 1)
      value = value[value.length + /** @type {number} */ (step)]
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, step)) {
      // Only own properties: `length` of an array is one, `constructor` is not.
      value = value[step]
    } else if (step === 'length' && typeof value === 'string') value = value.length
    else return undefined
  }
  return value
}

/**
 * @param {any[]} list
 * @param {ReadonlyArray<Step>} steps
 * @param {number} from index of the step after the `[*]`
 * @returns {any[]} the values of all elements that have one, in one list, with the texts of their numbers
 */
function valuesAt (list, steps, from) {
  const isNested = steps.indexOf(EACH, from) !== -1
  /** @type {any[]} */
  const found = []
  for (let i = 0; i < list.length; i++) {
    const value = valueAt(list[i], steps, from)
    if (value === undefined) continue
    if (isNested) for (let j = 0; j < value.length; j++) add(found, value[j], value, String(j))
    else if (typeof value !== 'number') found.push(value)
    else if (from === steps.length) add(found, value, list, String(i))
    else add(found, value, ...holderOf(list[i], steps, from))
  }
  return found
}

/** @type {(found: any[], value: any, holder: any, key: string) => void} */
function add (found, value, holder, key) {
  if (typeof value === 'number') keepText(found, String(found.length), textOf(holder, key, value))
  found.push(value)
}

/** @type {(json: any, steps: ReadonlyArray<Step>, from: number) => [holder: any, key: string]} */
function holderOf (json, steps, from) {
  const last = steps.length - 1
  const holder = valueAt(json, steps.slice(from, last))
  const step = steps[last]
  return [holder, typeof step === 'number' ? String(holder.length + step) : String(step)]
}

/**
 * @param {any} json with texts of its numbers
 * @param {ReadonlyArray<Step>} steps
 * @param {number} number at the path
 * @returns {string} its text in the source
 */
function numberTextAt (json, steps, number) {
  return textOf(...holderOf(json, steps, 0), number)
}

module.exports = { isJsonPath, numberTextAt, parseJsonPath, placeOf, valueAt }
