'use strict'

// The knee of a curve: the load above which the latency starts to grow fast. It is where the curve is farthest below
// the line from its first to its last point (Satopaa, Albrecht, Irwin and Raghavan, "Finding a 'Kneedle' in a Haystack:
// Detecting Knee Points in System Behavior", ICDCS Workshops 2011, for a curve that is convex and rises), when it is
// clearly below.

/** Fewer points are no curve. */
const LEAST_POINTS = 5
/** A curve that is everywhere closer to the line than this part of its height has no knee. */
const CLEARLY = 0.2
/** Nor has a curve that rises by less than this factor: p99 of one load varies by that. */
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
  return isRise && below(knee) >= CLEARLY ? knee : null
}

module.exports = { findKnee }
