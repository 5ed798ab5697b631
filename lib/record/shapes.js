'use strict'

// The shapes of counts that several instruments use.

const { show } = require('../core/foreign-text')
const { agree, each, fields, is, list, maybe, object, ARRAY, COUNT, TEXT } = require('../core/shape')
const { COUNT: BUCKETS } = require('./buckets')
const { Histogram } = require('./histogram')

const MAYBE_COUNT = maybe(COUNT)
const COUNTS = each(COUNT)
const INDEX = is('a whole number of at least 0', value => Number.isInteger(value) && value >= 0)
const TEXT_OR_NULL = is('a text or null', value => value === null || typeof value === 'string')

const SQUARES = object({ sumOfSquares: COUNT })
/** For raw results of the previous format. */
const OLD_SQUARES = object(fields(['shift', 'squares'], COUNT))

const DISTRIBUTION = object(
  { ...fields(['count', 'sum', 'min', 'max'], COUNT), buckets: ARRAY },
  value => value.sumOfSquares === undefined ? OLD_SQUARES(value) : SQUARES(value),
  agree(({ count, buckets }) => {
    let total = 0
    for (let i = 0; i < buckets.length; i += 2) {
      const [bucket, n] = [buckets[i], buckets[i + 1]]
      if (!Number.isInteger(bucket) || bucket >= BUCKETS || (i > 0 && bucket <= buckets[i - 2])) {
        return `.buckets[${i}] is ${show(bucket)}, expected the number of a bucket, higher than the one before`
      }
      if (!(n >= 0 && Number.isFinite(n))) return `.buckets[${i + 1}] is ${show(n)}, expected a number of at least 0`
      total += n
    }
    return total !== count && ` has ${count} values, and ${total} in its buckets`
  })
)

/** @type {(value: unknown) => import('../core/shape').Shape} returns the shape of a field in a report of Counts */
const shapeOf = value => value instanceof Histogram ? DISTRIBUTION : typeof value === 'object' ? COUNTS : COUNT

/**
 * @param {import('./counts').ClassOf} Class
 * @returns {Record<string, import('../core/shape').Shape>} the shapes of the reported fields
 */
function shapesOf (Class) {
  const counts = new Class()
  return Object.fromEntries(Class.FIELDS.map(field => [field, shapeOf(counts[field])]))
}

/**
 * @type {(Class: import('./counts').ClassOf) => import('../core/shape').Shape} returns the shape of the whole report
 */
const reportShape = Class => Class.hasParts ? withPartShapes(shapesOf(Class)) : object(shapesOf(Class))

/**
 * @param {Record<string, import('../core/shape').Shape>} shapes of the counts of a run
 * @returns {import('../core/shape').Shape} the shape of these counts, with those of each named request and scenario
 */
function withPartShapes (shapes) {
  return object({ ...shapes, ...fields(['named', 'scenarios'], list(object({ name: TEXT, ...shapes }))) })
}

module.exports = {
  COUNTS, DISTRIBUTION, INDEX, MAYBE_COUNT, TEXT_OR_NULL, reportShape, shapesOf, withPartShapes
}
