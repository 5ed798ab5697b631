'use strict'

// Requests that are valid and hardly intended, such as GET /item/undefined: servers may respond with 200, so that
// no report shows that the load has changed.

const { cut, show } = require('../../core/foreign-text')
const { redactedText } = require('../../core/secrets')

/** The text of a missing value. */
const TEXT = /(?:^|[/=:,_ -])(?:undefined|NaN|(?:\[|%5B)object(?: |%20|\+)\w+(?:\]|%5D))(?=$|[/&?#,.: ])/

/** The limit of requests of a thread whose headers are examined. A path is examined when it is new. */
const MOST = 1000
const LONGEST = 100

class SuspectRequests {
  /** @param {(sentence: string) => void} onFound receives a sentence on the first of each kind */
  constructor (onFound) {
    this.onFound = onFound
    this.looksAtPaths = true
    this.looksAtJson = true
    this.headersToWatch = MOST
  }

  /** @param {string} path */
  lookAtPath (path) {
    if (!this.looksAtPaths || !TEXT.test(path)) return
    this.looksAtPaths = false
    this.onFound(`a user function requests ${show(cut(redactedText(path), LONGEST))}: is a value missing?`)
  }

  /** @param {unknown} json that is sent */
  lookAtJson (json) {
    if (typeof json !== 'string' || !this.looksAtJson || !/^\s*[{[][^]*[}\]]\s*$/.test(json)) return
    this.looksAtJson = false
    this.onFound('a user function gives json a text of JSON, which is sent as a JSON string: ' +
      'give it the value itself, or the text as body')
  }

  /** @param {import('../../requests/headers').Pairs} headers */
  lookAtHeaders (headers) {
    if (this.headersToWatch === 0) return
    this.headersToWatch--
    const [name] = headers.find(([, value]) => TEXT.test(value)) ?? []
    if (name === undefined) return
    this.headersToWatch = 0
    this.onFound(`a user function sends the header ${show(name)} with undefined or such in it: is a value missing?`)
  }
}

module.exports = { SuspectRequests }
