'use strict'

// What `npm test` says of what tap wrote: what failed, and what was skipped and why.

/** How many lines of a failure are printed. */
const LONGEST = 60

/**
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

/**
 * @param {string} tap the output of a process that files share
 * @returns {Map<string, { passed: boolean, tap: string, seconds: number }>} of each file that came to its end, what it would have written by itself
 */
function byFile (tap) {
  const files = new Map()
  /** @type {string[]} */
  let lines = []
  for (const line of tap.split('\n')) {
    const [, not, file, ms = '0'] = /^(not )?ok \d+ - (\S+\.test\.js)(?: # time=([\d.]+)ms)?/.exec(line) ?? []
    if (file !== undefined) files.set(file, { passed: not === undefined, tap: lines.join('\n'), seconds: Number(ms) / 1000 })
    if (/^# Subtest: /.test(line)) lines = []
    else if (line.startsWith('    ')) lines.push(line.slice(4))
  }
  return files
}

/**
 * @param {Array<{ file: string, tap: string }>} outputs
 * @returns {string} each reason once, with the files and tests that it kept from running; the last line counts all that was not run
 */
function notRun (outputs) {
  /** @type {Map<string, Set<string>>} */
  const reasons = new Map()
  const left = { modes: 0, combinations: 0 }
  const keep = (/** @type {string} */ reason, /** @type {string} */ place) => reasons.set(reason, (reasons.get(reason) ?? new Set()).add(place))
  for (const { file, tap } of outputs) {
    for (const line of tap.split('\n')) {
      const [, more, what] = /^ *# (\d+) more (modes|combinations): /.exec(line) ?? []
      if (more !== undefined) left[/** @type {keyof typeof left} */ (what)] += Number(more)
      const [, whole] = /^1\.\.0 # (.*)$/.exec(line) ?? []
      if (whole !== undefined) keep(whole, file)
      const [, test, text] = /^ *ok \d+ - (.*?) *# SKIP *(.*)$/.exec(line) ?? []
      if (test === undefined) continue
      // t.skip('why') has its reason where other tests have their name.
      if (text === '') keep(test, file)
      else keep(text, `${file}: ${test}`)
    }
  }
  const missing = [...reasons.values()].flatMap(places => [...places])
  const further = [...left.modes > 0 ? [`${left.modes} further modes of contract tests`] : [], ...left.combinations > 0 ? [`${left.combinations} further combinations of other tests`] : []]
  const counts = [...missing.length > 0 ? [`${missing.length} files or tests, named above`] : [], ...further.length > 0 ? [`${further.join(' and ')}, which npm run test:all runs`] : []]
  return [
    ...missing.length > 0 ? ['Not run on this machine:'] : [],
    ...Array.from(reasons, ([reason, places]) => [`  ${reason}`, ...places].join('\n    ')),
    `Not run: ${counts.join('; ') || 'nothing'}`
  ].join('\n')
}

module.exports = { byFile, failuresIn, notRun }
