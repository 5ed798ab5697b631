'use strict'

// The seed of random arrivals. With a fixed default every run would send at the same moments, and a comparison of runs
// would hold only for that sequence.

const { randomInt } = require('node:crypto')
const { arrivalsIn } = require('../../shapes/shape')

/** The option is an integer from 1 to this. */
const MOST = 4_294_967_295

/**
 * @template {import('../normalize').Values} Values
 * @param {Values} values
 * @returns {Values} with a seed where arrivals are random and the user gave none
 */
function withSeed (values) {
  return values.seed === undefined && arrivalsIn(values)?.isRandom === true
    ? { ...values, seed: randomInt(1, MOST + 1) }
    : values
}

/**
 * @template {import('../normalize').Values} Values
 * @param {Values} values with a seed
 * @param {number} run from 1 on
 * @returns {Values} values with the seed of this run: each run has different arrivals, which the first seed determines
 */
function seededFor (values, run) {
  const { seed = 1 } = values
  return arrivalsIn(values)?.isRandom === true ? { ...values, seed: (seed - 1 + run - 1) % MOST + 1 } : values
}

module.exports = { seededFor, withSeed }
