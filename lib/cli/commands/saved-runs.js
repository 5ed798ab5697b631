'use strict'

// The two files of `autocannon versus` (--save). Each run is written as soon as it has ended.

const fs = require('node:fs')
const { show, toJson } = require('../../core/foreign-text')
const { plural } = require('../../core/units')
const { formatCommand } = require('../../server/command')
const { OutputFile } = require('../output/output-file')

/** @typedef {import('../../experiments/versus/alternation').Side} Side */

class SavedRuns {
  /** @param {Record<Side, string>} files @param {(error: Error) => void} onUnwritten */
  constructor (files, onUnwritten) {
    this.files = files
    this.onUnwritten = onUnwritten
    /** @type {Record<Side, OutputFile> | null} */
    this.outputs = null
    /** @type {Record<Side, number>} how many lines are written */
    this.written = { base: 0, new: 0 }
  }

  /**
   * The first run replaces both files: otherwise a comparison would mix earlier runs with new ones.
   * @type {(side: Side, result: Record<string, any>) => void}
   */
  save (side, result) {
    this.outputs ??= { base: this.open('base'), new: this.open('new') }
    this.outputs[side].write(toJson(result) + '\n')
    this.written[side]++
  }

  /** @param {Side} side */
  open (side) {
    const output = new OutputFile(this.files[side])
    output.closed.then(failure => {
      if (failure === null && isFile(this.files[side])) return
      // A pipe or a device keeps nothing, so its number of lines is unknown.
      this.written[side] = -Infinity
      if (failure !== null) this.onUnwritten(failure)
    })
    return output
  }

  /** Stops writing. Idempotent. */
  async end () {
    await Promise.all(Object.values(this.outputs ?? {}).map(output => output.end()))
  }

  /**
   * @param {Array<{ expression: string }>} [failIf] limits
   * @returns {string | undefined} what to do next, after the comparison
   */
  hint (failIf = []) {
    const { files, written } = this
    const limits = failIf.flatMap(({ expression }) => ['--fail-if', expression])
    if (written.base > 0 && written.new > 0) {
      return 'The runs are saved. To compare them again:\n  ' +
        `${formatCommand(['autocannon', 'compare', files.base, 'vs', files.new, ...limits])}`
    }
    const [side] = /** @type {Side[]} */ (['base', 'new']).filter(side => written[side] > 0)
    return side === undefined ? undefined : `Saved in ${show(files[side])}: ${plural(written[side], 'run')} of ${side}.`
  }
}

/** @param {string} file */
function isFile (file) {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true
}

module.exports = { SavedRuns }
