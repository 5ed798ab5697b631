'use strict'

// Loaded before the command line: at its exit it names the modules that were loaded while a connection was open, by the environment variable LATE_MODULES
// into a file.

const { writeFileSync } = require('node:fs')
const Module = require('node:module')
const net = require('node:net')

/** @type {WeakSet<net.Socket>} */
const connected = new WeakSet()
let open = 0
/** @type {string[]} */
const late = []

const { connect, destroy } = net.Socket.prototype
net.Socket.prototype.connect = function (/** @type {any[]} */ ...args) {
  if (!connected.has(this)) open++
  connected.add(this)
  return /** @type {any} */ (connect).apply(this, args)
}
net.Socket.prototype.destroy = function (error) {
  if (connected.delete(this)) open--
  return destroy.call(this, error)
}
const extensions = /** @type {any} */ (Module)._extensions
const load = extensions['.js']
extensions['.js'] = (/** @type {NodeJS.Module} */ module, /** @type {string} */ file) => {
  if (open > 0) late.push(file)
  load(module, file)
}
process.on('exit', () => writeFileSync(String(process.env.LATE_MODULES), late.join('\n')))
