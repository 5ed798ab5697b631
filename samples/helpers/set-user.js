'use strict'

// setupClient: each connection is a user of its own, in whichever thread it lives.

const { threadId } = require('node:worker_threads')

let connections = 0

module.exports = client => client.setHeaders({ 'x-user': `thread ${threadId}, connection ${++connections}` })
