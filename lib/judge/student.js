'use strict'

// Quantiles of the normal and of Student's distribution.

/** Finding one takes 0.3 ms, and most are needed repeatedly. @type {Map<string, number>} */
const known = new Map()

/**
 * @param {number} probability 0.5 to 1
 * @param {number} degrees of freedom, at least 1; Infinity for the normal distribution
 * @returns {number}
 */
function studentQuantile (probability, degrees) {
  const key = `${probability} ${degrees}`
  const quantile = known.get(key) ?? findQuantile(probability, degrees)
  known.set(key, quantile)
  return quantile
}

/**
 * With x = √ν tan θ, Student's density becomes a power of cos θ, which Simpson's rule integrates; the quantile is found
 * by bisection.
 * @type {typeof studentQuantile}
 */
function findQuantile (probability, degrees) {
  // Beyond, the difference to the normal distribution is in the third decimal.
  const freedom = Math.min(degrees, 1000)
  const target = (2 * probability - 1) * integral(Math.PI / 2, freedom)
  let low = 0
  let high = Math.PI / 2
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2
    if (integral(middle, freedom) < target) low = middle
    else high = middle
  }
  return Math.sqrt(freedom) * Math.tan(low)
}

/** @param {number} to @param {number} degrees @returns {number} of cos^(degrees − 1) from 0 */
function integral (to, degrees) {
  const steps = 100
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const factor = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2
    sum += factor * Math.max(0, Math.cos(to * i / steps)) ** (degrees - 1)
  }
  return sum * to / steps / 3
}

module.exports = { studentQuantile }
