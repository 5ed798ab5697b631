'use strict'

// Runs the README's test command, and the contract suite on other versions of Node.js, too. Test files that fail are run once more,
// one after another: what passes then is flaky, and named; what fails again fails the build. The last line counts files.

const { spawnSync } = require('node:child_process')
const { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')

/** More failures than this are no chance, and to run them one after another takes too long. */
const MOST = 8

/** Versions that users have beside the oldest that is supported, which CI itself runs on. */
const VERSIONS = ['22', '24']

/** @typedef {{ passed: boolean, failed: string[] }} Outcome whether tap was content, and the files that failed */

/** The contract starts on no other version later than this, ms: a build that takes more than 20 minutes is ended from outside. */
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
    // tap may fail without a file that failed, and without a file there is nothing that passed.
    passed: again.passed && files.length > 0,
    lines: [
      ...flaky.map(file => `flaky: ${file} failed, and passed when it was run alone`),
      ...again.failed.map(file => `failed: ${file}`),
      `${files.length - again.failed.length} passed, ${again.failed.length} failed`
    ]
  }
}

/** How many lines of a failure are printed. */
const LONGEST = 60

/**
 * In CI tap's reporters for people print nothing of what failed.
 * @param {string} tap the output of one file
 * @returns {string} its failures with what belongs to them
 */
function failuresIn (tap) {
  const lines = tap.split('\n')
  return lines.flatMap((line, i) => {
    if (!/^ *not ok /.test(line)) return []
    const rest = lines.slice(i + 1, i + LONGEST)
    const end = /^ +---/.test(rest[0] ?? '') ? rest.findIndex(one => /^ +\.\.\.$/.test(one)) : 0
    return [line, ...end === -1 ? rest : rest.slice(0, end)]
  }).join('\n')
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
  const read = (/** @type {string} */ file) => existsSync(file) ? readFileSync(file, 'utf8') : ''

  /**
   * @param {string} on what is said behind the name of a file
   * @param {NodeJS.ProcessEnv} env
   * @param {string[]} files
   */
  const run = (on, env, files) => {
    const list = path.join(folder, `failed${on}`)
    /**
     * @param {string[]} args of tap
     * @returns {Outcome} tap runs what stands in the list, or else what it is told, and leaves those in it that failed
     */
    const test = (...args) => {
      const { status } = spawnSync('npm', ['test', '--', '--reporter=terse', `--save=${list}`, ...args], { stdio: 'inherit', shell, env })
      const failed = linesOf(read(list))
      for (const file of failed) console.log(`\n# ${file}${on}\n${failuresIn(read(path.join('.tap/test-results', file + '.tap')))}`)
      return { passed: status === 0, failed: failed.map(file => file + on) }
    }
    const first = test(...files)
    return { first, again: worthAgain(first) ? test('--jobs=1') : first }
  }

  const files = linesOf(spawnSync('npx', ['--no', 'tap', 'list'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell }).stdout)
  const contract = files.filter(file => file.startsWith('test/contract/'))
  // Where the time is enough for one of them, each has its days.
  const versions = contract.length === 0 ? [] : new Date().getDate() % 2 === 0 ? VERSIONS : [...VERSIONS].reverse()
  const startedAt = performance.now()
  const runs = [run('', process.env, [])]
  /** @type {string[]} */
  const left = []
  for (const version of versions) {
    if (performance.now() - startedAt < LAST_START) runs.push(run(` on Node.js ${version}`, withNode(version, folder), contract))
    else left.push(version)
  }
  const all = [...files, ...versions.filter(version => !left.includes(version)).flatMap(version => contract.map(file => `${file} on Node.js ${version}`))]
  const { passed, lines } = judge(all, together(runs.map(({ first }) => first)), together(runs.map(({ again }) => again)))
  rmSync(folder, { recursive: true, force: true })
  for (const version of left) console.log(`not run: the contract on Node.js ${version}, for this machine is too slow`)
  for (const line of lines) console.log(line)
  process.exitCode = passed ? 0 : 1
}

/**
 * @param {string} version
 * @param {string} folder is installed into
 * @returns {NodeJS.ProcessEnv} in which `node` is that version
 */
function withNode (version, folder) {
  const prefix = path.join(folder, version)
  // Tests start it as another user, too; a temporary folder is closed to others.
  chmodSync(folder, 0o755)
  mkdirSync(prefix)
  spawnSync('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', `node@${version}`], { stdio: 'inherit', cwd: prefix, shell: process.platform === 'win32' })
  const env = { ...process.env, PATH: path.join(prefix, 'node_modules/node/bin') + path.delimiter + process.env.PATH }
  const { stdout } = spawnSync('node', ['--version'], { encoding: 'utf8', env })
  if (!stdout.startsWith(`v${version}.`)) throw new Error(`Node.js ${version} could not be installed`)
  console.log(`\nThe contract on Node.js ${stdout}`)
  return env
}

if (require.main === module) main()

module.exports = { failuresIn, judge, worthAgain }
