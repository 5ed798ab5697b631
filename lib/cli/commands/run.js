'use strict'

// The help of `autocannon run`. The run itself is the default command with the options of the module.

const { EXIT } = require('../exit-code')

const HELP = `Usage: autocannon run [options] FILE URL [URL …]

Runs users that are asynchronous functions. FILE is a module (.js, .mjs, .cjs,
or .ts and .mts with Node.js 22.18 or later) that exports:

  default    async ({ http, pause, check, … }) => { … }: one iteration of a user
  options    the options of the run, as in a config; flags override them
  setup      called once before the load; iterations get its return value
  user       called once for each user, before its first iteration
  teardown   called once after the load

Options: those of a run (autocannon help all), among them
  --origin URL              Another origin that functions may send to.
  --connections-per-user N  Maximum number of a user's requests in flight.
  --keep-going              An exception aborts its iteration, not the run.

Examples:
  autocannon run shop.mjs http://localhost:3000 -c 200 -d 60
  autocannon run shop.mjs --stage 1m:200 --stage 5m:200 http://localhost:3000

More: docs/user-functions.md
`

/** @returns {import('./subcommand').Outcome} */
function runRun () {
  return { text: HELP, code: EXIT.good }
}

module.exports = { runRun }
