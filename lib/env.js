'use strict'

// Owns the variables of the environment, for those who know nothing of processes.

/**
 * @param {string} name
 * @returns {string | undefined}
 */
const variable = name => process.env[name]

module.exports = { variable }
