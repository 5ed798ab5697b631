'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'config',
  title: 'Configs and help',
  page: 'docs/scenarios.md',
  options: [
    {
      name: 'config', type: 'text', where: 'cli', arg: 'FILE', flagOnly: true,
      help: 'Read options from this file: YAML, JSON, or a module that exports them. Flags override it. Paths in it ' +
        // eslint-disable-next-line no-template-curly-in-string
        'are relative to its folder. In YAML and JSON, ${NAME} and ${NAME:-default} are environment variables.',
      example: '--config bench.yaml'
    },
    {
      name: 'printConfig', aliases: ['print-config'], type: 'flag', where: 'cli', default: false, flagOnly: true,
      help: 'Print the options of the run as JSON, with secrets hidden, and do not run it.',
      example: '--print-config -c 100 http://localhost:3000'
    },
    {
      name: 'version', short: 'v', type: 'flag', where: 'cli', default: false, flagOnly: true,
      help: 'Print the version. With --verbose also which sockets and which clock are used here, and why.',
      example: '--version'
    },
    {
      name: 'help', short: 'h', type: 'flag', where: 'cli', default: false, flagOnly: true,
      help: 'Print the help; for a topic (--help tls), an option (--help rate), or everything (--help all).',
      example: '--help rate'
    }
  ]
}
