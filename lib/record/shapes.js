'use strict'

// The shapes of counts that several parts of a run have.

const { show } = require('../core/foreign-text')
const { agree, each, fields, is, maybe, object, ARRAY, COUNT } = require('../core/shape')
const { COUNT: BUCKETS } = require('./buckets')

const MAYBE_COUNT = maybe(COUNT)
const COUNTS = each(COUNT)
const INDEX = is('a whole number of at least 0', value => Number.isInteger(value) && value >= 0)
const TEXT_OR_NULL = is('a text or null', value => value === null || typeof value === 'string')

const SQUARES = object({ sumOfSquares: COUNT })
/** Of raw results of the format before. */
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

const PART = { ...fields(['allowed', 'faulty'], COUNT), statuses: COUNTS, latency: DISTRIBUTION }

module.exports = { COUNTS, DISTRIBUTION, INDEX, MAYBE_COUNT, PART, TEXT_OR_NULL }
