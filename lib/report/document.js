'use strict'

// Owns what a report has of instruments, as data (report/authored): a renderer draws it in its own way and knows nothing of what was measured.

const { INSTRUMENTS } = require('../instruments')

/**
 * @typedef {import('./authored').Report} Report
 * @typedef {import('./authored').Columns} Columns
 * @typedef {Record<string, any>} Result
 */

/**
 * @param {Result} result
 * @param {import('../instruments').Place} [place] all when left out
 * @returns {Report[]} of the instruments that the result has something of
 */
function reportsIn (result, place) {
  return /** @type {any[]} */ (Object.values(INSTRUMENTS)).filter(one => (place === undefined || one.place === place) && one.isTold?.(result)).map(({ report }) => report())
}

/**
 * @param {Result} result
 * @param {import('./authored').Form} form
 * @param {{ verbose?: boolean }} [options] whether tables have all their rows
 * @returns {import('./authored').Table[]}
 */
function tablesIn (result, form, { verbose = false } = {}) {
  return reportsIn(result).flatMap(({ tables }) => tables?.(result, form, { verbose }) ?? [])
}

/**
 * @param {Result} result
 * @param {import('../instruments').Place} [place]
 */
function factsIn (result, place) {
  return reportsIn(result, place).flatMap(({ facts }) => facts?.(result) ?? [])
}

/** @param {Result} result */
function timesIn (result) {
  return reportsIn(result).flatMap(({ times }) => times?.(result) ?? [])
}

/**
 * @param {import('../instruments').Place} place
 * @returns {Columns} of all instruments, as files of several runs have the same ones
 */
function columnsOf (place) {
  return /** @type {any[]} */ (Object.values(INSTRUMENTS)).filter(one => one.place === place).flatMap(({ report }) => report?.().columns ?? [])
}

module.exports = { columnsOf, factsIn, tablesIn, timesIn }
