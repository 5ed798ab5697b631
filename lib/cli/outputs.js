'use strict'

// Owns the files that a run from the command line is written to: which format each has, whether it can be written at all,
// and what is written when.

const fs = require('node:fs')
const path = require('node:path')
const { AutocannonError } = require('../errors')
const { formatOf, formatResult, ENDINGS } = require('../report/formats')
const { lineOf } = require('../report/ndjson')
const { show } = require('../units')

/**
 * @typedef {object} Target
 * @property {string} flag as the user calls it
 * @property {string} file
 * @property {string | undefined} format undefined when the ending is unknown
 * @property {boolean} isStdout
 */

class Outputs {
  /**
   * @param {Record<string, any>} raw options as they were given
   * @param {NodeJS.WritableStream} stdout
   */
  constructor (raw, stdout) {
    this.stdout = stdout
    this.json = raw.json === true || raw.json === 'true'
    /** @type {Target[]} */
    this.targets = [
      ...[raw.output ?? []].flat().map(file => target('-o/--output', String(file), formatOf(String(file)))),
      ...raw.junit === undefined ? [] : [target('--junit', String(raw.junit), 'junit')]
    ]
    /** @type {NodeJS.WritableStream[]} */
    this.streams = []
    /** @type {Error[]} */
    this.failures = []
  }

  /** @returns {string[]} a sentence for each reason why a file could not be written */
  problems () {
    const toStdout = this.targets.filter(({ isStdout }) => isStdout).map(({ flag, file }) => `${flag} ${file}`)
    if (this.json) toStdout.unshift('-j/--json')
    const files = this.targets.map(({ file }) => path.resolve(file))
    return [
      ...this.targets.flatMap(target => problemOf(target) ?? []),
      ...toStdout.length > 1 ? [`${toStdout.join(' and ')} would all write to stdout: give one of them a file`] : [],
      ...this.targets.filter(({ isStdout }, i) => !isStdout && files.indexOf(files[i]) !== i).map(({ flag, file }) => `${flag}: the file ${show(file)} is given twice`)
    ]
  }

  /**
   * @param {import('node:events').EventEmitter} instance that has not started yet
   * @param {Array<Record<string, any>>} [baseline]
   */
  follow (instance, baseline) {
    for (const { file, format, isStdout } of this.targets) {
      if (format === 'ndjson') {
        this.stream(instance, isStdout ? this.stdout : fs.createWriteStream(file), file, isStdout)
      } else {
        instance.on('done', result => this.write(file, () => formatResult(result, /** @type {string} */ (format), { baseline }), isStdout))
      }
    }
  }

  /**
   * @param {import('node:events').EventEmitter} instance
   * @param {NodeJS.WritableStream} stream
   * @param {string} file
   * @param {boolean} isStdout which others watch and nobody ends
   */
  stream (instance, stream, file, isStdout) {
    let start = 0
    instance.on('start', () => { start = Date.now() })
    instance.on('sample', point => stream.write(lineOf(point, start)))
    if (isStdout) return
    stream.on('error', error => this.fail(file, error))
    this.streams.push(stream)
  }

  /**
   * @param {string} file
   * @param {() => string} format
   * @param {boolean} isStdout
   */
  write (file, format, isStdout) {
    try {
      if (isStdout) this.stdout.write(format())
      else fs.writeFileSync(file, format())
    } catch (error) {
      this.fail(file, /** @type {Error} */ (error))
    }
  }

  /**
   * @param {string} file
   * @param {Error} error
   */
  fail (file, { message }) {
    this.failures.push(new AutocannonError('AC_OUTPUT', `${show(file)} could not be written: ${message}`))
  }

  /**
   * Resolves when all is on its way to the disk.
   * @throws {AutocannonError} when a file could not be written
   */
  async end () {
    await Promise.all(this.streams.map(stream => new Promise(resolve => {
      stream.once('close', resolve)
      stream.end()
    })))
    if (this.failures.length > 0) throw new AutocannonError('AC_OUTPUT', this.failures.map(({ message }) => message).join('\n'))
  }
}

/**
 * @param {string} flag
 * @param {string} file
 * @param {string | undefined} format
 * @returns {Target}
 */
function target (flag, file, format) {
  return { flag, file, format, isStdout: format !== undefined && (file === '-.' + format || (format === 'junit' && file === '-')) }
}

/**
 * @param {Target} target
 * @returns {string | undefined}
 */
function problemOf ({ flag, file, format, isStdout }) {
  if (file === '') return undefined
  if (format === undefined) return `${flag}: expected a file whose ending says its format: ${ENDINGS.map(ending => '.' + ending).join(', ')}, got ${show(file)}`
  if (isStdout) return undefined
  const folder = path.dirname(path.resolve(file))
  try {
    if (!fs.statSync(folder).isDirectory()) return `${flag}: ${show(folder)} is not a folder, so ${show(file)} can't be written`
    if (!fs.existsSync(file)) fs.accessSync(folder, fs.constants.W_OK)
    else if (fs.statSync(file).isDirectory()) return `${flag}: ${show(file)} is a folder; give a file in it`
    else fs.accessSync(file, fs.constants.W_OK)
  } catch (error) {
    return `${flag}: ${show(file)} can't be written: ${/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? `there is no folder ${show(folder)}` : /** @type {Error} */ (error).message}`
  }
}

module.exports = { Outputs }
