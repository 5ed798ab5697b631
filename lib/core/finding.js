'use strict'

// A finding: a fact that a reader of a result has to know beside the figures, as data.

/**
 * @typedef {object} Finding
 * @property {string} code which never changes its meaning (docs/findings.md)
 * @property {'info' | 'warning' | 'error'} severity
 * @property {Record<string, any>} facts the values of its sentence; ms, seconds and shares as in the result
 */

/** @type {(severity: Finding['severity']) => (code: string, facts?: Finding['facts']) => Finding} */
const findingWith = severity => (code, facts = {}) => ({ code, severity, facts })

const [error, info, warning] = [findingWith('error'), findingWith('info'), findingWith('warning')]

module.exports = { error, info, warning }
