'use strict'

// Makes metric families, one function per kind. The tables of families describe each.

/** @typedef {import('./families').Family} Family */

/** @type {(name: string, unit: string, labels: string[], help: string, read: Family['read']) => Family} */
function counter (name, unit, labels, help, read) {
  return { name, type: 'counter', unit, labels, help, read }
}

/** @type {(name: string, unit: string, labels: string[], help: string, read: Family['read']) => Family} */
function gauge (name, unit, labels, help, read) {
  return { name, type: 'gauge', unit, labels, help, read }
}

/** @type {(name: string, labels: string[], help: string, read: Family['read']) => Family} */
function updown (name, labels, help, read) {
  return { name, type: 'updown', unit: '', labels, help, read }
}

/** @type {(name: string, labels: string[], help: string, read: Family['read']) => Family} */
function histogram (name, labels, help, read) {
  return { name, type: 'histogram', unit: 's', labels, help, read }
}

module.exports = { counter, gauge, histogram, updown }
