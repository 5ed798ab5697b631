'use strict'

// Loaded before the command line: its workers are processes that talk JSON lines.

const { startProcess } = require('./process-host')

require('../../lib/run/transport-thread').startThread = startProcess
