'use strict'

// Owns what the last lines of `npm test` say of tests that were skipped.

/**
 * @param {string} tap the output of tap
 * @returns {string} each reason once, with the files and tests that it kept from running; empty when all of them ran
 */
function notRun (tap) {
  /** @type {Map<string, string[]>} */
  const reasons = new Map()
  let file = ''
  for (const line of tap.split('\n')) {
    file = /^# Subtest: (.*)/.exec(line)?.[1] ?? file
    const [, indent, test, text] = /^( *)ok \d+ - (.*?) *# SKIP *(.*)$/.exec(line) ?? []
    if (test === undefined) continue
    // t.skip('why') has its reason where other tests have their name.
    const where = indent === '' ? test : text === '' ? file : `${file}: ${test}`
    const reason = text !== '' ? text : indent === '' ? 'without a reason' : test
    reasons.set(reason, [...reasons.get(reason) ?? [], where])
  }
  if (reasons.size === 0) return ''
  const blocks = [...reasons].map(([reason, places]) => [reason, ...new Set(places)].join('\n    '))
  return ['Not run on this machine:', ...blocks].join('\n  ')
}

module.exports = { notRun }
