'use strict'

// Evaluates expressions. A name is a value of the context of the iteration, of a data source, or of the flow itself. A
// path reads own properties only, never those of a prototype.

const { isDeepStrictEqual } = require('node:util')
const { textOf: textOfNumber, withBigInts } = require('../requests/json-numbers')
const { valueAt } = require('../requests/json-path')
const { textOf } = require('./formula')

/**
 * @typedef {import('./formula').Formula} Formula
 *
 * @typedef {object} Scope the values of names in an expression
 * @property {Record<string, any>} context of the iteration
 * @property {import('../templates/own').Own} own of the user, with its rows of data
 * @property {number | null} status of the last response
 * @property {number | null} index of the turn of the innermost loop, from 0
 * @property {() => number} random from 0 up to, excluding, 1
 * @property {{ json: any, text: string } | null} message the message that the expression reads; null for none
 *
 * @typedef {(scope: Scope) => any} Value returns the value; null for a missing one
 */

/** Built-in names. @type {Readonly<Record<string, (scope: Scope) => any>>} */
const BUILT_IN = Object.freeze({
  status: scope => scope.status, index: scope => scope.index, random: scope => scope.random()
})

/** Built-in names in conditions for messages. @type {typeof BUILT_IN} */
const OF_MESSAGES = Object.freeze({
  ...BUILT_IN, json: scope => scope.message?.json ?? null, body: scope => scope.message?.text ?? null
})

/**
 * @param {Formula} formula
 * @param {import('../templates/shared-values').SharedValues | null} sharedValues the values of data
 * @param {typeof BUILT_IN} [names] the built-in names
 * @returns {Value}
 */
function valueOf (formula, sharedValues, names = BUILT_IN) {
  if ('value' in formula) {
    const { value } = formula
    return () => value
  }
  if ('list' in formula) {
    const all = formula.list.map(one => valueOf(one, sharedValues, names))
    return scope => all.map(value => value(scope))
  }
  if ('op' in formula) {
    const of = formula.of.map(one => valueOf(one, sharedValues, names))
    return OPERATIONS[formula.op](of[0], of[1])
  }
  return pathValue(formula, sharedValues, names)
}

/**
 * @type {(path: import('./formula').Path, sharedValues: import('../templates/shared-values').SharedValues | null,
 *   names: typeof BUILT_IN) => Value}
 */
function pathValue (path, sharedValues, names) {
  const { root, steps } = path
  const found = sharedValues === null ? null : sharedValues.sources.find(textOf(path))
  if (found !== null && sharedValues !== null) return dataValue(path, found, sharedValues, names)
  const keys = keysOf(steps, sharedValues, names)
  /** @type {Value} */
  const begin = Object.hasOwn(names, root) ? names[root] : ({ context }) => own(context, root)
  if (keys.length === 0) return begin
  return scope => walk(begin(scope), keys, scope)
}

/**
 * @param {import('./formula').Path} path
 * @param {{ source: number, column: number, steps: import('../requests/json-path').Step[] }} found the place of the
 *   value in a data source, up to the first step that is an expression
 * @param {import('../templates/shared-values').SharedValues} sharedValues
 * @param {typeof BUILT_IN} names
 * @returns {Value}
 */
function dataValue ({ steps: all }, { source, column, steps }, sharedValues, names) {
  const rows = sharedValues.sources.rows[source]
  const known = all.findIndex(step => typeof step !== 'string')
  const keys = known === -1 ? [] : keysOf(all.slice(known), sharedValues, names)
  return scope => walk(valueAt(parsed(rows.json(scope.own.rows[source], column)), steps) ?? null, keys, scope)
}

/** @param {string} json */
const parsed = json => withBigInts(json, JSON.parse(json))

/**
 * @type {(steps: ReadonlyArray<string | Formula>, sharedValues: import('../templates/shared-values').SharedValues |
 *   null, names: typeof BUILT_IN) => Array<string | Value>}
 */
function keysOf (steps, sharedValues, names) {
  return steps.map(step => typeof step === 'string' ? step : valueOf(step, sharedValues, names))
}

/** @type {(value: any, keys: ReadonlyArray<string | Value>, scope: Scope) => any} */
function walk (value, keys, scope) {
  for (let i = 0; i < keys.length && value !== null; i++) {
    const key = keys[i]
    value = own(value, typeof key === 'string' ? key : String(key(scope)))
  }
  return value
}

