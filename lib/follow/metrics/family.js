'use strict'

// Makes metric families, one function per kind. The tables of families describe each.

/**
 * @typedef {import('./families').Family} Family
 * @typedef {(name: string, help: string, read: Family['read'], more?: Partial<Pick<Family, 'labels' | 'unit'>>) =>
 *   Family} Make
 */

/** @type {(type: Family['type'], unit?: string) => Make} */
const kindOf = (type, unit = '') => (name, help, read, more) => ({ name, type, unit, labels: [], help, read, ...more })

module.exports = {
  counter: kindOf('counter'), gauge: kindOf('gauge'), histogram: kindOf('histogram', 's'), updown: kindOf('updown')
}
