'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'server',
  title: 'The server under test',
  page: 'docs/reference.md',
  options: [
    {
      name: 'url', type: 'url', where: 'api', implied: ({ targets }) => targets?.base === null,
      help: 'The http, https, ws or wss URL to benchmark, or an array of them, used round-robin by connections.'
    },
    {
      name: 'onPort', aliases: ['on-port'], type: 'command', where: 'cli', default: false,
      help: 'Start the command after --, wait until it responds over HTTP, load that address, and stop the command. ' +
        'The URL may be a path. A URL with a port waits for that port. Implied by `-- node …`; variables such as ' +
        'PORT=3000 may precede the program.',
      example: '--on-port /users -- node server.js'
    },
    {
      name: 'quietServer', aliases: ['quiet-server'], type: 'flag', where: 'cli', default: false,
      help: 'With --on-port: hide the output of the command, unless it ends too early.',
      example: '--on-port /users --quiet-server -- npm start'
    },
    {
      name: 'watch', type: 'pids', arg: 'PID', inResult: false,
      help: 'Measure this process and its children during the run: CPU, memory, threads and open files, once per ' +
        'sample. Its end ends the run. Linux only. Repeat it, or separate PIDs by commas, for more. The server of ' +
        '--on-port is always measured.',
      example: '--watch 4242 http://localhost:3000'
    }
  ]
}
