'use strict'

// The interface of a load shape: the option that selects it, and when its requests are due. parts.js lists all shapes.

const { ARRIVALS, SHAPES } = require('../parts')

/**
 * @typedef {object} Shape
 * @property {Readonly<import('../options/table').Option>} option the option that selects it; `value` below is its value
 * @property {(value: any) => import('./rate').Unit | null} unitOf the unit; null for stages of connections, which send
 *   at any rate
 * @property {(value: any) => number} mostOf the highest rate per second, or the number at once
 * @property {(value: any) => { rate: number, form?: unknown, isPooled?: true }} planned requests per second on average,
 *   and further parameters of its pace, as plain data with ms; isPooled: whether any connection may send the rest of an
 *   amount
 * @property {(pacing: Pacing, end?: number) => import('./pace').Pace} paceOf the pace of all load generators together;
 *   requests due at `end` or later are not part of the run
 * @property {true} [isCounted] whether the result shows the number of due requests, because it may differ from the
 *   average rate
 * @property {true} [setsArrivals] whether the shape determines arrivals, so that `arrivals` cannot be combined with it
 * @property {(value: any, unit?: string) => string} line of the banner; `value` may be as given, `unit` is that of a
 *   rate
 * @property {(value: any) => string[]} [texts] values of its flag; absent where the value is a number or text
 *
 * @typedef {import('./pace').Pacing} Pacing
 *
 * @typedef {object} Arrivals
 * @property {(even: import('./pace').Pace, seed: number, end?: number) => import('./pace').Pace} paceOver
 * @property {number} most the highest rate that a thread can compute in addition to its load
 * @property {boolean} isRandom whether a seed determines them
 */

/** @type {ReadonlyArray<Readonly<Shape & { name: string }>>} */
const ALL = Object.freeze(Object.entries(SHAPES).map(([name, { load }]) => ({ name, ...load() })))

const SHAPED = Object.freeze(ALL.map(({ option }) => option.name))

/**
 * @param {Record<string, any>} load values of options, or those of a scenario
 * @returns {(Shape & { name: string, value: any }) | undefined} the selected shape
 */
function shapeIn (load) {
  const shape = ALL.find(({ option: { name } }) => load[name] !== undefined)
  return shape && { ...shape, value: load[shape.option.name] }
}

/**
 * @param {Record<string, any>} load
 * @returns {import('./rate').Unit | null} the unit of the load; null when these options do not set one
 */
function unitIn (load) {
  const shape = shapeIn(load)
  return shape === undefined ? null : shape.unitOf(shape.value)
}

/**
 * @param {Record<string, any>} load
 * @returns {number} the highest rate per second, or the number at once; 0 without a shape
 */
function mostIn (load) {
  const shape = shapeIn(load)
  return shape === undefined ? 0 : shape.mostOf(shape.value)
}

/**
 * @param {Record<string, any>} values of options
 * @returns {Arrivals | undefined} the arrivals around due times; undefined for even ones
 */
function arrivalsIn ({ arrivals }) {
  return ARRIVALS[arrivals]?.load()
}

/** @param {Record<string, any>} values */
function loadIn (values) {
  return Object.fromEntries(SHAPED.map(name => [name, values[name]]))
}

module.exports = { ALL, SHAPED, arrivalsIn, loadIn, mostIn, shapeIn, unitIn }
