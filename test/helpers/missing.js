'use strict'

// What becomes of a test that needs what this machine has not: it is skipped with a reason, which the last lines of
// `npm test` repeat. CI has to have everything, so there it fails.

/**
 * @param {string} reason what is missing, and how to get it
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string} for the `skip` of a test
 * @throws {Error} in CI
 */
function missing (reason, env = process.env) {
  if (env.CI === 'true') throw new Error(`${reason}. In CI every test has to run`)
  return reason
}

module.exports = { missing }
