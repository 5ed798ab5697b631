'use strict'

// The knee of a curve: the load from which on the latency grows fast. It is the point that is farthest below the line
// from the first to the last point (Satopaa, Albrecht, Irwin and Raghavan, "Finding a 'Kneedle' in a Haystack:
// Detecting Knee Points in System Behavior", ICDCS Workshops 2011, for a rising convex curve), if it is clearly below.

/** The least points of a curve. */
const LEAST_POINTS = 5
/** The least distance of a knee from the line, as a share of the height of the curve. */
const LEAST_DISTANCE = 0.2
/** The least factor by which the curve rises after the knee, as p99 of a constant load varies by less. */
const RISE = 2

/**
 * @template {{ x: number, y: number }} P
 * @param {P[]} points
 * @returns {P | null}
 */
function findKnee (points) {
  const sorted = [...points].sort((a, b) => a.x - b.x)
  const [first, last] = [sorted[0], sorted[sorted.length - 1]]
  if (sorted.length < LEAST_POINTS || !(last.x > first.x) || !(last.y > first.y)) return null
  /** @param {P} point */
  const below = ({ x, y }) => (x - first.x) / (last.x - first.x) - (y - first.y) / (last.y - first.y)
  const knee = sorted.reduce((best, point) => below(point) > below(best) ? point : best)
  const at = sorted.indexOf(knee) + 1
  const highest = Math.max(...sorted.slice(0, at).map(({ y }) => y))
  const isRise = last.y >= RISE * highest && sorted.slice(at).every(({ y }) => y > highest)
  return isRise && below(knee) >= LEAST_DISTANCE ? knee : null
}

module.exports = { findKnee }
