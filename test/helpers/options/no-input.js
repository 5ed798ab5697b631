'use strict'

// Standard input of tests that give `-` to every option: it is empty, and not the terminal of the user.

const { closeSync, openSync } = require('node:fs')
const { devNull } = require('node:os')

closeSync(0)
// The lowest number that is free, which is 0.
openSync(devNull, 'r')
