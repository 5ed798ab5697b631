'use strict'

// Views of a run besides the terminal: the live page and metrics. Each is opened before the run, so that an address in
// use is reported before any load, and loaded only if requested. A view may take time to close.

const { VIEWS } = require('../../parts')

/**
 * @typedef {(values: import('../../options/normalize').Values, context: Context) => Promise<View>} Open
 *
 * @typedef {object} View
 * @property {(instance: import('../../run/instance').Instance, about?: About) => void} follow called before each run
 * @property {(last: Comparison) => void} [compare] called after all runs have been compared
 * @property {() => Promise<void>} end called after the last run; resolves when all viewers have received their data.
 *   Idempotent
 *
 * @typedef {object} About the position of a run in a series
 * @property {'base' | 'new'} side
 * @property {number} run counted from 1
 *
 * @typedef {object} Comparison
 * @property {Record<string, any>} base the last complete run of base
 * @property {Record<string, any>} new
 * @property {import('../../judge/comparison/comparison').Comparison} comparison of all runs
 * @property {{ base: string, new: string }} names of the servers
 *
 * @typedef {object} Context
 * @property {NodeJS.WriteStream} stderr receives the lines with the address
 * @property {NodeJS.ProcessEnv} env
 * @property {import('../process/interrupt').Interrupt} interrupt
 */

/**
 * @param {import('../../options/normalize').Values} values
 * @param {Context} context
 * @param {typeof VIEWS} [known] for tests
 * @returns {Promise<View>} all as one; it may be empty
 */
async function openViews (values, context, known = VIEWS) {
  /** @type {View[]} */
  const views = []
  const end = async () => { await Promise.all(views.map(view => view.end())) }
  try {
    for (const [option, { load }] of Object.entries(known)) {
      if (values[option] !== undefined) views.push(await load()(values, context))
    }
  } catch (error) {
    await end()
    throw error
  }
  return {
    follow (instance, about) { for (const view of views) view.follow(instance, about) },
    compare (last) { for (const view of views) view.compare?.(last) },
    end
  }
}

module.exports = { openViews }
