'use strict'

// Judgements without their reason as data, which has to say the same as their note.

const assert = require('node:assert/strict')
const { countedIn } = require('../../../lib/core/counted')
const { judge } = require('../../../lib/judge/judge')
const { sentenceOf } = require('../../../lib/words/judgements')

/** @param {Parameters<typeof judge>} given */
function judgedWithoutFinding (...given) {
  return judge(...given).map(({ finding, ...judgement }) => {
    // Its sentence is that of the result.
    if (finding?.code !== 'load-generator') assert.equal(judgement.note, finding && sentenceOf(finding, countedIn(given[1])))
    return judgement
  })
}

module.exports = { judgedWithoutFinding }
