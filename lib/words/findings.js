'use strict'

// The sentence of each finding (docs/findings.md): what happened, the figures, and what to do.

const { saturatedSentence, stallSentence } = require('./load-generator')
const { countedIn } = require('../core/counted')
const { amountText } = require('../core/amount')
const { formatInteger, listed, plural } = require('../core/units')
const { led, whole } = require('./sentence')

/** @typedef {import('../findings/findings').Finding} Finding */
/** @typedef {import('./sentence').Note} Note */
/** @typedef {(facts: any, severity: Finding['severity'], result: Record<string, any>) => Note} Words */

/** The number of URLs that are named. */
const MOST_NAMED = 3

/** @type {(facts: any, counted: import('../core/counted').Counted) => string} */
function idleUrls ({ idle, urls, amount, connections, needed }, { one, many }) {
  const more = idle.length - MOST_NAMED
  const names = more > 0 ? [...idle.slice(0, MOST_NAMED), plural(more, 'other')] : idle
  const [flag, has] = amount === undefined
    ? ['-c', plural(connections, 'connection')]
    : ['-a', amountText(amount, one)]
  return `${has}, ${plural(urls, 'URL')}: ${listed(names)} ${idle.length === 1 ? 'gets' : 'get'} no ${many}; ` +
    `use ${flag} ${formatInteger(needed)} or more`
}

/** The sentences by code. @type {Record<string, Words>} */
const WORDS = {
  ...require('./start-and-end').WORDS,
  ...require('./responses').WORDS,
  ...require('./no-response'),
  ...require('./shortages'),
  ...require('./rate').WORDS,
  ...require('./instruments').WORDS,
  'idle-urls': (facts, _, result) => led(idleUrls(facts, countedIn(result))),
  // The result has these sentences (instruments/rate/kept-pace.js, instruments/generator/cause.js).
  'batched-pace': (_, severity, { rate, iterations }) => whole(rate?.paceReason ?? iterations?.paceReason ?? ''),
  'load-generator': ({ cpu }, _, { generator }) => whole(generator?.cause ?? saturatedSentence(cpu)),
  'load-generator-stalled': ({ ms }) => whole(stallSentence(ms))
}

/** @param {Finding} finding @param {Record<string, any>} [result] that has it @returns {Note} */
function noteOf ({ code, facts, severity }, result = {}) {
  return WORDS[code](facts, severity, result)
}

module.exports = { WORDS, noteOf }
