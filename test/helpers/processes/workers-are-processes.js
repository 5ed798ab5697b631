'use strict'

// Loaded before the command line: its workers are processes that talk JSON lines.

const { startProcess } = require('./hosts')

require('../../../lib/run/transport-thread').startThread = startProcess
