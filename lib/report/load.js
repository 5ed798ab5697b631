'use strict'

// Owns how stages and bursts of a run are written: as the command line takes them.

/**
 * @param {string | { name?: string | null, duration: number | string, rate?: number | string | null, connections?: number | null }} stage as options have it
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
  return `${rounds ?? requests}${unit === undefined && rounds === undefined ? '' : ' rounds'}/${timeText(every)}`
}

/** @param {number | string} given */
const timeText = given => typeof given === 'number' ? `${given}s` : given

module.exports = { burstText, stageText }
