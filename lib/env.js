'use strict'

// Owns the variables of the environment, for those who know nothing of processes.

/**
 * @param {string} name
 * @returns {string | undefined}
 */
const variable = name => process.env[name]

/** Secrets that only this process needs: the key that messages are signed with, and the URL of Redis with its password. */
const OWN = ['AUTOCANNON_KEY', 'AUTOCANNON_REDIS']

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} what another program inherits of it
 */
function inherited (env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !OWN.includes(name.toUpperCase())))
}

module.exports = { inherited, variable }
