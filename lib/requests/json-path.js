'use strict'

// Paths into JSON for expectations: `user.roles[0].name`, or `user.roles.0.name`.

/**
 * @param {string} path
 * @returns {string[]} the names and indexes on the way
 * @throws {TypeError}
 */
function parseJsonPath (path) {
  const steps = path.replace(/\[(\d+)\]/g, '.$1').replace(/^\./, '').split('.')
  if (steps.includes('')) {
    throw new TypeError(`expected a path into JSON such as user.id or items[0].name, got '${path}'`)
  }
  return steps
}

/** Returns the same for `a[0]` and `a.0`, which lead to the same place. @type {(path: string) => string} */
function placeOf (path) {
  return parseJsonPath(path).join('.')
}

/**
 * @param {any} value parsed JSON
 * @param {string[]} steps
 * @returns {unknown} what stands there; undefined when nothing does
 */
function valueAt (value, steps) {
  for (const step of steps) {
    // Own properties only: `length` of an array is one, `constructor` is none.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = value[step]
  }
  return value
}

/**
 * @param {any} value parsed JSON
 * @param {string[]} steps
 * @returns {any} the object or array whose value `valueAt` returns
 */
function holderAt (value, steps) {
  return valueAt(value, steps.slice(0, -1))
}

module.exports = { holderAt, parseJsonPath, placeOf, valueAt }
