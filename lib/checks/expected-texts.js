'use strict'

// Expected texts that are templates. They are filled when the request is sent, and kept until its response.

const { hasExpression } = require('../requests/expression')

/** @typedef {ReadonlyArray<string>} Values the filled texts of one expectation, for one request */

/** An expected text that is filled for each request. */
class ExpectedText {
  /** @param {number} index among the templates of the expectation @param {string} template */
  constructor (index, template) {
    this.index = index
    this.template = template
  }
}

class ExpectedTexts {
  /**
   * @param {import('../templates/shared-values').SharedValues | null} sharedValues the values for templates; null when
   *   texts are no templates
   */
  constructor (sharedValues) {
    this.sharedValues = sharedValues
    /** @type {Array<import('../templates/fillers').Part[]>} */
    this.parts = []
  }

  /**
   * @template T
   * @param {T} expected
   * @param {boolean} [isBody] whether the text is a whole body: values are escaped as in a sent body
   * @returns {T | ExpectedText}
   */
  read (expected, isBody = false) {
    const { sharedValues, parts } = this
    if (sharedValues === null || typeof expected !== 'string' || !hasExpression(expected)) return expected
    const { partsOfBody, partsOfText } = require('../templates/fillers')
    return new ExpectedText(
      parts.push(isBody ? partsOfBody(expected, '', sharedValues) : partsOfText(expected, sharedValues)) - 1,
      expected
    )
  }

  /**
   * @returns {((own: import('../templates/own').Own) => string[]) | null} returns the filled texts; null when there are
   *   no templates
   */
  filler () {
    const { parts } = this
    if (parts.length === 0) return null
    const { fillText } = require('../templates/fillers')
    return own => parts.map(one => fillText(one, own))
  }
}

module.exports = { ExpectedText, ExpectedTexts }
