'use strict'

// Whether a stream gets colours (https://no-color.org, https://force-color.org).

const picocolors = require('picocolors')

/**
 * @param {NodeJS.WritableStream & { isTTY?: boolean, hasColors?: () => boolean }} stream
 * @param {NodeJS.ProcessEnv} [env]
 */
function colorsFor (stream, env = process.env) {
  return picocolors.createColors(supportsColor(stream, env))
}

/** @param {{ isTTY?: boolean, hasColors?: () => boolean }} stream @param {NodeJS.ProcessEnv} env */
function supportsColor (stream, env) {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') {
    return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  }
  return stream.isTTY === true && (stream.hasColors?.() ?? true)
}

module.exports = { colorsFor }
