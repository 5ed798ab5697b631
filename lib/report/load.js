'use strict'

// Owns how the load of a run is written: stages and bursts as the command line takes them, and that of scenarios side by side.

const { formatRate, plural } = require('../core/units')

/** @typedef {{ number: number, unit: 'requests' | 'rounds' }} Rate one that was read; its text has the unit */

/**
 * @param {string | { name?: string | null, duration: number | string, rate?: number | string | Rate | null, connections?: number | null }} stage as options have it
 * @returns {string} such as `peak=30s:500/s`
 */
function stageText (stage) {
  if (typeof stage === 'string') return stage
  const { name, duration, rate, connections } = stage
  const load = rate == null ? connections : Number.isNaN(Number(rate)) ? rate : `${rate}/s`
  return `${name == null ? '' : `${name}=`}${timeText(duration)}:${load}`
}

/**
 * @param {string | { requests?: number, rounds?: number, every: number | string, unit?: string }} burst
 * @returns {string} such as `100/5s`
 */
function burstText (burst) {
  if (typeof burst === 'string') return burst
  const { requests, rounds, every, unit } = burst
  return `${rounds ?? requests}${unit === undefined && rounds === undefined ? '' : ' iterations'}/${timeText(every)}`
}

/** Of many scenarios the first are told. */
const MOST_SIDES = 5

/**
 * @param {any} scenarios as options have them
 * @returns {string[]} the load of each that has one of its own, such as `buy: 2 iterations/s, 20 connections`
 */
function sideTexts (scenarios) {
  if (!Array.isArray(scenarios)) return []
  const texts = scenarios.flatMap(({ name = 'a scenario', connections, rate, stages }) => {
    const load = [
      ...rate == null ? [] : [rateText(rate)],
      ...stages == null ? [] : [`stages ${[stages].flat().map(stageText).join(', ')}`],
      ...connections == null ? [] : [plural(connections, 'connection')]
    ]
    return load.length === 0 ? [] : [`${name}: ${load.join(', ')}`]
  })
  const more = texts.length - MOST_SIDES
  return more > 0 ? [...texts.slice(0, MOST_SIDES), `${plural(more, 'more scenario')} with a load of ${more === 1 ? 'its' : 'their'} own`] : texts
}

/**
 * @param {number | string | Rate} rate as options have it
 * @returns {string} such as `5 req/s`, `2 iterations/s`
 */
function rateText (rate) {
  const number = typeof rate === 'object' && rate.unit === 'requests' ? rate.number : rate
  return typeof number === 'number' ? `${formatRate(number)} req/s` : String(number)
}

/** @param {number | string} given */
const timeText = given => typeof given === 'number' ? `${given}s` : given

module.exports = { burstText, rateText, sideTexts, stageText }
