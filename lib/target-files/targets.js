'use strict'

// The forms of the option `targets`: the path of a file, an array, or a parsed list, because a pipe cannot be read
// twice.

const { show } = require('../core/foreign-text')
const { targetsOf } = require('./target-collector')
const { readTargets } = require('./target-file')

class Targets {
  /**
   * @param {import('./target-list').TargetList} list
   * @param {string} source a short text of the given value
   * @param {string | null} relative the first request with only a path, and its place; null when all have an origin
   * @param {string | null} [base] the URL for such requests, once it is known
   */
  constructor (list, source, relative, base = null) {
    this.list = list
    this.source = source
    this.relative = relative
    this.base = base
  }
}

/**
 * @throws {TypeError} with the line or the entry
 * @type {(given: unknown) => Targets}
 */
function targetsFrom (given) {
  if (given instanceof Targets) return given
  if (Array.isArray(given) && given.length > 0) {
    return made(targetsOf(given), given.length === 1 ? '[1 target]' : `[${given.length} targets]`)
  }
  if (typeof given === 'string' && given !== '') return made(readTargets(given), given)
  throw new TypeError('expected the path of a file, or an array of URLs and objects with url, got ' +
    `${Array.isArray(given) ? 'an empty one' : show(given)}`)
}

/** @param {import('./target-collector').TargetCollector} collector with all requests @param {string} source */
function made (collector, source) {
  return new Targets(collector.end(), source, collector.relative)
}

module.exports = { Targets, targetsFrom }
