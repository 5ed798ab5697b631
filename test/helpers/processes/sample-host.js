'use strict'

// Processes in which samples run one after another: to start Node.js and to load the package takes longer than most of them. A sample has ended when nothing is
// left for the process to do, as if it were alone. Started as a process, this file is the host: `node test/helpers/processes/sample-host.js MARK FILE …`

const { randomUUID } = require('node:crypto')
const { Running } = require('./cli')

/** @typedef {{ code: number | null, stdout: string, stderr: string }} End */

/**
 * @param {string[]} files paths of samples
 * @param {{ cwd: string }} options
 * @returns {Map<string, Promise<End>>} how each of them ends
 */
function runSamples (files, options) {
  const mark = randomUUID()
  const host = new Running(process.execPath, [__filename, mark, ...files], options)
  return new Map(files.map((file, i) => [file, endOf(host, mark, i)]))
}

/**
 * @param {Running} host
 * @param {string} mark that it writes after each sample
 * @param {number} i which of the samples
 * @returns {Promise<End>}
 */
async function endOf (host, mark, i) {
  // A process that ends early ends this sample, and those after it.
  const last = await Promise.all([host.says('stdout', mark, i + 1), host.says('stderr', mark, i + 1)]).then(() => null, () => host.ended)
  const [stdout, stderr] = [host.stdout, host.stderr].map(text => text.split(mark)[i] ?? '')
  if (last !== null) return { code: last.code, stdout, stderr: stderr || last.stderr }
  const [, code] = /^ (\d+)\n/.exec(host.stdout.split(mark)[i + 1]) ?? []
  return { code: Number(code), stdout: withoutCode(stdout, i), stderr: withoutCode(stderr, i) }
}

/** @param {string} text @param {number} i */
const withoutCode = (text, i) => i === 0 ? text : text.slice(text.indexOf('\n') + 1)

if (require.main === module) {
  const [mark, ...files] = process.argv.splice(2)
  const path = require('node:path')
  let isFirst = true
  process.on('beforeExit', () => {
    if (!isFirst) for (const stream of [process.stdout, process.stderr]) stream.write(`${mark} ${process.exitCode ?? 0}\n`)
    isFirst = false
    process.exitCode = undefined
    const file = files.shift()
    if (file === undefined) return process.removeAllListeners('beforeExit')
    process.argv[1] = path.resolve(file)
    require(process.argv[1])
    // A sample that does nothing has an end as well.
    setImmediate(() => {})
  })
}

module.exports = { runSamples }
