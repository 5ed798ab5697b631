'use strict'

// --debug: prints each error of a request or connection as a line.

const { printable } = require('../../core/foreign-text')

/** @type {(instance: import('node:events').EventEmitter, stream: NodeJS.WritableStream) => void} */
function printErrors (instance, stream) {
  instance.on('reqError', error => stream.write(`${printable(`${error.code ?? error.name}: ${wordsOf(error)}`)}\n`))
}

/** @param {Error & { errors?: Error[] }} error `errors`: one per address of a name with several */
function wordsOf ({ message, errors = [] }) {
  return message || errors.map(({ message }) => message).join(', ')
}

module.exports = { printErrors }
