'use strict'

// Runs of user functions in this thread have no sampler: to start it takes 0.2 s of CPU time for each run where as much code is loaded as in a test.
// test/engine/health/code-profile.test.js has it.

const { CodeProfile } = require('../../lib/engine/health/code-profile')

CodeProfile.prototype.start = () => {}
