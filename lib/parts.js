'use strict'

// The list of parts of which a run can be made, a line for each. No other module requires a part by its file. Parts are
// loaded lazily.

/**
 * Load shapes: when requests are due (`shapes/shape`).
 * @type {Readonly<Record<string, { doc: string, load: () => import('./shapes/shape').Shape }>>}
 */
const SHAPES = Object.freeze({
  constant: { doc: 'at equal intervals', load: () => require('./shapes/constant') },
  staged: { doc: 'a rate that changes linearly in each stage', load: () => require('./shapes/staged/staged') },
  burst: { doc: 'a number of requests at once, at intervals', load: () => require('./shapes/burst') },
  replay: { doc: 'at the arrival times of a recorded trace', load: () => require('./shapes/replay/replay') }
})

/**
 * Distributions of the intervals between requests of a rate (`Arrivals` in `shapes/shape`), by the value of `arrivals`.
 * By default, the intervals are equal.
 * @type {Readonly<Record<string, { doc: string, load: () => import('./shapes/shape').Arrivals }>>}
 */
const ARRIVALS = Object.freeze({
  poisson: { doc: 'at random, like the arrivals of independent users', load: () => require('./shapes/poisson') }
})

/**
 * Protocols (`protocols/protocol`): the last one that option values select applies, a URL by its scheme.
 * @typedef {Readonly<Record<string, string>>} When
 * @type {Readonly<Record<string, { doc: string, when: When, load: () => import('./protocols/protocol').Traits }>>}
 */
const PROTOCOLS = Object.freeze({
  http1: { doc: 'HTTP/1.1, with pipelining', when: { http: '1.1' }, load: () => require('./protocols/http1/http1') },
  http2: { doc: 'HTTP/2, with streams', when: { http: '2' }, load: () => require('./protocols/http2/http2') },
  undici: { doc: 'HTTP through undici', when: { client: 'undici' }, load: () => require('./protocols/undici/undici') },
  websocket: { doc: 'messages', when: { url: 'ws' }, load: () => require('./protocols/websocket/websocket') },
  websocketOverHttp2: {
    doc: 'messages on streams of HTTP/2',
    when: { url: 'ws', http: '2' },
    load: () => require('./protocols/websocket-http2/websocket-http2')
  }
})

/**
 * Kinds of streams (`streams/stream`), by the value of `stream`.
 * @type {Readonly<Record<string, { doc: string, load: () => import('./streams/stream').Kind }>>}
 */
const STREAMS = Object.freeze({
  sse: { doc: 'Server-Sent Events', load: () => require('./streams/sse/sse') },
  ndjson: { doc: 'lines, such as those of NDJSON', load: () => require('./streams/ndjson') },
  chunks: { doc: 'the bytes of each read', load: () => require('./streams/chunks') },
  openai: { doc: 'tokens of a language model', load: () => require('./streams/openai/openai') }
})

/** Instruments (`instruments/index`), by their key in snapshots and raw results. */
const INSTRUMENTS = Object.freeze({
  checks: { doc: 'checks of responses and mismatches', load: () => require('./instruments/checks/checks') },
  requests: { doc: 'the figures of each named request', load: () => require('./instruments/requests/requests') },
  stages: { doc: 'the figures of each stage', load: () => require('./instruments/stages/stages') },
  iterations: { doc: 'iterations of users, by scenario', load: () => require('./instruments/iterations/iterations') },
  code: { doc: 'CPU time that user functions take', load: () => require('./instruments/code/code') },
  groups: { doc: 'named parts of iterations of user functions', load: () => require('./instruments/groups/groups') },
  distributions: { doc: 'latencies and connect times', load: () => require('./instruments/latency/latency') },
  tokens: { doc: 'tokens of language models', load: () => require('./instruments/tokens/tokens') },
  goodput: { doc: 'requests that met all of their bounds', load: () => require('./instruments/goodput/goodput') },
  streams: { doc: 'events inside of responses', load: () => require('./instruments/streams/streams') },
  websocket: { doc: 'messages, pings and closes', load: () => require('./instruments/websocket/websocket') },
  clock: { doc: 'when latencies end: arrivals and reads', load: () => require('./instruments/clock/clock') },
  sockets: { doc: 'sockets that are not native', load: () => require('./instruments/sockets/sockets') },
  handshakes: { doc: 'TLS handshakes', load: () => require('./instruments/handshakes/handshakes') },
  proxied: { doc: 'connections through a proxy', load: () => require('./instruments/proxies/proxies') },
  rate: { doc: 'how the rate was kept', load: () => require('./instruments/rate/rate') },
  agents: { doc: 'what each agent did', load: () => require('./instruments/agents/agents') },
  exemplars: { doc: 'slowest requests and first failures', load: () => require('./instruments/exemplars/exemplars') },
  generator: { doc: 'trust in the load generator', load: () => require('./instruments/generator/generator') },
  server: { doc: 'the server under test', load: () => require('./instruments/server/server') }
})

