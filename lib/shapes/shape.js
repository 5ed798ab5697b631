'use strict'

// The interface of a load shape: the option that selects it, and when its requests are due. parts.js lists all shapes.

const { ARRIVALS, SHAPES } = require('../parts')

/**
 * @typedef {object} Shape
 * @property {Readonly<import('../options/table').Option>} option that selects it: `value` below is its value
 * @property {(value: any) => import('./rate').Unit | null} unitOf the unit; null where connections come, and send as
 *   they can
 * @property {(value: any) => number} mostOf how many per second, or at once, when there are most
 * @property {(value: any) => { rate: number, form?: unknown, isPooled?: true }} planned requests per second on average,
 *   and further parameters of its pace, as plain data with ms; whether any connection may send the rest of an amount
 * @property {(pacing: Pacing, end?: number) => import('./pace').Pace} paceOf of all generators together; due requests
 *   at `end` or later are not part of the run
 * @property {true} [isCounted] the number in a time may differ from the average: the result has the due requests
 * @property {true} [setsArrivals] requests are due together, so they can't arrive in another way
 * @property {(value: any, unit?: string) => string} line of the banner; `value` may be as given, `unit` is that of a
 *   rate
 * @property {(value: any) => string[]} [texts] values of its flag; where a value is a number or text they are left out
 *
 * @typedef {import('./pace').Pacing} Pacing
 *
 * @typedef {object} Arrivals
 * @property {(even: import('./pace').Pace, seed: number, end?: number) => import('./pace').Pace} paceOver
 * @property {number} most requests per second that a thread can work out beside its load
 * @property {boolean} isRandom a seed determines them
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
 * @returns {import('./rate').Unit | null} the unit that is due at times; null for none, by these options
 */
function unitIn (load) {
  const shape = shapeIn(load)
  return shape === undefined ? null : shape.unitOf(shape.value)
}

/**
 * @param {Record<string, any>} load
 * @returns {number} requests per second, or at once, when there are most; 0 without a shape
 */
function mostIn (load) {
  const shape = shapeIn(load)
  return shape === undefined ? 0 : shape.mostOf(shape.value)
}

/**
 * @param {Record<string, any>} values of options
 * @returns {Arrivals | undefined} how requests arrive around the times at which they are due; nothing where they are
 *   even
 */
function arrivalsIn ({ arrivals }) {
  return ARRIVALS[arrivals]?.load()
}

/** @param {Record<string, any>} values */
function loadIn (values) {
  return Object.fromEntries(SHAPED.map(name => [name, values[name]]))
}

module.exports = { ALL, SHAPED, arrivalsIn, loadIn, mostIn, shapeIn, unitIn }
