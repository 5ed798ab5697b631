'use strict'

// How a bench begins and ends: its flags, and what stands in its way told in a line. Exit codes: 0 all is within its
// bound, 1 something is not, 2 it could not be found out.

const os = require('node:os')
const { parseArgs } = require('node:util')

/** Something that a user can understand, and help. */
class Problem extends Error {}

/** What a flag can be: how it is given, and what it has to be. */
const KINDS = {
  boolean: { type: 'boolean', read: given => given },
  text: { type: 'string', read: given => given },
  positive: { type: 'string', what: 'a number above 0', read: Number, allows: value => value > 0 && value < Infinity },
  count: { type: 'string', what: 'a whole number from 1 on', read: Number, allows: value => Number.isSafeInteger(value) && value > 0 },
  seed: { type: 'string', what: 'a whole number', read: Number, allows: Number.isSafeInteger }
}

/**
 * @param {Record<string, keyof KINDS>} kinds by name of the flag
 * @returns {Record<string, any>} what was given
 * @throws {Problem}
 */
function readFlags (kinds) {
  const options = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { type: KINDS[kind].type }]))
  let given
  try {
    given = parseArgs({ options }).values
  } catch ({ message }) {
    throw new Problem(`${message}. The flags are ${Object.keys(kinds).map(name => `--${name}`).join(', ')}`)
  }
  return Object.fromEntries(Object.entries(given).map(([name, text]) => {
    const { what, read, allows = () => true } = KINDS[kinds[name]]
    const value = read(text)
    if (!allows(value)) throw new Problem(`--${name} has to be ${what}, not "${text}"`)
    return [name, value]
  }))
}

/**
 * @param {string | undefined} only names, with commas between them; all when it is left out. What stands before a dash names all that begin with it
 * @param {string[]} names that there are
 * @throws {Problem}
 */
function choose (only, names) {
  if (only === undefined) return names
  return [...new Set(only.split(',').flatMap(given => {
    const found = names.filter(name => name === given || name.startsWith(`${given}-`))
    if (found.length === 0) throw new Problem(`--only knows no "${given}"; there are ${names.join(', ')}`)
    return found
  }))]
}

function start (main) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(128 + os.constants.signals[signal]))
  main().catch(error => {
    console.error(error instanceof Problem ? error.message : error)
    process.exit(2)
  })
}

module.exports = { start, readFlags, choose, Problem }
