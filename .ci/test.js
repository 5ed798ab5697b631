'use strict'

// Runs the README's test command. Test files that fail are run once more, one after another: what passes then is flaky,
// and named; what fails again fails the build. The last line counts files.

const { spawnSync } = require('node:child_process')
const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')

/** More failures than this are no chance, and to run them one after another takes too long. */
const MOST = 8

/** @typedef {{ passed: boolean, failed: string[] }} Outcome whether tap was content, and the files that failed */

/** @param {Outcome} first */
const worthAgain = ({ passed, failed }) => !passed && failed.length > 0 && failed.length <= MOST

/**
 * @param {string[]} files all there are
 * @param {Outcome} first
 * @param {Outcome} [again] the run of those that failed
 * @returns {{ passed: boolean, lines: string[] }}
 */
function judge (files, first, again = first) {
  const flaky = first.failed.filter(file => !again.failed.includes(file))
  return {
    // tap may fail without a file that failed, and without a file there is nothing that passed.
    passed: again.passed && files.length > 0,
    lines: [
      ...flaky.map(file => `flaky: ${file} failed, and passed when it was run alone`),
      ...again.failed.map(file => `failed: ${file}`),
      `${files.length - again.failed.length} passed, ${again.failed.length} failed`
    ]
  }
}

/** @param {string} text */
const linesOf = text => text.split('\n').filter(line => line !== '')

function main () {
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-ci-'))
  const list = path.join(folder, 'failed')
  const shell = process.platform === 'win32'

  /**
   * @param {string[]} args of tap; only failures are printed, where a log that lost its beginning still has them
   * @returns {Outcome} tap runs what stands in the list, or else all, and leaves those in it that failed
   */
  const test = (...args) => {
    const { status } = spawnSync('npm', ['test', '--', '--reporter=terse', `--save=${list}`, ...args], { stdio: 'inherit', shell })
    let failed = ''
    try {
      failed = readFileSync(list, 'utf8')
    } catch {} // nothing was run
    return { passed: status === 0, failed: linesOf(failed) }
  }

  const files = linesOf(spawnSync('npx', ['--no', 'tap', 'list'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell }).stdout)
  const first = test()
  const { passed, lines } = judge(files, first, worthAgain(first) ? test('--jobs=1') : first)
  rmSync(folder, { recursive: true, force: true })
  for (const line of lines) console.log(line)
  process.exitCode = passed ? 0 : 1
}

if (require.main === module) main()

module.exports = { judge, worthAgain }
