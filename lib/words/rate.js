'use strict'

// The sentences on rates that were not kept, with the cause.

const { countedIn } = require('../core/counted')
const { formatInteger, formatLatency, formatPercent, formatRate, plural } = require('../core/units')
const { troubleWords } = require('./load-generator')
const { led, whole } = require('./sentence')

/** @typedef {import('../core/counted').Counted} Counted */

/** @type {Record<string, (cause: any, counted: Counted) => string>} */
const CAUSES = {
  'no-connection': () => 'there was no connection',
  'agents-lost': () => 'agents were lost',
  'load-generator': ({ trouble }) => troubleWords(trouble),
  server: () => 'the server held all connections',
  'too-few-connections' ({ needed, connections, pipelining, target, serviceTime }, { rate }) {
    const perConnection = pipelining > 1 ? ` ÷ ${formatInteger(pipelining)} per connection` : ''
    const product = `${formatRate(target)} ${rate} × ${formatLatency(serviceTime)}${perConnection}`
    return `too few connections. It needs about ${formatInteger(needed)} (${product}), ` +
      `there ${connections === 1 ? 'was' : 'were'} ${formatInteger(connections)}: raise -c`
  }
}

/** @type {(cause: any, counted: Counted) => string} of a Delay (findings/rate.js) */
const causeWords = (cause, counted) => CAUSES[cause.reason](cause, counted)

/** @type {Record<string, import('./findings').Words>} */
const WORDS = {
  'rate-missed' ({ achieved, target, late, unsent, cause }, _, result) {
    const counted = countedIn(result)
    const { one, many, rate } = counted
    return led(
      `The rate was ${formatRate(achieved)} of ${formatRate(target)} ${rate}: ${causeWords(cause, counted)}`,
      `${plural(late, `${one} was`, `${many} were`)} sent late, ${formatInteger(unsent)} never.`
    )
  },
  'late-requests' ({ late, sent, cause, fromSend }, _, result) {
    const counted = countedIn(result)
    return whole(`${formatPercent(late / sent)} of the ${counted.many} were sent late ` +
      `(${formatInteger(late)} of ${formatInteger(sent)}): ${causeWords(cause, counted)}. Latency counts from ` +
      `${fromSend ? 'when they were sent, as ignoreCoordinatedOmission wants it' : 'the time they were due'}.`)
  },
  'late-sends': ({ p99, max }, _, result) =>
    whole(`The load generator sent ${countedIn(result).many} later than they were due ` +
      'although a connection was free: ' +
      `p99 ${formatLatency(p99)}, max ${formatLatency(max)}. Their latency starts when they were sent.`),
  'rate-exceeded' ({ achieved, target }, _, result) {
    const { many, rate } = countedIn(result)
    return whole(`The rate was ${formatRate(achieved)} of ${formatRate(target)} ${rate}: ` +
      `${many} that were due in the excluded start were sent later, and their wait is in the latency.`)
  }
}

module.exports = { WORDS, causeWords }