/** @type {(holder: any, key: string) => any} */
function own (holder, key) {
  // Negative indexes count from the end, as in templates.
  if (key.startsWith('-') && Array.isArray(holder)) key = String(holder.length + Number(key))
  const may = typeof holder === 'string' || (typeof holder === 'object' && holder !== null)
  const value = may && Object.hasOwn(holder, key) ? holder[key] ?? null : null
  return typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : exact(holder, key, value)
}

/**
 * Returns a BigInt for a large integer: two ids above 2^53 may be the same number.
 * @type {(holder: any, key: string, value: number) => number | bigint}
 */
function exact (holder, key, value) {
  const text = textOfNumber(holder, key, value)
  return INTEGER.test(text) ? BigInt(text) : value
}

/** @type {Readonly<Record<string, (a: Value, b: Value) => Value>>} */
const OPERATIONS = Object.freeze({
  and: (a, b) => scope => isTrue(a(scope)) && isTrue(b(scope)),
  or: (a, b) => scope => isTrue(a(scope)) || isTrue(b(scope)),
  not: a => scope => !isTrue(a(scope)),
  '==': (a, b) => scope => isEqual(a(scope), b(scope)),
  '!=': (a, b) => scope => !isEqual(a(scope), b(scope)),
  '<': (a, b) => scope => compare(a(scope), b(scope)) < 0,
  '<=': (a, b) => scope => compare(a(scope), b(scope)) <= 0,
  '>': (a, b) => scope => compare(a(scope), b(scope)) > 0,
  '>=': (a, b) => scope => compare(a(scope), b(scope)) >= 0,
  in: (a, b) => scope => isIn(a(scope), b(scope)),
  '+': (a, b) => arithmetic(a, b, (a, b) => a + b),
  '-': (a, b) => arithmetic(a, b, (a, b) => a - b),
  '*': (a, b) => arithmetic(a, b, (a, b) => a * b),
  '/': (a, b) => arithmetic(a, b, (a, b) => a / b),
  '%': (a, b) => arithmetic(a, b, (a, b) => a % b)
})

/** Returns whether the value is truthy. @param {any} value */
function isTrue (value) {
  return value !== null && value !== undefined && value !== false && value !== 0 && value !== ''
}

/**
 * Converts text to a number: headers, CSV columns and matches of patterns are text.
 * @param {any} value
 * @returns {number} NaN for anything else
 */
function numberOf (value) {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : NaN
}

/**
 * As `numberOf`, with a BigInt for large integers: JavaScript compares both types exactly.
 * @param {any} value
 * @returns {number | bigint}
 */
function comparable (value) {
  if (typeof value === 'bigint') return value
  const number = numberOf(value)
  return typeof value === 'string' && Math.abs(number) > Number.MAX_SAFE_INTEGER && INTEGER.test(value)
    ? BigInt(value)
    : number
}

/** The length is limited, because the text may be from a server. */
const INTEGER = /^\s*-?\d{1,400}\s*$/

/** It has one way to match digits, because a regular expression with several backtracks in quadratic time. */
const NUMBER = /^\s*[-+]?(\d+(?:\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i

/** @type {(a: any, b: any) => boolean} */
function isEqual (a, b) {
  if (a === b) return true
  if (typeof a === 'object' && typeof b === 'object') return isDeepStrictEqual(a, b)
  if (typeof a === typeof b || a === null || b === null) return false
  return compare(a, b) === 0
}

/** Returns a negative number, 0 or a positive number; NaN when there is no order. @type {(a: any, b: any) => number} */
function compare (a, b) {
  const [left, right] = [comparable(a), comparable(b)]
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left < right ? -1 : left > right ? 1 : 0
  return typeof a === 'string' && typeof b === 'string' ? a < b ? -1 : Number(a > b) : NaN
}

/** @type {(one: any, all: any) => boolean} */
function isIn (one, all) {
  if (Array.isArray(all)) return all.some(other => isEqual(one, other))
  if (typeof all === 'string') return (typeof one === 'string' || typeof one === 'number') && all.includes(String(one))
  return typeof all === 'object' && all !== null && typeof one === 'string' && Object.hasOwn(all, one)
}

/** @type {(a: Value, b: Value, of: (a: number, b: number) => number) => Value} */
function arithmetic (a, b, of) {
  return scope => {
    const value = of(numberOf(a(scope)), numberOf(b(scope)))
    return Number.isFinite(value) ? value : null
  }
}

module.exports = { BUILT_IN, OF_MESSAGES, isTrue, valueOf }
