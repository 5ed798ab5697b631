'use strict'

// The forms of the option `targets`: the path of a file, an array, or an already parsed list, because a pipe cannot be
// read twice.

const { show } = require('../core/foreign-text')
const { targetsOf } = require('./target-collector')
const { readTargets } = require('./target-file')

class Targets {
  /**
   * @param {import('./target-list').TargetList} list
   * @param {string} source as given, in short
   * @param {string | null} relative the first request that is a path and where it stands; null when all have a server
   * @param {string | null} [base] the URL that such requests go to, once it is known
   */
  constructor (list, source, relative, base = null) {
    this.list = list
    this.source = source
    this.relative = relative
    this.base = base
  }
}

/**
 * @throws {TypeError} that names the line or the entry
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

/** @param {import('./target-collector').TargetCollector} collector that has all requests @param {string} source */
function made (collector, source) {
  return new Targets(collector.end(), source, collector.relative)
}

module.exports = { Targets, targetsFrom }
