'use strict'

// Quantiles of the normal and of Student's distribution.

/**
 * With x = √ν tan θ, Student's density becomes a power of cos θ, which Simpson's rule integrates; the quantile is found
 * by bisection.
 * @param {number} probability 0.5 to 1
 * @param {number} degrees of freedom, at least 1; Infinity for the normal distribution
 */
function studentQuantile (probability, degrees) {
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
