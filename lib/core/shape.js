'use strict'

// Validates data from outside. A shape is a function that returns the first wrong value with its place in the data.

const { isRecord, show } = require('./foreign-text')

/** @typedef {(value: any) => Problem | null} Shape null for a valid value */

class Problem {
  /** @param {(at: string) => string} sentence at: the place of the value */
  constructor (sentence) {
    this.sentence = sentence
    this.at = ''
  }

  /** Adds a key to the place of a problem. @param {string} key with a dot or brackets */
  inside (key) {
    this.at = key + this.at
    return this
  }

  /** @param {string} root the name of the data as a whole */
  text (root) {
    return this.sentence(this.at.replace(/^\./, '') || root)
  }
}

/** @type {(expected: string, isRight: (value: any) => boolean) => Shape} */
function is (expected, isRight) {
  const sentence = (/** @type {string} */ at, /** @type {unknown} */ value) =>
    value === undefined ? `it has no ${at}` : `${at} is ${show(value)}, expected ${expected}`
  return value => isRight(value) ? null : new Problem(at => sentence(at, value))
}

/** @param {ReadonlyArray<unknown>} values @param {string} expected */
const oneOf = (values, expected = values.join(', ')) => is(expected, value => values.includes(value))

/**
 * Checks the consistency of several figures.
 * @param {(value: any) => string | false | undefined} find returns the problem, which follows the place of the value
 * @returns {Shape}
 */
function agree (find) {
  return value => {
    const found = find(value)
    return found ? new Problem(at => `${at}${found}`) : null
  }
}

/** Applies each shape. @param {Shape[]} shapes @returns {Shape} */
function all (...shapes) {
  return value => {
    for (const shape of shapes) {
      const problem = shape(value)
      if (problem !== null) return problem
    }
    return null
  }
}

/** @type {(shape: Shape) => Shape} */
const nullable = shape => value => value === null ? null : shape(value)
/** @type {(shape: Shape) => Shape} */
const optional = shape => value => value === undefined ? null : shape(value)
/** @type {(shape: Shape) => Shape} */
const maybe = shape => optional(nullable(shape))

const OBJECT = is('an object', isRecord)
const ARRAY = is('an array', Array.isArray)
const TEXT = is('a text', value => typeof value === 'string')
const FLAG = is('true or false', value => typeof value === 'boolean')
const COUNT = is('a number of at least 0', value => Number.isFinite(value) && value >= 0)

/**
 * @param {Record<string, Shape>} fields in the order of the checks; other fields are allowed
 * @param {Shape[]} others check the whole object
 */
function object (fields, ...others) {
  const entries = Object.entries(fields)
  return all(OBJECT, value => {
    for (const [key, shape] of entries) {
      const problem = shape(value[key])
      if (problem !== null) return problem.inside(`.${key}`)
    }
    return null
  }, ...others)
}

/** @type {ReadonlySet<string>} */
const NONE = new Set()

/** @param {Shape} shape of each value @param {ReadonlySet<string>} [but] keys without this check @returns {Shape} */
function each (shape, but = NONE) {
  return all(OBJECT, value => {
    for (const key of Object.keys(value)) {
      const problem = but.has(key) ? null : shape(value[key])
      if (problem !== null) return problem.inside(`.${key}`)
    }
    return null
  })
}

/** @param {Shape} shape of each entry @returns {Shape} */
function list (shape) {
  return all(ARRAY, value => {
    for (let i = 0; i < value.length; i++) {
      const problem = shape(value[i])
      if (problem !== null) return problem.inside(`[${i}]`)
    }
    return null
  })
}

/** @param {ReadonlyArray<string>} keys @param {Shape} shape of each @returns {Record<string, Shape>} */
const fields = (keys, shape) => Object.fromEntries(keys.map(key => [key, shape]))

module.exports = {
  ...{ agree, all, each, fields, is, list, maybe, nullable, object, oneOf, optional },
  ...{ ARRAY, COUNT, FLAG, OBJECT, TEXT }
}
