'use strict'

// Loaded before a test file (`node --require`), it takes the add-on away: autocannon works on the sockets of Node.js, as on another platform
// or without a C compiler. Threads and processes that a test starts inherit it by NODE_OPTIONS.

require('../../../lib/net/sockets/binding').load = () => ({ binding: null, reason: 'a test has taken it away' })
