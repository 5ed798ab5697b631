'use strict'

// Owns how stages and bursts of a run are written: as the command line takes them.

/**
 * @param {string | { name?: string | null, duration: number | string, rate?: number | null, connections?: number | null }} stage as options have it
 * @returns {string} such as `peak=30s:500/s`
 */
function stageText (stage) {
  if (typeof stage === 'string') return stage
  const { name, duration, rate, connections } = stage
  return `${name == null ? '' : `${name}=`}${timeText(duration)}:${rate == null ? connections : `${rate}/s`}`
}

/**
 * @param {string | { requests: number, every: number | string }} burst
 * @returns {string} such as `100/5s`
 */
function burstText (burst) {
  return typeof burst === 'string' ? burst : `${burst.requests}/${timeText(burst.every)}`
}

/** @param {number | string} given */
const timeText = given => typeof given === 'number' ? `${given}s` : given

module.exports = { burstText, stageText }
