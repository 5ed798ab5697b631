'use strict'

// Loaded before an agent, it has it be one of another version of autocannon.

require('../../../package.json').version = '0.9.0'
