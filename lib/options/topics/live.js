'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'live',
  title: 'Live views and metrics',
  page: 'docs/live.md',
  options: [
    {
      name: 'ui', type: 'ui', where: 'cli', arg: '[ADDR:PORT]',
      help: 'Show the run live on a web page, and print its link. Without an address, the page is at a free port of ' +
        'this machine. Anyone with the link can watch the run and end it. If the URL follows, write --ui=ADDR:PORT ' +
        'or give both.',
      example: '--ui 127.0.0.1:8080 -d 1m http://localhost:3000'
    },
    {
      name: 'open', type: 'flag', where: 'cli', default: false, help: 'With --ui: open the page in the browser.',
      example: '--ui --open -d 1m http://localhost:3000'
    },
    {
      name: 'uiAllowRemote', aliases: ['ui-allow-remote'], type: 'flag', where: 'cli', default: false,
      help: 'With --ui: allow an address that other machines can reach, such as 0.0.0.0:8080. The page is plain HTTP.',
      example: '--ui=0.0.0.0:8080 --ui-allow-remote -d 1m http://localhost:3000'
    },
    {
      name: 'metricsListen', aliases: ['metrics-listen'], type: 'listen', where: 'cli', arg: '[ADDR]:PORT',
      help: 'Offer the metrics of the run to Prometheus at this address, such as :9464 for this machine alone or ' +
        '0.0.0.0:9464 for all networks. The path is /metrics. Needs the package prom-client.',
      example: '--metrics-listen :9464 -d 10m http://localhost:3000'
    },
    {
      name: 'metricsLinger', aliases: ['metrics-linger'], type: 'seconds', where: 'cli', arg: 'TIME', min: 0,
      max: 86_400, help: 'With --metrics-listen: wait up to this time for a last scrape at the end.',
      example: '--metrics-listen :9464 --metrics-linger 15s http://localhost:3000'
    },
    {
      name: 'otlp', type: 'otlp', where: 'cli', arg: 'URL',
      help: 'Send the metrics of the run to this collector every 5 s and at the end, by OTLP over HTTP, such as ' +
        'http://localhost:4318. Needs packages of OpenTelemetry.',
      example: '--otlp http://localhost:4318 http://localhost:3000'
    },
    {
      name: 'tag', type: 'tags', where: 'cli', arg: 'NAME=VALUE',
      help: 'Label all metrics: a label in Prometheus, a resource attribute in OpenTelemetry. Repeat it for more.',
      example: '--otlp http://localhost:4318 --tag service=shop http://localhost:3000'
    }
  ]
}
