'use strict'

// How many random cases and simulated runs a test makes: a share of them in `npm test`, all of them in `npm run test:all`, and as many as FUZZ_RUNS says.

const { CONTRACT_MODES, FUZZ_RUNS } = process.env

/**
 * @param {number} all
 * @param {number} some
 * @returns {number}
 */
const simulated = (all, some) => CONTRACT_MODES === 'all' ? all : some

/**
 * @param {number} all
 * @param {number} some
 * @returns {number}
 */
const cases = (all, some) => Number(FUZZ_RUNS ?? simulated(all, some))

module.exports = { cases, simulated }
