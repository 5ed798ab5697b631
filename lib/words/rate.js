'use strict'

// Owns the sentences on rates that were not kept, and on what caused it.

const { formatInteger, formatLatency, formatPercent, formatRate, plural } = require('../core/units')
const { troubleWords } = require('./load-generator')
const { led, whole } = require('./sentence')

/** @type {Record<string, (cause: any) => string>} */
const CAUSES = {
  'no-connection': () => 'there was no connection',
  'agents-lost': () => 'agents were lost',
  'load-generator': ({ trouble }) => troubleWords(trouble),
  server: () => 'the server held all connections',
  'too-few-connections' ({ needed, connections, pipelining, target, serviceTime }) {
    const perConnection = pipelining > 1 ? ` ÷ ${formatInteger(pipelining)} per connection` : ''
    const product = `${formatRate(target)} req/s × ${formatLatency(serviceTime)}${perConnection}`
    return `too few connections. It needs about ${formatInteger(needed)} (${product}), ` +
      `there ${connections === 1 ? 'was' : 'were'} ${formatInteger(connections)}: raise -c`
  }
}

/** @param {any} cause a Delay @returns {string} */
const causeWords = cause => CAUSES[cause.reason](cause)

/** @type {Record<string, import('./findings').Words>} */
const WORDS = {
  'rate-missed': ({ achieved, target, late, unsent, cause }) => led(
    `The rate was ${formatRate(achieved)} of ${formatRate(target)} req/s: ${causeWords(cause)}`,
    `${plural(late, 'request was', 'requests were')} sent late, ${formatInteger(unsent)} never.`
  ),
  'late-requests': ({ late, sent, cause, fromSend }) =>
    whole(`${formatPercent(late / sent)} of the requests were sent late ` +
      `(${formatInteger(late)} of ${formatInteger(sent)}): ${causeWords(cause)}. Latency counts from ` +
      `${fromSend ? 'when they were sent, as ignoreCoordinatedOmission wants it' : 'the time they were due'}.`),
  'late-sends': ({ p99, max }) =>
    whole('The load generator sent requests later than they were due although a connection was free: ' +
      `p99 ${formatLatency(p99)}, max ${formatLatency(max)}. Their latency starts when they were sent.`),
  'rate-exceeded': ({ achieved, target }) =>
    whole(`The rate was ${formatRate(achieved)} of ${formatRate(target)} req/s: ` +
      'requests that were due in the excluded start were sent later, and their wait is in the latency.')
}

module.exports = { WORDS, causeWords }
