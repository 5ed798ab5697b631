'use strict'

// Owns the follower that writes a line for each point of the series.

/**
 * @typedef {import('./followers').Follower} Follower
 * @implements {Follower}
 */
class Lines {
  /**
   * @param {{ write: (text: string) => unknown }} stream
   * @param {(point: import('../figures/series').Point, start: number) => string} line `start` of the series, ms since 1970
   */
  constructor (stream, line) {
    this.stream = stream
    this.line = line
    this.startedAt = 0
  }

  /** @param {{ start: number }} info */
  start ({ start }) {
    this.startedAt = start
  }

  /** @param {import('./followers').Sample} sample */
  sample ({ point, totals }) {
    // The series begins where the figures do.
    this.stream.write(this.line(point, Math.trunc(this.startedAt + (totals.skipped?.ms ?? 0))))
  }
}

module.exports = { Lines }
