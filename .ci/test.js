'use strict'

// Runs the README's test command, and the contract suite on other versions of Node.js, too: each time in other modes, so that each test
// is run at each place and over each protocol. Test files that drop root also run in a clone that other users can't enter. The hostile suite, and the
// contract on one of the versions, also run in a clone that has no add-on, over the sockets of Node.js. Test files that fail are run
// once more, one after another: what passes then is flaky, and named; what fails again fails the build. The last line counts files.

const { spawnSync } = require('node:child_process')
const { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const { list } = require('../test/run')

/** More failures than this are no chance, and to run them one after another takes too long. */
const MOST = 8

/** Versions that users have beside the oldest that is supported, which CI itself runs on. */
const VERSIONS = ['22', '24']

/** Test files in which a process gives up the rights of root. */
const DROP_ROOT = ['test/contract/results/outputs.test.js', 'test/servers/http2.test.js']

/** No part of a clone. */
const LEFT_OUT = ['.git', '.tap', 'node_modules']

/** Where the add-on is. */
const PREBUILDS = 'prebuilds'

const IN_CLONE = ' in a closed clone'
const WITHOUT = ' without the add-on'

/** @typedef {{ passed: boolean, failed: string[] }} Outcome whether the test command was content, and the files that failed */

/** No further pass starts later than this, ms: a build that takes more than 20 minutes is ended from outside. */
const LAST_START = 11 * 60_000

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
    // The command may fail without a file that failed, and without a file there is nothing that passed.
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

/**
 * @param {Outcome[]} outcomes
 * @returns {Outcome}
 */
const together = outcomes => ({ passed: outcomes.every(({ passed }) => passed), failed: outcomes.flatMap(({ failed }) => failed) })

function main () {
  const folder = mkdtempSync(path.join(tmpdir(), 'autocannon-ci-'))
  const shell = process.platform === 'win32'

  /**
   * @param {string} on what is said behind the name of a file
   * @param {NodeJS.ProcessEnv} env
   * @param {string[]} files
   * @param {string} [cwd]
   */
  const run = (on, env, files, cwd) => {
    const report = path.join(folder, 'failed')
    /**
     * @param {string[]} args of the test command
     * @returns {Outcome & { again: string[] }}
     */
    const test = (...args) => {
      rmSync(report, { force: true })
      const { status } = spawnSync('npm', ['test', '--', `--failed=${report}`, ...args], { stdio: 'inherit', shell, env, cwd })
      const again = existsSync(report) ? linesOf(readFileSync(report, 'utf8')) : []
      return { passed: status === 0, failed: again.map(file => file + on), again }
    }
    if (on !== '') console.log(`\nTests${on}`)
    const first = test(...files)
    return { first, again: worthAgain(first) ? test('--jobs=1', ...first.again) : first }
  }

  const files = list()
  const contract = files.filter(file => file.startsWith('test/contract/'))
  // Where the time is enough for one of them, each has its days.
  const versions = new Date().getDate() % 2 === 0 ? VERSIONS : [...VERSIONS].reverse()
  const startedAt = performance.now()
  const runs = [run('', process.env, [])]
  const all = [...files]
  /** @type {string[]} */
  const left = []
  /**
   * @param {string} on
   * @param {string[]} files
   * @param {() => [NodeJS.ProcessEnv, string?]} prepare environment and working directory
   */
  const more = (on, files, prepare) => {
    if (files.length === 0) return
    if (performance.now() - startedAt >= LAST_START) return left.push(on)
    const [env, cwd] = prepare()
    runs.push(run(on, env, files, cwd))
    all.push(...files.map(file => file + on))
  }
  more(IN_CLONE, files.filter(file => DROP_ROOT.includes(file)), () => [process.env, cloneIn(folder, 'closed', LEFT_OUT)])
  const without = () => cloneIn(folder, 'without', [...LEFT_OUT, PREBUILDS])
  more(` on Node.js ${versions[0]}`, contract, () => [{ ...withNode(versions[0], folder), CONTRACT_MODES: '1' }])
  more(WITHOUT, files.filter(file => file.startsWith('test/hostile/')), () => [process.env, without()])
  more(` on Node.js ${versions[1]}${WITHOUT}`, contract, () => [{ ...withNode(versions[1], folder), CONTRACT_MODES: '2' }, without()])
  const { passed, lines } = judge(all, together(runs.map(({ first }) => first)), together(runs.map(({ again }) => again)))
  rmSync(folder, { recursive: true, force: true })
  for (const on of left) console.log(`not run: the tests${on}, for this machine is too slow`)
  for (const line of lines) console.log(line)
  process.exitCode = passed ? 0 : 1
}

/**
 * @param {string} folder that other users can't enter, as mkdtemp makes it
 * @param {string} name
 * @param {string[]} leftOut
 * @returns {string} a copy of the working directory in it
 */
function cloneIn (folder, name, leftOut) {
  const clone = path.join(folder, name)
  if (existsSync(clone)) return clone
  cpSync('.', clone, { recursive: true, filter: file => !leftOut.includes(path.normalize(file)) })
  symlinkSync(path.resolve('node_modules'), path.join(clone, 'node_modules'), 'junction')
  return clone
}

/**
 * @param {string} version
 * @param {string} folder is installed into
 * @returns {NodeJS.ProcessEnv} in which `node` is that version
 */
function withNode (version, folder) {
  const prefix = path.join(folder, version)
  mkdirSync(prefix)
  spawnSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', `node@${version}`], { stdio: 'inherit', cwd: prefix, shell: process.platform === 'win32' })
  const env = { ...process.env, PATH: path.join(prefix, 'node_modules/node/bin') + path.delimiter + process.env.PATH }
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env })
  if (!stdout.startsWith(`v${version}.`)) throw new Error(`Node.js ${version} could not be installed`)
  return env
}

if (require.main === module) main()

module.exports = { judge, worthAgain }
