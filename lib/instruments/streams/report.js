'use strict'

// Streams in reports: the times of their events as rows of the table of latencies, and their counts.

const { cut } = require('../../core/foreign-text')
const { formatInteger, formatRate, plural } = require('../../core/units')
const { laidOut, timeColumn, timeColumnsOf, timesTable } = require('../../report/authored')
const { briefTimes, formatKnown } = require('../../report/figures')
const { capital } = require('../../words/sentence')

/** @type {Readonly<Record<string, [one: string, many: string]>>} nouns of messages, by kind of stream */
const NOUNS = Object.freeze({
  sse: ['event', 'events'], ndjson: ['line', 'lines'], chunks: ['chunk', 'chunks'], messages: ['message', 'messages']
})

/** Characters of a name in a terminal. */
const LONGEST_NAME = 40

/** From this number of events per read on, gaps between events do not show the gaps of the server. */
const BUNDLED = 2

/** @param {Record<string, any>} streams */
const nounOf = ({ kind }) => NOUNS[kind] ?? NOUNS.sse

/** @type {import('../../report/authored').TimesOf} */
function times ({ streams }) {
  const [one] = nounOf(streams)
  const { firstEvent, gap, duration, outage } = streams
  return [
    { name: `First ${one}`, distribution: firstEvent },
    { name: `${capital(one)} gap`, distribution: gap },
    { name: 'Stream duration', distribution: duration },
    ...outage === undefined ? [] : [{ name: 'Stream outage', distribution: outage }]
  ].map(time => ({ ...time, isBrief: time.distribution.totalCount > 0 }))
}

/**
 * @param {Record<string, any>} result
 * @returns {Array<{ name: string, text: string }>} the part in the first line of a report
 */
function headFacts ({ streams }) {
  if (streams.tokens !== undefined) return require('../tokens/report').headFacts({ streams })
  const [one, many] = nounOf(streams)
  // Sent messages have a rate, too.
  const received = streams.kind === 'messages' ? ' received' : ''
  const rate = `${formatRate(streams.eventsPerSecond)} ${many}/s${received}`
  return [
    ...streams.events > 0 ? [{ name: 'events', text: rate }] : [],
    ...[['first event', `first ${one}`, streams.firstEvent], ['gap', 'gap', streams.gap]]
      .filter(([, , distribution]) => distribution.totalCount > 0)
      .map(([name, title, distribution]) => ({ name, text: `${title} ${briefTimes(distribution)}` }))
  ]
}

/** @param {Record<string, any>} result */
function facts ({ streams, options }) {
  const { opened, closed, truncated, events, eventsPerRead, stalls, reconnects = 0, shortenedWaits = 0 } = streams
  const { outage } = streams
  const [one, many] = nounOf(streams)
  const isOfMessages = streams.kind === 'messages'
  if (isOfMessages && events === 0) return []
  if (opened === 0) return [`No response was a stream of ${many}`]
  return [
    `${plural(events, one, many)} ` +
      (isOfMessages ? `received on ${plural(opened, 'connection')}` : `in ${plural(opened, 'stream')}`) +
      (eventsPerRead == null ? '' : `, ${formatRate(eventsPerRead)} per read`) +
      (eventsPerRead >= BUNDLED
        ? `: most ${many} arrived together with others, and have a gap of 0`
        : ''),
    ...stalls > 0 ? [`${plural(stalls, 'stall')}: gaps longer than ${options?.stall ?? 1} s`] : [],
    ...reconnects > 0
      ? [`${plural(reconnects, 'request')} sent to continue a stream that had ended` +
          (outage === undefined ? '' : `; without a stream ${briefTimes(outage)}`)]
      : [],
    ...shortenedWaits > 0
      ? [`${plural(shortenedWaits, 'stream')} set a retry of more than 60 s: clients waited 60 s`]
      : [],
    ...closed > 0 ? [`${plural(closed, 'stream')} closed in order by the load generator`] : [],
    ...truncated > 0 ? [`${plural(truncated, 'stream')} ended inside ${one === 'event' ? 'an' : 'a'} ${one}`] : []
  ]
}

