'use strict'

// The shape of a rate that changes by stages, and its option. Stages may also change the number of connections.

const { timeText } = require('../../core/numbers')
const { Stages, overConnections, planStages } = require('../stages')

/** @type {import('../../options/type').Type} */
const type = {
  ts: 'string | Stage | ReadonlyArray<string | Stage>',
  repeats: true,
  schema: ({ FROM_ENVIRONMENT, object, orList }) => orList({
    anyOf: [{ type: 'string', pattern: `:|${FROM_ENVIRONMENT}` }, object(require('./parse').FIELDS)]
  }),
  parse: given => require('./parse').parseStages(given)
}

/**
 * @param {string | { name?: string | null, duration: number | string, rate?: number | string | import('../rate').Rate |
 *   null, connections?: number | null }} stage as in options
 * @returns {string} such as `peak=30s:500/s`
 */
function textOf (stage) {
  if (typeof stage === 'string') return stage
  const { name, duration, rate, connections } = stage
  const load = rate == null ? connections : Number.isNaN(Number(rate)) ? rate : `${rate}/s`
  return `${name == null ? '' : `${name}=`}${timeText(duration)}:${load}`
}

/** @param {any} stages one or several */
const texts = stages => [stages].flat().map(textOf)

/** @type {import('../shape').Shape} */
module.exports = {
  option: {
    name: 'stages',
    aliases: ['stage'],
    shown: 'stage',
    type,
    arg: 'TIME:LOAD',
    help: 'Change the load over time, in consecutive stages: 30s:500/s ramps to 500 requests/s within 30 s, 1m:500/s ' +
      'stays there, 0s:50/s jumps, 30s:200 goes to 200 connections, 30s:50iterations/s to 50 iterations of user ' +
      'scenarios per second. Repeat it for more. The run lasts as long as all of them. A rate starts at 0, ' +
      'connections at -c or 0. peak=30s:500/s gives one a name.',
    example: '--stage 30s:500/s --stage 1m:500/s http://localhost:3000'
  },
  unitOf: stages => overConnections(stages) ? null : stages[0].rate.unit,
  mostOf: stages =>
    Math.max(0, ...stages.map((/** @type {import('../stages').GivenStage} */ { rate }) => rate?.number ?? 0)),
  planned (given) {
    const stages = planStages(given, 0)
    return { rate: new Stages(stages).meanTarget(0, stages[stages.length - 1].until), form: stages }
  },
  paceOf: ({ form }) => new (require('./pace').StagedPace)(form),
  line: stages => `stages ${texts(stages).join(', ')}`,
  texts
}
