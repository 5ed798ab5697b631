'use strict'

// What is wrong with options, as their reader says it.

const { OptionsError } = require('../../../lib/core/errors')

/**
 * @param {() => unknown} read
 * @returns {string[]} none when it takes all of them
 */
function problemsIn (read) {
  try {
    read()
    return []
  } catch (error) {
    if (error instanceof OptionsError) return error.problems
    throw error
  }
}

/**
 * @param {import('tap').Test} t
 * @param {() => unknown} read
 * @returns {string | null} the only problem
 */
function problemIn (t, read) {
  const problems = problemsIn(read)
  t.ok(problems.length <= 1, problems.join('; '))
  return problems[0] ?? null
}

module.exports = { problemIn, problemsIn }
