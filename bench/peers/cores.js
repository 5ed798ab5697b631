'use strict'

// Which core runs what: the measured program has one of its own.

const { spawnSync } = require('node:child_process')

const SERVER = 0
const CLIENT = 1

/** @returns {string[]} the command in front that ties a program to a core; none where that can't be done */
function pinTo (core) {
  const pin = ['taskset', '-c', String(core)]
  return spawnSync(pin[0], [...pin.slice(1), 'true']).status === 0 ? pin : []
}

const onClientCore = () => pinTo(CLIENT)
const onServerCore = () => pinTo(SERVER)

module.exports = { onClientCore, onServerCore }