/**
 * Formats of a result (`report/formats/format`). The name is the extension of a file, or with `byFlag` that of a flag.
 * `isData`: the file has the unchanged result, which may be a raw one. `grows`: lines are appended during the run.
 * @typedef {{ doc: string, isData?: true, byFlag?: true, grows?: true }} Renderer
 * @type {Readonly<Record<string, Renderer & { load: () => import('./report/formats/format').Format }>>}
 */
const RENDERERS = Object.freeze({
  json: { doc: 'the result', isData: true, load: () => ({ write: require('./core/foreign-text').jsonLine }) },
  csv: { doc: 'figures as a table', load: () => ({ write: require('./report/formats/csv').toCsv }) },
  md: { doc: 'a report in Markdown', load: () => ({ write: require('./report/markdown/result').toMarkdown }) },
  html: { doc: 'a report as a page', load: () => ({ write: require('./report/html/page').toHtml }) },
  ndjson: {
    doc: 'a line for each sample', isData: true, grows: true, load: () => require('./report/formats/ndjson').FORMAT
  },
  junit: { doc: 'checks as test cases', byFlag: true, load: () => require('./report/formats/junit').FORMAT }
})

/**
 * Views of a run beside the terminal, by their option.
 * @type {Readonly<Record<string, { doc: string, load: () => import('./cli/output/views').Open }>>}
 */
const VIEWS = Object.freeze({
  ui: { doc: 'a page', load: () => require('./cli/output/ui').openUi },
  metricsListen: { doc: 'metrics that Prometheus scrapes', load: () => require('./cli/output/metrics').openMetrics },
  otlp: { doc: 'metrics sent to an OpenTelemetry collector', load: () => require('./cli/output/metrics').openPushed }
})

/**
 * @typedef {object} Experiment
 * @property {string} doc
 * @property {string[]} [aliases] of its command
 * @property {string} page of the docs
 * @property {() => ReadonlyArray<Readonly<import('./options/table').Option>>} flags that it has beside those of a run
 * @property {() => Function} run the function of the API
 * @property {() => import('./cli/commands/index').Run} command
 */

/**
 * Experiments derive one verdict from many runs: each has a command of that name, and a function of the API.
 * @type {Readonly<Record<string, Experiment>>}
 */
const EXPERIMENTS = Object.freeze({
  find: {
    doc: 'find the highest load that the server sustains',
    page: 'docs/load.md',
    flags: () => require('./experiments/find/flags').FIND,
    run: () => require('./experiments/find/find').find,
    command: () => require('./cli/commands/find').runFind
  },
  versus: {
    doc: 'measure two servers in alternating runs, compare them',
    aliases: ['vs'],
    page: 'docs/ci.md',
    flags: () => require('./experiments/versus/flags').VERSUS,
    run: () => require('./experiments/versus/versus').versus,
    command: () => require('./cli/commands/versus').runVersus
  }
})

module.exports = { ARRIVALS, EXPERIMENTS, INSTRUMENTS, PROTOCOLS, RENDERERS, SHAPES, STREAMS, VIEWS }
