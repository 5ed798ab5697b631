'use strict'

// Checks an output path before the run: whether it is writable, and whether two names are the same file.

const fs = require('node:fs')
const path = require('node:path')
const { show } = require('../../core/foreign-text')

/**
 * Returns why the file cannot be written, as far as this can be checked before the run.
 * @type {(flag: string, file: string) => string | undefined}
 */
function problemOfFile (flag, file) {
  const folder = path.dirname(path.resolve(file))
  try {
    if (!fs.statSync(folder).isDirectory()) {
      return `${flag}: ${show(folder)} is not a folder, so ${show(file)} can't be written`
    }
    if (!fs.existsSync(file)) fs.accessSync(folder, fs.constants.W_OK)
    else if (fs.statSync(file).isDirectory()) return `${flag}: ${show(file)} is a folder; give a file in it`
    else fs.accessSync(file, fs.constants.W_OK)
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error)
    return `${flag}: ${show(file)} can't be written: ` +
      `${code === 'ENOENT' ? `there is no folder ${show(folder)}` : message}`
  }
}

/** Returns the same key for two names of one file, links included. @type {(file: string) => string} */
function placeOf (file) {
  try {
    const stat = fs.statSync(file, { bigint: true, throwIfNoEntry: false })
    // Two names of one pipe or device count as different files: both may be written.
    if (stat !== undefined) return stat.isFile() ? `${stat.dev}:${stat.ino}` : path.resolve(file)
    // A link to a file that does not exist yet.
    if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) {
      return placeOf(path.resolve(path.dirname(file), fs.readlinkSync(file)))
    }
    return path.join(fs.realpathSync(path.dirname(path.resolve(file))), path.basename(file))
  } catch {
    // problemOfFile() reports an invalid name.
    return path.resolve(file)
  }
}

module.exports = { placeOf, problemOfFile }
