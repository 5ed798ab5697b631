'use strict'

// --metrics-listen and --otlp: the metrics of a run from the command line.

const { OptionsError } = require('../../core/errors')
const { show } = require('../../core/foreign-text')
const { LABELS } = require('../../follow/metrics/families')
const { openListen } = require('../../follow/metrics/listen')
const { version } = require('../../../package.json')

/**
 * @type {(values: import('../../options/normalize').Values, context: import('./views').Context) =>
 *   Promise<import('./views').View>}
 */
async function openMetrics ({ metricsListen, metricsLinger, tag }, { stderr, interrupt }) {
  refuseLabels(tag)
  /** @type {(value?: unknown) => void} */
  let hurry = () => {}
  const impatient = new Promise(resolve => { hurry = resolve })
  const view = await openListen({ metricsListen, metricsLinger, tag }, {
    impatient, say: sentence => stderr.write(`autocannon: ${sentence}\n`)
  })
  return {
    follow: view.follow,
    end () {
      // The run has ended, so the first signal ends the wait for a scrape.
      interrupt.onSignal = hurry
      return view.end()
    }
  }
}

/**
 * @type {(values: import('../../options/normalize').Values, context: import('./views').Context) =>
 *   Promise<import('./views').View>}
 */
function openPushed ({ otlp, tag }, { stderr }) {
  refuseLabels(tag)
  return require('../../follow/metrics/otlp').openOtlp({ otlp, tag, version }, {
    say: sentence => stderr.write(`autocannon: ${sentence}\n`)
  })
}

/**
 * Rejects tags with the name of a label. The labels are not loaded when options are read.
 * @param {Record<string, string>} [tag]
 * @throws {OptionsError}
 */
function refuseLabels (tag = {}) {
  const plain = (/** @type {string} */ name) => name.replace(/\W/g, '_')
  const taken = Object.keys(tag).find(name => LABELS.map(plain).includes(plain(name)))
  if (taken !== undefined) {
    throw new OptionsError([`--tag: expected a name that no label of the metrics has, got ${show(taken)}`])
  }
}

module.exports = { openMetrics, openPushed }