/** @type {import('../../report/authored').TablesOf} */
function tables ({ streams, byRequest, byScenario }, form) {
  const [, many] = nounOf(streams)
  const isOfMessages = streams.kind === 'messages'
  const { opened, events, eventsPerSecond, eventsPerStream, eventsPerRead, stalls, truncated } = streams
  if (opened === 0) return []
  const counts = {
    id: 'streams',
    title: 'Streams',
    ...laidOut([
      [isOfMessages ? '>Connections' : '>Streams', () => formatInteger(opened)],
      [`>${capital(many)}`, () => formatInteger(events)],
      [`>${capital(many)}/s`, () => formatRate(eventsPerSecond)],
      [isOfMessages ? '>Each' : '>Per stream', () => formatKnown(eventsPerStream?.p50, formatRate)],
      ['>Per read', () => formatKnown(eventsPerRead, formatRate)],
      ['>Stalls', () => stalls > 0 ? { text: formatInteger(stalls), tone: 'bad' } : '0'],
      ['>Truncated', () => truncated > 0 ? { text: formatInteger(truncated), tone: 'bad' } : '0']
    ], [streams])
  }
  const scenarios = partsWith(byScenario)
  const byName = [
    ...partsTable('named-streams', 'Streams by name', 'Request', partsWith(byRequest), form, many),
    // With one scenario, its streams are those of the run.
    ...partsTable('scenario-streams', 'Streams by scenario', 'Scenario', scenarios.length > 1 ? scenarios : [], form,
      many)
  ]
  // Other formats have these in the table of latencies.
  return form === 'md'
    ? [counts, ...byName, timesTable('stream-times', `Times of ${many}`, times({ streams }))]
    : [counts, ...byName]
}

/**
 * @param {Record<string, any>} [parts] of a result, by name
 * @returns {any[]} the streams of each part that had any
 */
const partsWith = (parts = {}) => Object.entries(parts).filter(([, { streams }]) => streams?.opened > 0)
  .map(([name, { streams }]) => ({ name, ...streams }))

/**
 * @param {string} id
 * @param {string} title
 * @param {string} head of named rows
 * @param {any[]} rows
 * @param {import('../../report/authored').Form} form
 * @param {string} many noun of events
 * @returns {import('../../report/authored').Table[]} none without a row
 */
function partsTable (id, title, head, rows, form, many) {
  if (rows.length === 0) return []
  const hasTokens = rows.every(({ firstToken, interToken }) => firstToken !== undefined && interToken !== undefined)
  /** @type {(key: string, title: string) => Array<import('../../report/authored').Column>} */
  const timesOf = (key, title) =>
    ['p50', 'p99'].map(figure => timeColumn(`${title} ${figure}`, figure, one => one[key]))
  return [{
    id,
    title,
    ...laidOut([
      [head, ({ name }) => ({ text: form === 'text' ? cut(name, LONGEST_NAME) : name, tone: 'name' })],
      ['>Streams', ({ opened }) => formatInteger(opened)],
      [`>${capital(many)}`, ({ events }) => formatInteger(events)],
      ...hasTokens ? timesOf('firstToken', 'First token') : timesOf('firstEvent', 'First'),
      ...hasTokens ? timesOf('interToken', 'Inter token') : timesOf('gap', 'Gap'),
      ['>Stalls', ({ stalls }) => formatInteger(stalls)]
    ], rows),
    elastic: [0],
    breakAt: 3
  }]
}

/** @type {import('../../report/authored').Columns} empty without streams */
const columns = [
  ['events', ({ streams }) => streams?.events],
  ['events_per_s', ({ streams }) => streams?.eventsPerSecond],
  ['events_per_read', ({ streams }) => streams?.eventsPerRead ?? undefined],
  ['stalls', ({ streams }) => streams?.stalls],
  ...timeColumnsOf('first_event', ({ streams }) => streams?.firstEvent),
  ...timeColumnsOf('gap', ({ streams }) => streams?.gap),
  ...timeColumnsOf('outage', ({ streams }) => streams?.outage)
]

module.exports = { columns, facts, headFacts, tables, times }
