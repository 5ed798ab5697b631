'use strict'

// Serves metrics to a scraper, from before a run until its end.

const { Ledger } = require('./ledger')
const { Prometheus } = require('./prometheus')
const { MetricsServer } = require('./server')

/**
 * @typedef {object} Options
 * @property {import('../../options/ui').Address} metricsListen
 * @property {number} [metricsLinger] s that the server stays open for a last scrape
 * @property {Record<string, string>} [tag]
 *
 * @typedef {object} Context
 * @property {(sentence: string) => void} say
 * @property {Promise<unknown>} [impatient] resolves when the user interrupts the wait for the last scrape
 */

/**
 * @param {Options} options
 * @param {Context} context
 * @returns {Promise<{ follow: Ledger['follow'], end: () => Promise<void> }>}
 * @throws {import('../../core/errors').AutocannonError}
 */
async function openListen ({ metricsListen, metricsLinger = 0, tag = {} }, { say, impatient = new Promise(() => {}) }) {
  const ledger = new Ledger()
  const server = new MetricsServer(ledger, new Prometheus(tag))
  say(`metrics are at ${await server.listen(metricsListen)}`)
  if (!metricsListen.isLoopback) say('anyone who reaches that port can read them, over plain HTTP')
  /** @type {Promise<void> | null} */
  let ending = null
  return {
    follow: (instance, about) => ledger.follow(instance, about),
    end () {
      if (ending === null && metricsLinger > 0 && ledger.revision > 0) {
        say(`the metrics stay for ${metricsLinger} s, or until they are scraped`)
      }
      ending ??= server.end(ledger.revision > 0 ? metricsLinger * 1000 : 0, impatient)
      return ending
    }
  }
}

module.exports = { openListen }
