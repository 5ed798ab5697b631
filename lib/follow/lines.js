'use strict'

// A follower that writes a line of NDJSON for each point of the series, and the result at the end.

/**
 * @typedef {import('./followers').Follower} Follower
 * @implements {Follower}
 */
class Lines {
  /**
   * @param {{ write: (text: string) => unknown }} stream
   * @param {(point: import('../figures/series').Point, start: number) => string} line `start` of the series, ms since
   *   1970
   * @param {(result: Record<string, any>) => string} [last] a line, or nothing
   */
  constructor (stream, line, last = () => '') {
    this.stream = stream
    this.line = line
    this.last = last
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

  /** @param {Record<string, any>} result */
  done (result) {
    const last = this.last(result)
    if (last !== '') this.stream.write(last)
  }
}

module.exports = { Lines }
