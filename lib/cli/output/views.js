'use strict'

// Views of a run besides the terminal: the live page and metrics. Each is opened before the run, so that an address in
// use is reported before any load, and loaded only if requested. A view may take time to close.

const { VIEWS } = require('../../parts')

/**
 * @typedef {(values: import('../../options/normalize').Values, context: Context) => Promise<View>} Open
 *
 * @typedef {object} View
 * @property {(instance: import('../../run/instance').Instance, about?: About) => void} follow another run, before it
 *   starts
 * @property {(last: Comparison) => void} [compare] the runs are over, and compared
 * @property {() => Promise<void>} end there is no other run; resolves once all viewers have got their data. Idempotent
 *
 * @typedef {object} About which run it is, of several in a row
 * @property {'base' | 'new'} side
 * @property {number} run counted from 1
 *
 * @typedef {object} Comparison
 * @property {Record<string, any>} base the last run of it that was whole
 * @property {Record<string, any>} new
 * @property {import('../../judge/comparison/comparison').Comparison} comparison of all of them
 * @property {{ base: string, new: string }} names of the servers
 *
 * @typedef {object} Context
 * @property {NodeJS.WriteStream} stderr receives the lines about where it can be seen
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
