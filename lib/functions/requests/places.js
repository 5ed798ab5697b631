'use strict'

// Where requests of user functions go: the target and the path of a URL, which must be of an origin of the run.

const { show } = require('../../core/foreign-text')
const { redactedUrl } = require('../../core/secrets')
const { originOf } = require('../../requests/target')
const { KeptByTarget } = require('../kept')
const { pairsOf } = require('./request-body')

/** The limit of places that are kept by their text. Each path with an id in it is a new one. */
const MOST = 1000
const MOST_BYTES = 2 * 1024 * 1024

/**
 * @typedef {import('../../requests/target').Target} Target
 *
 * @typedef {object} Place
 * @property {Target} target
 * @property {string} path
 */

class Places {
  /**
   * @param {ReadonlyArray<Target>} targets that the run may load
   * @param {(path: string) => void} onPath there is a new one
   */
  constructor (targets, onPath) {
    // Of several with one origin, the first one.
    this.origins = new Map(targets.map(target => /** @type {const} */ ([originOf(target), target])).reverse())
    this.onPath = onPath
    /** @type {KeptByTarget<Place>} */
    this.kept = new KeptByTarget(MOST, MOST_BYTES)
  }

  /**
   * @param {unknown} where a path, or a URL
   * @param {unknown} query the option; undefined for none
   * @param {Target} home of the user: a path is one there
   * @returns {Place}
   * @throws {TypeError}
   */
  of (where, query, home) {
    if (typeof where !== 'string' || query !== undefined) return this.make(where, query, home)
    const kept = this.kept.of(home)
    let place = kept.get(where)
    if (place === undefined) kept.set(where, place = this.make(where, undefined, home), 2 * place.path.length)
    return place
  }

  /** @type {(where: unknown, query: unknown, home: Target) => Place} */
  make (where, query, home) {
    if (where instanceof URL) where = where.href
    if (typeof where !== 'string' || where === '') {
      throw new TypeError(`expected a path such as /users, or a URL, got ${show(where)}`)
    }
    const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(where)
    const base = `${originOf(home)}/`
    let url
    try {
      url = new URL(isUrl ? where : where.startsWith('/') ? base + where.slice(1) : base + where)
    } catch {
      throw new TypeError(`${show(redactedUrl(where))} is not a path and not a URL`)
    }
    const target = this.targetAt(url.origin === 'null' ? url.protocol : url.origin, home)
    for (const [name, value] of pairsOf(query, 'query')) url.searchParams.append(name, value)
    const path = url.pathname + url.search
    this.onPath(path)
    return { target, path }
  }

  /** @type {(origin: string, home: Target) => Target} */
  targetAt (origin, home) {
    if (origin === originOf(home)) return home
    const target = this.origins.get(origin)
    if (target !== undefined) return target
    throw new TypeError(`${show(origin)} is not an origin of this run, so nothing was sent: ` +
      `allow it with --origin ${origin}, or origins: ['${origin}']`)
  }
}

module.exports = { Places }
