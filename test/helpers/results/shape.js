'use strict'

// The pictures of loads in docs/load.md: what a plan says is due, or how many connections there are to be, in blocks of text that
// GitHub and npm show as they are.

const { paceOf } = require('../../../lib/shapes/pace')
const { Stages } = require('../../../lib/shapes/stages')
const { formatInteger } = require('../../../lib/core/units')

const COLUMNS = 60
const ROWS = 6
/** From nothing to a whole one, in eighths. */
const BLOCKS = [' ', ...'▁▂▃▄▅▆▇█']

/**
 * @param {import('../../../lib/options/plan').Plan} plan
 * @returns {string} its load over time, ends with a line break
 */
function shapeOf (plan) {
  const { pacing, duration } = plan
  const step = duration / COLUMNS
  const columns = Array.from({ length: COLUMNS }, (_, i) => pacing === null ? connectionsAt(plan, (i + 0.5) * step) : rateBetween(pacing, duration, i * step, (i + 1) * step))
  const most = Math.max(...columns, ...(plan.stages ?? []).flatMap(({ start, end }) => [start, end]))
  const label = `${formatInteger(most)}${pacing === null ? '' : '/s'}`
  const rows = Array.from({ length: ROWS }, (_, i) => {
    const below = ROWS - 1 - i
    const blocks = columns.map(value => BLOCKS[Math.min(8, Math.max(0, Math.round(value / most * ROWS * 8) - below * 8))]).join('')
    return `${(i === 0 ? label : '').padStart(label.length)} ${i === 0 ? '┤' : '│'}${blocks}`
  })
  const { axis, words } = timesOf(plan)
  return [...rows, `${'0'.padStart(label.length)} └${axis}`, `${' '.repeat(label.length + 2)}${words}`].map(row => row.trimEnd() + '\n').join('')
}

/**
 * @param {import('../../../lib/options/plan').Plan} plan
 * @param {number} at ms
 */
function connectionsAt ({ stages, connections }, at) {
  return stages === null ? connections : new Stages(stages).connectionsAt(at)
}

/**
 * @param {import('../../../lib/options/plan').Pacing} pacing
 * @param {number} duration ms
 * @param {number} from ms
 * @param {number} until
 * @returns {number} requests per second that are due then; what is due just at the end is of the next
 */
function rateBetween (pacing, duration, from, until) {
  const pace = paceOf(pacing, duration)
  const before = (/** @type {number} */ at) => at === 0 ? 0 : pace.dueBy(at - 1e-3)
  return (before(until) - before(from)) / (until - from) * 1000
}

/**
 * @param {import('../../../lib/options/plan').Plan} plan
 * @returns {{ axis: string, words: string }} with a mark where a stage begins, and what time it is there, as far as there is room
 */
function timesOf ({ stages, duration }) {
  const axis = new Array(COLUMNS).fill('─')
  let words = '0s'
  for (const at of [...(stages ?? []).slice(1).map(({ from }) => from), duration]) {
    const place = Math.round(at / duration * COLUMNS)
    if (at < duration) axis[place] = '┬'
    const word = timeOf(at)
    // The last one ends where the axis does.
    const begin = at < duration ? place : COLUMNS - word.length
    if (begin > words.length) words = words.padEnd(begin) + word
  }
  return { axis: axis.join(''), words }
}

/** @param {number} ms */
function timeOf (ms) {
  const [minutes, seconds] = [Math.floor(ms / 60_000), ms % 60_000 / 1000]
  return `${minutes > 0 ? `${minutes}m` : ''}${seconds > 0 || minutes === 0 ? `${seconds}s` : ''}`
}

module.exports = { shapeOf }
