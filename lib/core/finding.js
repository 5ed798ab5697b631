'use strict'

// A finding: a fact that readers need to interpret the figures of a result, as data.

/**
 * @typedef {object} Finding
 * @property {string} code never changes its meaning (docs/findings.md)
 * @property {'info' | 'warning' | 'error'} severity
 * @property {Record<string, any>} facts the values in its sentence, in the units of the result
 */

/** @type {(severity: Finding['severity']) => (code: string, facts?: Finding['facts']) => Finding} */
const findingWith = severity => (code, facts = {}) => ({ code, severity, facts })

const [error, info, warning] = [findingWith('error'), findingWith('info'), findingWith('warning')]

module.exports = { error, info, warning }
