'use strict'

const { DISTRIBUTION, INDEX, MAYBE_COUNT, shapesOf } = require('../../record/shapes')
const { agree, all, fields, is, list, maybe, nullable, object, COUNT, FLAG, TEXT } = require('../../core/shape')
const { sum } = require('../../core/statistics')
const { ArrivalTally } = require('./arrival-tally')
const { IterationTally } = require('./iteration-tally')

const INDEX_OR_NULL = is('a whole number of at least 0, or null', value => value === null || INDEX(value) === null)

const report = object({
  scenarios: list(object(
    { scenario: INDEX, longestActive: COUNT, waiting: nullable(DISTRIBUTION), ...shapesOf(IterationTally) },
    agree(({ completed, ...counted }) => ['duration', 'active'].filter(key => counted[key].count < completed)
      .map(key => `.completed is ${completed}, and ${key} has ${counted[key].count} values`)[0])
  )),
  arrivals: list(object(
    { scenario: INDEX_OR_NULL, ...shapesOf(ArrivalTally) },
    agree(({ arrived, wait }) => wait.count > arrived && `.arrived is ${arrived}, and wait has ${wait.count} values`)
  ))
})

/** Holds for a whole run only, as an iteration may start in one sample and end in a later one. */
const total = all(report, object({
  scenarios: list(agree(({ started, completed, cutBy, duration, active, waiting }) => {
    const ended = completed + sum(Object.values(cutBy))
    if (ended > started) return `.started is ${started}, and completed and cutBy are ${ended} together`
    const unfinished = started - ended
    // Some unfinished iterations have a value as well.
    for (const [key, { count }] of Object.entries({ duration, active })) {
      const most = unfinished + completed
      if (count > most) return `.${key} has ${count} values, and ${most} iterations were completed or are unfinished`
    }
    return waiting !== null && waiting.count > unfinished &&
      `.waiting has ${waiting.count} values, and ${unfinished} iterations are unfinished`
  }))
}))

const raw = {
  users: maybe(object({
    scenarios: list(TEXT),
    rate: MAYBE_COUNT,
    rates: list(MAYBE_COUNT),
    ...fields(['redirects', 'retries'], FLAG)
  }))
}

module.exports = { raw, report, total }
