'use strict'

const { listed } = require('../../core/units')
const { RENDERERS } = require('../../parts')
const { USUAL_SAMPLE, usualSample } = require('../load/sample')

const WRITTEN_AT_THE_END = Object.keys(RENDERERS)
  .filter(name => !RENDERERS[name].byFlag && !RENDERERS[name].grows)
  .map(name => `.${name}`)

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'reports',
  title: 'Measurement and reports',
  page: 'docs/reports.md',
  options: [
    {
      name: 'title', short: 'T', type: 'text', arg: 'TITLE', inResult: false,
      help: 'A name for the run, repeated in its results.', example: '-T nightly http://localhost:3000'
    },
    {
      name: 'output', short: 'o', type: 'paths', where: 'cli', arg: 'FILE',
      help: 'Also write the result to this file. Its extension selects the format: ' +
        `${listed(WRITTEN_AT_THE_END, 'or')}; ` +
        '.ndjson has a line per sample during the run. Repeat it for more. -.md writes to stdout.',
      example: '-o run.html -o run.json http://localhost:3000'
    },
    {
      name: 'json', short: 'j', type: 'flag', where: 'cli', default: false,
      help: 'Print the result on stdout as one line of JSON, without progress and tables.',
      example: '--json http://localhost:3000'
    },
    {
      name: 'progress', short: 'n', type: 'flag', where: 'cli', default: true, negated: true,
      help: 'Show nothing during the run: no live area on a terminal, no line every 10 s elsewhere.',
      example: '-n http://localhost:3000'
    },
    {
      name: 'verbose', short: 'V', type: 'flag', where: 'cli',
      help: 'Print all tables with all rows, also of user scenarios; --no-verbose prints the summary only.',
      example: '--no-verbose http://localhost:3000'
    },
    {
      name: 'chart', type: 'flag', where: 'cli', default: true, negated: true,
      help: 'Hide the latency bars, in the report and in the live area.', example: '--no-chart http://localhost:3000'
    },
    {
      name: 'latency', short: 'l', type: 'flag', where: 'cli', default: false,
      help: 'Print the latency at every percentile that was recorded.', example: '-l http://localhost:3000'
    },
    {
      name: 'percentiles', type: 'percentiles', arg: 'LIST',
      help: 'Latency percentiles to show, such as 50,95,99.9. They are added to the result, too.',
      example: '--percentiles 50,95,99.9 http://localhost:3000'
    },
    {
      name: 'byRequest', aliases: ['by-request'], type: 'flag', default: false,
      help: 'Show the figures of each request by its name, or by method and path where it has none. The default with ' +
        'two or more named requests.',
      example: '--by-request --targets targets.txt http://localhost:3000'
    },
    {
      name: 'renderStatusCodes', type: 'flag', where: 'cli', default: false,
      help: 'Print the number of responses by status code.', example: '--renderStatusCodes http://localhost:3000'
    },
    {
      name: 'excludeErrorStats', short: 'x', type: 'flag', default: false,
      help: 'Exclude responses other than 2xx from latency and bytes.', example: '-x http://localhost:3000'
    },
    {
      name: 'sampleInt', short: 'L', type: 'integer', min: 1, max: 3_600_000, default: USUAL_SAMPLE,
      arg: 'MS', implied: values => values.sampleInt === usualSample(values),
      help: 'Length of one sample in milliseconds.', example: '-L 500 http://localhost:3000'
    },
    {
      name: 'skipAggregateResult', type: 'flag', aliases: ['raw'], shown: 'raw', default: false,
      inResult: false,
      help: 'Give the raw result, to be merged with others by aggregateResult or `autocannon merge`; on the command ' +
        'line as one line of JSON.',
      example: '--raw http://localhost:3000'
    },
    {
      name: 'debug', type: 'flag', where: 'cli', default: false,
      help: 'Print each error of a request or connection to stderr.', example: '--debug http://localhost:3000'
    }
  ]
}
