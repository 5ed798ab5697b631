'use strict'

// The option table declares every option once: flags, type (types.js), bounds, default, documentation and example.
// Parsing, `--help`, --print-config, the config schema and docs/reference.md are generated from it, and index.d.ts is
// checked against it.

const { ARRIVALS, STREAMS } = require('../parts')
const { choicesOf } = require('../protocols/protocol')
const { ALL } = require('../shapes/shape')
const { USUAL_SAMPLE, usualSample } = require('./load/sample')

/**
 * @typedef {object} Option
 * @property {string} name in the API and as `--name`
 * @property {string} [short] the one-letter flag
 * @property {string[]} [aliases] further names; one of a single letter is a short flag
 * @property {string} [shown] which of the aliases the help shows
 * @property {keyof typeof import('./types').TYPES | import('./type').Type} type its own, or one that several have
 * @property {'both' | 'cli' | 'api'} where
 * @property {number} [min]
 * @property {number} [above] like min, but not the bound itself
 * @property {true} [perSecond] whether a number may have /s behind it
 * @property {number} [max]
 * @property {string[]} [choices] of the type choice
 * @property {unknown} [default]
 * @property {boolean} [negated] the flag on the command line is `--no-name`
 * @property {string} [arg] what stands for the value in the help
 * @property {true} [flagOnly] it means nothing in a config
 * @property {true} [ofRoute] it says by which way connections reach a server
 * @property {Readonly<Record<string, unknown>>} [means] a switch that is short for this value of another option
 * @property {string} [becomes] the option of the API whose value this flag gives
 * @property {boolean} [inResult] the result has it always, or never; else when its value is not the default
 * @property {(values: import('./normalize').Values) => boolean} [implied] whether its value follows from other options:
 *   the result leaves it out
 * @property {string} help one or two sentences
 * @property {string} [example] what a user types after `autocannon`
 */

/**
 * @param {string} topic of the help
 * @param {string} title
 * @param {string} page of the docs
 * @param {Option[]} options
 */
function topicOf (topic, title, page, options) {
  return { topic, title, page, options }
}

const CLIENTS = ['autocannon', ...choicesOf('client')]
const STREAMING = Object.keys(STREAMS)
const ARRIVING = ['even', ...Object.keys(ARRIVALS)]

/**
 * The rows by topic, as the help and docs/reference.md show them. A row belongs to one topic.
 * @type {ReadonlyArray<ReturnType<typeof topicOf>>}
 */
const GROUPS = Object.freeze([
  topicOf('server', 'The server under test', 'docs/reference.md', [
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
      name: 'watch', type: 'pids', where: 'both', arg: 'PID', inResult: false,
      help: 'Measure this process and its children during the run: CPU, memory, threads and open files, once per ' +
        'sample. Its end ends the run. Linux only. Repeat it, or separate PIDs by commas, for more. The server of ' +
        '--on-port is always measured.',
      example: '--watch 4242 http://localhost:3000'
    }
  ]),
  topicOf('load', 'Load and length of the run', 'docs/load.md', [
    {
      name: 'connections', short: 'c', type: 'integer', where: 'both', min: 1, max: 100_000, default: 10, arg: 'NUM',
      inResult: true, implied: ({ connections }) => connections === 0,
      help: 'Number of connections. A connection is a virtual user: it sends its next request when the response has ' +
        'arrived (closed model), unless a rate is given. With a rate of iterations the default is one connection per ' +
        'iteration/s: 30 for 30 iterations/s, at least 10, at most 1,000.',
      example: '-c 100 http://localhost:3000'
    },
    {
      name: 'pipelining', short: 'p', type: 'integer', where: 'both', min: 1, max: 10_000, default: 1, arg: 'NUM',
      inResult: true,
      help: 'Requests in flight per connection: HTTP/1.1 pipelining, or streams over HTTP/2. Virtual users, and ' +
        'WebSockets, share an HTTP/2 connection then.',
      example: '-p 10 http://localhost:3000'
    },
    {
      name: 'duration', short: 'd', type: 'seconds', where: 'both', above: 0, max: 2_000_000, default: 10, arg: 'SEC',
      inResult: true, implied: ({ amount }) => amount !== undefined,
      help: 'Length of the run: seconds, or a time such as 1m30s. With --until, the shortest length.',
      example: '-d 1m30s http://localhost:3000'
    },
    {
      name: 'amount', short: 'a', type: 'amount', where: 'both', min: 1, max: 1e12, arg: 'NUM',
      implied: ({ pick }) => pick === 'once',
      help: 'Send this number of requests, or start this number of iterations of virtual users ("1000 iterations"), ' +
        'and end when they are completed. The duration is ignored.',
      example: '-a \'1000 iterations\' http://localhost:3000'
    },
    {
      name: 'until', type: 'until', where: 'both', arg: 'EXPR',
      help: 'End the run as soon as a figure is precise enough, such as "p99 ±2%" (or +-2%), at 95 % confidence, or ' +
        'as soon as all thresholds are decided ("decided"). The run lasts between 1 and 10 times the duration. If ' +
        'that is not reached, the exit code is 4.',
      example: '--until "p99 ±2%" http://localhost:3000'
    },
    {
      name: 'wait', type: 'seconds', where: 'both', min: 0, max: 86_400, arg: 'SEC',
      help: 'Wait up to this time for a server that is still starting, before the run, such as 60s. Without it, the ' +
        'command ends after 3 s without any connection; 0 continues the run.',
      example: '--wait 60s http://localhost:3000'
    },
    {
      name: 'skipFirst', aliases: ['skip-first'], type: 'seconds', where: 'both', above: 0, max: 2_000_000, arg: 'SEC',
      help: 'Exclude the start of the run from all results, such as 2s. The load is the same during that time.',
      example: '--skip-first 5s -d 60 http://localhost:3000'
    },
    {
      name: 'warmup', short: 'W', type: 'warmup', where: 'both', arg: '[ … ]',
      help:
        'Run a warm-up first, with its own result: --warmup [ -c 1 -d 3 ], or an object with connections and duration.',
      example: '--warmup [ -c 1 -d 3 ] http://localhost:3000'
    },
    {
      name: 'workers', short: 'w', type: 'integer', where: 'both', min: 1, max: 1024, arg: 'NUM',
      help: 'Spread the load over this number of worker threads. Connections and amount are divided among them; ' +
        'other options apply to each. Functions must be given as module paths.',
      example: '-w 4 -c 100 http://localhost:3000'
    },
    {
      name: 'timeout', short: 't', type: 'seconds', where: 'both', above: 0, max: 2_000_000, default: 10, arg: 'SEC',
      inResult: true,
      help: 'Time limit of a request, and of an attempt to connect. On timeout, the connection is closed; over ' +
        'HTTP/2, only the stream is reset.',
      example: '-t 2 http://localhost:3000'
    },
    {
      name: 'bailout', short: 'B', type: 'integer', where: 'both', min: 1, max: 1e12, arg: 'NUM',
      help: 'End the run after this number of errors, mismatches and failed checks. The report shows the results ' +
        'until then.',
      example: '-B 100 http://localhost:3000'
    },
    {
      name: 'forever', short: 'f', type: 'flag', where: 'both', default: false,
      help: 'Repeat the run until it is interrupted or stopped. Each run has its own result.',
      example: '-f -d 10 http://localhost:3000'
    },
    {
      name: 'maxConnectionRequests', short: 'M', type: 'integer', where: 'both', min: 1, max: 1e12, arg: 'NUM',
      help: 'Send at most this many requests on each connection. The amount takes precedence.',
      example: '-M 1000 http://localhost:3000'
    },
    {
      name: 'maxOverallRequests', short: 'O', type: 'integer', where: 'both', min: 1, max: 1e12, arg: 'NUM',
      help: 'Send at most this number of requests in total, but at least one per connection. With workers the limit ' +
        'holds for each worker, with agents for all agents together. maxConnectionRequests takes precedence.',
      example: '-O 10000 http://localhost:3000'
    }
  ]),
  topicOf('rates', 'Request rates (open model)', 'docs/load.md', [
    ...ALL.map(({ option }) => option),
    {
      name: 'arrivals', type: 'choice', choices: ARRIVING, where: 'both', arg: ARRIVING.join('|'),
      help: 'With a rate: requests are evenly spaced, or random as from independent users (a Poisson process). ' +
        'Default: even.',
      example: '--arrivals poisson --rate 500 http://localhost:3000'
    },
    {
      name: 'seed', type: 'integer', where: 'both', min: 1, max: 4_294_967_295, arg: 'NUM',
      help: 'Seed of all random choices: the same seed gives the same choices, with any number of workers. Default: ' +
        '1; with --arrivals poisson, each run prints a random one.',
      example: '--seed 7 --arrivals poisson --rate 500 http://localhost:3000'
    },
    {
      name: 'sockets', type: 'choice', choices: ['native', 'node'], where: 'both', arg: 'native|node',
      help: 'Sockets: native ones serve many connections per call and time responses by their arrival in the kernel ' +
        '(Linux, without TLS); node uses those of Node.js. Default: native if available.',
      example: '--sockets native -c 100 http://localhost:3000'
    },
    {
      name: 'clock', type: 'choice', choices: ['arrival', 'read'], where: 'both', arg: 'arrival|read',
      help: 'End of a response: arrival, when the kernel received its last bytes (native sockets); read, when it was ' +
        'read. Default: arrival.',
      example: '--sockets native --clock read -c 100 http://localhost:3000'
    },
    {
      name: 'pace', type: 'choice', choices: ['even', 'batched'], where: 'both', arg: 'even|batched',
      help: 'With a rate: even sends each request within microseconds of its time and uses up to one core; batched ' +
        'sends once per millisecond and uses little CPU time. Default: even if a core is free.',
      example: '--pace batched --rate 500 http://localhost:3000'
    },
    {
      name: 'connectionRate', short: 'r', type: 'number', where: 'both', perSecond: true, above: 0, max: 1e6,
      arg: 'NUM', help: 'Send this number of requests per second on each connection, evenly spaced.',
      example: '-r 10 -c 50 http://localhost:3000'
    },
    {
      name: 'overallRate', short: 'R', type: 'number', where: 'both', perSecond: true, above: 0, max: 1e7, arg: 'NUM',
      help: 'Send this number of requests per second over all connections, evenly spaced. With workers the rate ' +
        'holds for each worker, with agents for all agents together. connectionRate takes precedence. Latency counts ' +
        'from the time at which a request was due.',
      example: '-R 500 -c 50 http://localhost:3000'
    },
    {
      name: 'ignoreCoordinatedOmission', short: 'C', type: 'flag', where: 'both', default: false,
      help: 'With a rate: count latency from the time of sending, not from the time at which a request was due. This ' +
        'hides the waiting that a slow server causes.',
      example: '-C --rate 500 http://localhost:3000'
    }
  ]),
  topicOf('requests', 'Requests', 'docs/reference.md', [
    {
      name: 'method', short: 'm', aliases: ['request', 'X'], type: 'method', where: 'both', default: 'GET',
      arg: 'METHOD', help: 'The HTTP method. -X/--request is the same.',
      example: '-m DELETE http://localhost:3000/users/1'
    },
    {
      name: 'headers', short: 'H', aliases: ['header'], type: 'headers', where: 'both', arg: 'K=V',
      help:
        'A header of the request, as name=value or "name: value". Repeat it for more; a name may come more than once.',
      example: '-H "Accept: application/json" http://localhost:3000'
    },
    {
      name: 'body', short: 'b', type: 'body', where: 'both', arg: 'BODY',
      help: 'The body of the request; on the command line @FILE is the content of a file, and @- standard input. Set ' +
        'a Content-Type with -H if the server needs one.',
      example: '-m POST -H "Content-Type: application/json" -b \'{"name":"Ann"}\' http://localhost:3000/users'
    },
    {
      name: 'bodyRaw', aliases: ['body-raw'], type: 'body', where: 'cli', arg: 'BODY', becomes: 'body',
      help: 'The request body as it is, even if it starts with @.',
      example: '-m POST --body-raw @everyone http://localhost:3000/messages'
    },
    {
      name: 'input', short: 'i', type: 'file', where: 'cli', arg: 'FILE', becomes: 'body',
      help: 'Send the content of this file as the body; - is standard input, as for every other file.',
      example: '-m POST -H "Content-Type: application/json" -i body.json http://localhost:3000/users'
    },
    {
      name: 'jsonBody', aliases: ['json-body'], type: 'json', where: 'cli', arg: 'JSON', becomes: 'body',
      help: 'A JSON body, or @FILE for that of a file, sent by POST unless a method is given, as application/json ' +
        'unless -H sets a type. Invalid JSON is refused.',
      example: '--json-body \'{"name":"Ann"}\' http://localhost:3000/users'
    },
    {
      name: 'form', short: 'F', type: 'form', where: 'both', arg: 'FORM',
      help: 'Send a multipart/form-data form, by POST unless a method is given. It is given as JSON or as the path ' +
        'of a JSON file: { "field": { "type": "text", "value": "…" }, "upload": { "type": "file", "path": "…", ' +
        '"options": { "filename": "…" } } }.',
      example: '-F form.json http://localhost:3000/upload'
    },
    {
      name: 'data', type: 'data', where: 'both', arg: 'NAME=FILE',
      implied: ({ data: { sources } }) =>
        sources.every((/** @type {{ source: string | null }} */ { source }) => source === null),
      help: 'There are two uses. (1) NAME=FILE reads rows for {{NAME.column}} in path, headers and body from a .csv, ' +
        '.tsv, .json or .ndjson file; NAME=FILE,separator=; sets its separator. Each iteration has the ' +
        'next row. In the API it is an object of sources by name. (2) Any other text is a body, as in curl; @FILE is ' +
        'the content of a file. The method is POST unless -m is given. The type is ' +
        'application/x-www-form-urlencoded unless -H sets it. Several bodies are joined by &.',
      example: '--data user=users.csv "http://localhost:3000/users/{{user.id}}"'
    },
    {
      name: 'requests',
      type: 'requests',
      where: 'api',
      help: 'The requests that each connection sends in order: ' +
        'objects with method, path, headers, body, name, expect, check, checkEvent, setupRequest, onResponse, pause, ' +
        'capture, retries and once. Options are the defaults. An entry { pause } is a pause.'
    },
    {
      name: 'har', type: 'har', where: 'both', arg: 'FILE',
      help: 'Send the requests of a HAR file to the origins of the URLs. Pages name their requests. Method, form, ' +
        'input and body are ignored; headers are added.',
      example: '--har shop.har http://localhost:3000'
    },
    {
      name: 'harPauses', aliases: ['har-pauses'], type: 'flag', where: 'both', default: false,
      help: 'Keep the recorded intervals between the requests of the HAR. Each connection replays the recording from ' +
        'a different position.',
      example: '--har shop.har --har-pauses http://localhost:3000'
    },
    {
      name: 'speed', type: 'number', where: 'both', above: 0, max: 1e6, default: 1, arg: 'NUM',
      help: 'With --har-pauses: how many times as fast as recorded; 2 halves the gaps.',
      example: '--har shop.har --har-pauses --speed 2 http://localhost:3000'
    },
    {
      name: 'targets', type: 'targets', where: 'both', arg: 'FILE',
      help: 'Send the requests of a file: lines of METHOD URL with headers and @body-file below them, a JSON object ' +
        'in each line, or a URL in each line; - is standard input. Method, headers and body are defaults. A URL is ' +
        'needed only if lines are paths. In the API also an array.',
      example: '--targets targets.txt http://localhost:3000'
    },
    {
      name: 'pick', type: 'choice', choices: ['order', 'random', 'once'], where: 'both', default: 'order',
      arg: 'order|random|once',
      help: 'The order of targets: in order, repeating; random, by --seed; or each once, which ends the run.',
      example: '--targets targets.txt --pick random http://localhost:3000'
    },
    {
      name: 'user', short: 'u', type: 'user', where: 'both', arg: 'USER:PASS',
      help: 'User and password for basic authorization. Or the path of a module that exports an asynchronous ' +
        'function, ({ http }) => …: one iteration of a virtual user, instead of requests. In the API also the ' +
        'function itself.',
      example: '-u ann:password http://localhost:3000'
    },
    {
      name: 'userAgent', short: 'A', aliases: ['user-agent'], type: 'text', where: 'cli', arg: 'AGENT',
      becomes: 'headers', help: 'The User-Agent header of each request.',
      example: '-A my-bench/1.0 http://localhost:3000'
    },
    {
      name: 'compressed', type: 'flag', where: 'both', default: false,
      help: 'Request compressed responses (Accept-Encoding: gzip, br, and zstd from Node.js 24 on), unless a header ' +
        'sets Accept-Encoding. Bodies are decoded for hooks and checks only. With a ws:// URL: offer permessage-deflate.',
      example: '--compressed http://localhost:3000'
    },
    {
      name: 'idReplacement', short: 'I', type: 'flag', where: 'both', default: false,
      help: 'Replace each [<id>] in the body, path and headers of a request with a unique id.',
      example: '-I -m POST -b "id=[<id>]" http://localhost:3000/users'
    },
    {
      name: 'trace', type: 'trace', where: 'both', arg: '[SHARE]',
      help: 'Send a unique trace id with each request (header traceparent, W3C Trace Context), to find the request ' +
        'in OpenTelemetry traces of the server. A share, such as 1%, marks that share of traces as sampled; the ' +
        'default is all. A request with its own header keeps it.',
      example: '--trace 1% http://localhost:3000'
    },
    {
      name: 'setupClient', type: 'hook', where: 'api',
      help: 'Called with the Client of each connection before it is opened.'
    }
  ]),
  topicOf('streams', 'Streams: events inside of responses', 'docs/streams.md', [
    {
      name: 'stream', type: 'choice', choices: STREAMING, where: 'both', arg: STREAMING.join('|'),
      help: 'Measure what arrives inside each response: Server-Sent Events, lines of NDJSON, chunks, which is what ' +
        'each read brings, or tokens of an OpenAI-compatible server. The timeout is then a limit to the first byte. ' +
        'A 2xx response of another type is a failed check. openai sends the body by POST as JSON, and adds ' +
        '"stream": true and "stream_options": {"include_usage": true} where these are missing.',
      example: '--stream sse -c 100 http://localhost:3000/events'
    },
    {
      name: 'streamFor', aliases: ['stream-for'], type: 'seconds', where: 'both', above: 0, max: 2_000_000, arg: 'SEC',
      help: 'With --stream: close each stream after this time, such as 30s, and count it as completed. Over HTTP/1.1 ' +
        'its connection is reopened, over HTTP/2 the stream is reset.',
      example: '--stream sse --stream-for 30s -d 5m http://localhost:3000/events'
    },
    {
      name: 'events', type: 'integer', where: 'both', min: 1, max: 1e12, arg: 'NUM',
      help: 'With --stream: close each stream after this number of events, and count it as completed.',
      example: '--stream sse --events 100 http://localhost:3000/events'
    },
    {
      name: 'streamReconnect', aliases: ['stream-reconnect'], type: 'seconds', where: 'both', above: 0, max: 86_400,
      arg: 'SEC',
      help: 'With --stream sse: continue a stream that ended or was cut, as an EventSource of a browser does. After ' +
        'SEC, such as 3s, or the retry of the stream, the same request follows with Last-Event-ID. Status 204 ends it.',
      example: '--stream sse --stream-reconnect 3s http://localhost:3000/events'
    },
    {
      name: 'stall', type: 'seconds', where: 'both', above: 0, max: 3600, default: 1, arg: 'SEC',
      help: 'With --stream, or streams of user functions: a gap between two events that is longer than this counts ' +
        'as a stall.',
      example: '--stream sse --stall 200ms http://localhost:3000/events'
    },
    {
      name: 'idleTimeout', aliases: ['idle-timeout'], type: 'seconds', where: 'both', above: 0, max: 2_000_000,
      arg: 'SEC',
      help: 'With --stream, or streams of user functions: time limit from the first byte of a response to its first ' +
        'event, and between events. Default: the timeout.',
      example: '--stream sse --idle-timeout 60s http://localhost:3000/events'
    }
  ]),
  topicOf('websocket', 'WebSocket messages', 'docs/websocket.md', [
    {
      name: 'match', type: 'match', where: 'both', arg: 'next|json PATH', default: 'next',
      help: 'With a ws:// URL: which message responds to one that was sent. next: responses come in order. json id: ' +
        'the one with the same id. A message is a request: in latency, amount, rates and pipelining. In the API also ' +
        'a function (sent, received) => boolean.',
      example: '-b \'{"id":{{counter}}}\' --match \'json id\' ws://localhost:3000/chat'
    },
    {
      name: 'receive', type: 'flag', where: 'both', default: false,
      help: 'With a ws:// URL: count and time messages that respond to nothing: the gap between two of them, and ' +
        'their age. Without a body the connections listen only.',
      example: '--receive -c 1000 -d 60 ws://localhost:3000/ticker'
    },
    {
      name: 'age', type: 'age', where: 'both', arg: 'json PATH',
      help: 'With --receive: measure the age of those messages, from the time at this path of their JSON, in ms ' +
        'since 1970, by the clock of this machine. The clock of the sender has to agree with it.',
      example: '--receive --age \'json sentAt\' ws://localhost:3000/ticker'
    },
    {
      name: 'ping', type: 'seconds', where: 'both', min: 0.1, max: 86_400, arg: 'SEC',
      help: 'With a ws:// URL: send a ping on each connection once per SEC, such as 30s, and measure its round trip. ' +
        'A ping without a response within the timeout ends its connection.',
      example: '--ping 30s -b hi ws://localhost:3000/'
    },
    {
      name: 'subprotocol', type: 'subprotocols', where: 'both', arg: 'NAME',
      help: 'With a ws:// URL: offer this subprotocol, such as graphql-transport-ws. Repeat it for more, the ' +
        'preferred one first. A server that chooses none of them fails the handshake.',
      example: '--subprotocol graphql-transport-ws -b \'{"type":"connection_init"}\' ws://localhost:3000/graphql'
    }
  ]),
  topicOf('scenarios', 'User scenarios (virtual users)', 'docs/scenarios.md', [
    {
      name: 'origins', aliases: ['origin'], shown: 'origin', type: 'origins', where: 'both', arg: 'URL',
      help: 'Another origin that user functions may send requests to and redirects may lead to, such as ' +
        'https://auth.example. Repeat it for more. Any other origin than these and those of the URLs is refused.',
      example: '--origin http://localhost:4000 -u shop.mjs http://localhost:3000'
    },
    {
      name: 'connectionsPerUser', aliases: ['connections-per-user'], type: 'integer', where: 'both', min: 1, max: 100,
      default: 6, arg: 'NUM',
      help: 'Requests that one user function has in flight at the same time at most: a connection for each over ' +
        'HTTP/1.1, a stream of one connection over HTTP/2.',
      example: '--connections-per-user 1 -u shop.mjs http://localhost:3000'
    },
    {
      name: 'keepGoing', aliases: ['keep-going'], type: 'flag', where: 'both', default: false,
      help: 'An exception of a user function aborts its iteration, and is counted. Without it, the run ends.',
      example: '--keep-going -u shop.mjs http://localhost:3000'
    },
    {
      name: 'scenarios',
      type: 'scenarios',
      where: 'api',
      help: 'Scenarios of users, instead of requests: objects ' +
        'with name, weight, requests, pause and every. A user is a connection. It selects a scenario for each ' +
        'iteration by weight.'
    },
    {
      name: 'sticky', type: 'flag', where: 'api', default: false,
      help: 'Each virtual user keeps one scenario. The weights determine how many users have it.'
    },
    {
      name: 'pause', type: 'pause', where: 'both', arg: 'TIME',
      help: 'Think time between iterations: 1s, or 500ms-2s for a random time in that range. In the API also an ' +
        'array of two times, { exponential: "1s" } with the mean, or a function of the context that returns seconds.',
      example: '--pause 500ms-2s -c 100 http://localhost:3000'
    },
    {
      name: 'every', type: 'seconds', where: 'both', above: 0, max: 2_000_000, arg: 'TIME',
      help: 'Start an iteration of a user at most once per TIME, such as 5s. An iteration that takes longer is ' +
        'followed at once by the next one.',
      example: '--every 5s -c 100 http://localhost:3000'
    },
    {
      name: 'cookies', type: 'cookies', where: 'both', default: false,
      help: 'Each connection stores the cookies of responses and sends them back, as a browser does. In the API also ' +
        '{ keep: "iteration" or "connection", start: { name: "value" } }: with scenarios, each iteration starts ' +
        'without cookies, unless keep is "connection"; without scenarios, or with a request that is sent once, ' +
        'they are kept.',
      example: '--cookies http://localhost:3000'
    },
    {
      name: 'redirects', type: 'integer', where: 'both', min: 0, max: 100, default: 0, arg: 'NUM',
      help: 'Follow up to this many redirects (301, 302, 303, 307, 308) one after another, to the origins of the ' +
        'URLs. Each is a request of the run. The latency of a named request includes its redirects. A redirect that ' +
        'is not followed fails the run. With 0, a redirect is a response like others.',
      example: '--redirects 5 http://localhost:3000'
    },
    {
      name: 'redirectsAnywhere', aliases: ['redirects-anywhere'], type: 'flag', where: 'both', default: false,
      help: 'With --redirects: follow them to other origins, too, without Authorization and other credentials.',
      example: '--redirects 5 --redirects-anywhere http://localhost:3000'
    },
    {
      name: 'retries', type: 'retries', where: 'both', arg: 'NUM',
      help: 'Retry a request up to NUM times after a response of 429, 502, 503 or 504, a connection that ends ' +
        'without a response, or a timeout. Retry-After is respected. Each attempt counts as a request. In the API ' +
        'also { times, on: ["5xx", "AC_CLOSED"], pause }.',
      example: '--retries 2 http://localhost:3000'
    },
    {
      name: 'initialContext', type: 'object', where: 'api',
      help: 'The initial context of each iteration of the requests.'
    }
  ]),
  topicOf('checks', 'Checks of responses', 'docs/checks.md', [
    {
      name: 'expectBody', short: 'E', type: 'body', where: 'both', arg: 'BODY',
      help: 'Count each response with another body as a mismatch.', example: '-E ok http://localhost:3000/health'
    },
    {
      name: 'verifyBody',
      type: 'hook',
      where: 'api',
      help: 'Called with the body of each response and the context; ' +
        'a falsy result counts as a mismatch. Takes precedence over expectBody.'
    },
    {
      name: 'expect',
      type: 'expect',
      where: 'api',
      help: 'What each response must be: an object with any of status, ' +
        'headers, body, json, maxBytes, maxMs and events. A response that differs is a failed check.'
    },
    {
      name: 'expectStatus', aliases: ['expect-status'], type: 'status', where: 'cli', arg: 'CODE', becomes: 'expect',
      help: 'Count each response with another status as a failed check: a code, a class such as 2xx, or a list ' +
        'separated by commas.',
      example: '--expect-status 200,204 http://localhost:3000'
    },
    {
      name: 'expectHeader', aliases: ['expect-header'], type: 'expectedHeaders', where: 'cli', arg: 'K=V',
      becomes: 'expect',
      help: 'Count each response without this header as a failed check: name=value, name=/pattern/ or just the name. ' +
        'Repeat it for more.',
      example: '--expect-header content-type=/json/ http://localhost:3000'
    },
    {
      name: 'expectJson', aliases: ['expect-json'], type: 'expectedJson', where: 'cli', arg: 'PATH=V',
      becomes: 'expect',
      help: 'Count each response without this JSON value as a failed check, such as user.id=42 or items[0].name=tea. ' +
        'Repeat it for more.',
      example: '--expect-json user.id=42 http://localhost:3000/users/42'
    },
    {
      name: 'expectIncludes', aliases: ['expect-includes'], type: 'texts', where: 'cli', arg: 'TEXT', becomes: 'expect',
      help: 'Count each response without this text in its body as a failed check. Repeat it for more.',
      example: '--expect-includes Welcome http://localhost:3000'
    },
    {
      name: 'check',
      type: 'hook',
      where: 'api',
      help: 'Called with each response (status, headers, body, json(), ' +
        'ms, request) and the context. Returns true, or false, a reason or an Error for a failed check.'
    },
    {
      name: 'checkEvent',
      type: 'hook',
      where: 'api',
      help: 'With stream: called with each event (type, data, lastEventId, index, ms, json()) and the context. ' +
        'Returns true, or false, a reason or an Error for a failed check.'
    }
  ]),
  topicOf('ci', 'Pass or fail', 'docs/ci.md', [
    {
      name: 'thresholds', aliases: ['threshold'], shown: 'threshold', type: 'thresholds', where: 'both', arg: 'EXPR',
      help: 'Fail the run unless this holds, such as "p99 < 50ms", "failure rate < 1%", "login: p95 < 100ms" for a ' +
        'named request or "stage 3: p99 < 80ms" for a stage. Repeat it for more. The exit code is 3 then.',
      example: '--threshold "p99 < 50ms" --threshold "failure rate < 1%" http://localhost:3000'
    },
    {
      name: 'abortOn',
      aliases: ['abort-on'],
      type: 'thresholds',
      where: 'cli',
      arg: 'EXPR',
      becomes: 'thresholds',
      help: 'A threshold that also ends the run as soon as it can\'t be met any more. Repeat it for more.',
      example: '--abort-on "failure rate < 5%" -d 10m http://localhost:3000'
    },
    {
      name: 'strict', type: 'flag', where: 'both', default: false,
      help: 'Fail the run if the load generator was overloaded: the same as the threshold "generator <= busy". The ' +
        'exit code is 3, or 4 if the run is too short to decide (less than 0.5 s).',
      example: '--strict http://localhost:3000'
    },
    {
      name: 'baseline', type: 'results', where: 'cli', arg: 'FILE',
      help: 'Compare the result with the results in this file of --json.',
      example: '--baseline main.json http://localhost:3000'
    },
    {
      name: 'acrossMachines', aliases: ['across-machines'], type: 'flag', where: 'cli', default: false,
      help: 'With --baseline, and for compare: compare results of different machines, which are refused by default.',
      example: '--baseline main.json --across-machines http://localhost:3000'
    },
    {
      name: 'failIf', aliases: ['fail-if'], type: 'regressions', where: 'cli', arg: 'EXPR',
      help: 'With --baseline, and for versus: a limit, such as "p99 +10%" or "rps -5%". Repeat it for more. A ' +
        'significant difference beyond it gives exit code 3, an inconclusive comparison 4.',
      example: '--baseline main.json --fail-if "p99 +10%" http://localhost:3000'
    },
    {
      name: 'inconclusive', type: 'choice', choices: ['pass', 'fail', 'exact'], where: 'cli', arg: 'pass|fail|exact',
      help: 'Treat an inconclusive check as pass or fail, or let the exact figure decide a threshold, however ' +
        'uncertain it is. The default is exit code 4.',
      example: '--threshold "p99 < 50ms" --inconclusive fail http://localhost:3000'
    },
    {
      name: 'githubSummary', aliases: ['github-summary'], type: 'flag', where: 'cli', default: false,
      help: 'Append the verdict in Markdown to the file that GITHUB_STEP_SUMMARY names.',
      example: '--github-summary http://localhost:3000'
    },
    {
      name: 'junit', type: 'text', where: 'cli', arg: 'FILE',
      help: 'Write thresholds, checks and limits to this file as test cases in JUnit XML.',
      example: '--junit bench.xml --threshold "p99 < 50ms" http://localhost:3000'
    }
  ]),
  topicOf('network', 'Connections, HTTP version, proxies, DNS', 'docs/connections.md', [
    {
      name: 'http', type: 'choice', choices: [...choicesOf('http'), 'auto'], where: 'both', default: '1.1',
      arg: 'VERSION',
      help: 'HTTP version: 1.1, 2, or auto, which the server selects over TLS (ALPN); for http:// that is 1.1. With ' +
        '2, -p is the number of streams per connection.',
      example: '--http auto https://localhost:3000'
    },
    {
      name: 'http2', type: 'flag', where: 'both', default: false, means: { http: '2' }, help: 'The same as --http 2.',
      example: '--http2 https://localhost:3000'
    },
    {
      name: 'http1', aliases: ['http1.1'], shown: 'http1.1', type: 'flag', where: 'cli', default: false,
      means: { http: '1.1' }, help: 'Use HTTP/1.1, the default: the same as --http 1.1.',
      example: '--http1.1 http://localhost:3000'
    },
    {
      name: 'reconnectRate', short: 'D', type: 'integer', where: 'both', min: 1, max: 1e12, arg: 'NUM',
      help: 'Reconnect after this number of requests.', example: '-D 1000 http://localhost:3000'
    },
    {
      name: 'disableKeepalive', aliases: ['disable-keepalive'], type: 'flag', where: 'cli', default: false,
      becomes: 'reconnectRate', help: 'Open a new connection for each request: the same as -D 1.',
      example: '--disable-keepalive http://localhost:3000'
    },
    {
      name: 'socketPath', short: 'S', type: 'socket', where: 'both', arg: 'PATH',
      help: 'Connect to this Unix socket or Windows named pipe; on Linux @name is an abstract socket (and ./@name a ' +
        'file). The URL still gives the Host header and the path.',
      example: '-S /run/app.sock http://localhost/users'
    },
    {
      name: 'proxy', type: 'proxy', where: 'both', arg: 'URL', ofRoute: true,
      help: 'Connect through this proxy: http://, https://, socks5:// (names are resolved here) or socks5h:// (by ' +
        'the proxy), with user:password@ if required. env reads http_proxy, https_proxy, all_proxy and no_proxy, as ' +
        'curl does; otherwise they are ignored.',
      example: '--proxy http://proxy:3128 http://server:3000'
    },
    {
      name: 'connectTo', aliases: ['connect-to'], type: 'connectTo', where: 'both', arg: 'HOST:PORT:ADDR:PORT',
      ofRoute: true,
      help: 'Connect to that address and port instead of a host and port, as curl does: the Host header, the server ' +
        'name for TLS and the URL stay. Parts may be empty, for any host or port or for the same; an IPv6 address ' +
        'needs brackets. Repeat it for more.',
      example: '--connect-to example.com:443:10.0.0.7:8443 https://example.com'
    },
    {
      name: 'resolve', type: 'resolve', where: 'both', arg: 'HOST:PORT:ADDR', ofRoute: true,
      help: 'Use these addresses, separated by commas, for a host name and port, without a name server; * is any ' +
        'host. Repeat it for more.',
      example: '--resolve example.com:443:10.0.0.7 https://example.com'
    },
    {
      name: 'ipv4', short: '4', type: 'flag', where: 'both', default: false, ofRoute: true,
      help: 'Use IPv4 addresses only.', example: '-4 http://example.com'
    },
    {
      name: 'ipv6', short: '6', type: 'flag', where: 'both', default: false, ofRoute: true,
      help: 'Use IPv6 addresses only.', example: '-6 http://example.com'
    },
    {
      name: 'dns', type: 'choice', choices: ['once', 'each'], where: 'both', default: 'once', arg: 'once|each',
      ofRoute: true,
      help: 'Resolve a host name once per run and thread, or for each connection. Connections use its addresses ' +
        'round-robin.',
      example: '--dns each http://example.com'
    },
    {
      name: 'localAddress', aliases: ['local-address'], type: 'addresses', where: 'both', arg: 'ADDR', ofRoute: true,
      help: 'Connect from this address of this machine. Several, separated by commas, are used round-robin: each has ' +
        'about 28,000 ports per server.',
      example: '--local-address 10.0.0.5,10.0.0.6 http://server:3000'
    },
    {
      name: 'connectTimeout', aliases: ['connect-timeout'], type: 'seconds', where: 'both', above: 0, max: 2_000_000,
      arg: 'SEC', help: 'Time limit of an attempt to connect, TLS included. Default: the timeout.',
      example: '--connect-timeout 2 http://localhost:3000'
    },
    {
      name: 'client', type: 'choice', choices: CLIENTS, where: 'both', default: 'autocannon', arg: CLIENTS.join('|'),
      help: 'The HTTP client that sends the requests: the built-in client, or undici, to measure what a Node.js ' +
        'service would see.',
      example: '--client undici http://localhost:3000'
    },
    {
      name: 'dispatcher',
      type: 'dispatcher',
      where: 'api',
      help: 'The dispatcher of undici that sends the requests, ' +
        'with its interceptors, proxies and TLS settings; a function that creates one; or the absolute path of a ' +
        'module that exports one of these (required with workers).'
    }
  ]),
  topicOf('tls', 'TLS', 'docs/connections.md', [
    {
      name: 'servername', short: 's', type: 'text', where: 'both', arg: 'NAME',
      help: 'The server name for TLS (SNI). Default: the host of the URL unless it is an address.',
      example: '-s example.com https://10.0.0.7'
    },
    {
      name: 'insecure', short: 'k', type: 'flag', where: 'both',
      help: 'Do not verify the certificate of the server, also with --ca; --no-insecure verifies it, with the ' +
        'authorities of --ca or Node.js. By default it is verified only with --ca.',
      example: '--no-insecure https://localhost:3000'
    },
    {
      name: 'cert', type: 'file', where: 'cli', arg: 'FILE', becomes: 'tlsOptions',
      help: 'A client certificate chain in PEM.', example: '--cert client.pem --key client.key https://localhost:3000'
    },
    {
      name: 'key', type: 'file', where: 'cli', arg: 'FILE', becomes: 'tlsOptions',
      help: 'The private key of the certificate in PEM.',
      example: '--cert client.pem --key client.key https://localhost:3000'
    },
    {
      name: 'ca', type: 'files', where: 'cli', arg: 'FILE', becomes: 'tlsOptions',
      help: 'A trusted certificate in PEM; repeat it for more. It enables verification of the server.',
      example: '--ca ca.pem https://localhost:3000'
    },
    {
      name: 'tlsMin', aliases: ['tls-min'], type: 'tlsVersion', where: 'both', arg: 'VERSION',
      help: 'The lowest TLS version to offer: 1.0, 1.1, 1.2 or 1.3. Default: 1.2, or 1.0 when --tls-max is below that.',
      example: '--tls-min 1.3 https://localhost:3000'
    },
    {
      name: 'tlsMax', aliases: ['tls-max'], type: 'tlsVersion', where: 'both', arg: 'VERSION',
      help: 'The highest TLS version to offer. Default: 1.3.', example: '--tls-max 1.2 https://localhost:3000'
    },
    {
      name: 'ciphers', type: 'text', where: 'both', arg: 'LIST',
      help: 'Ciphers to offer, by OpenSSL name, separated by :, with suites of TLS 1.3: ' +
        'ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256. A list without one of these offers no TLS 1.3, a list ' +
        'of these alone nothing else.',
      example: '--ciphers TLS_AES_128_GCM_SHA256 https://localhost:3000'
    },
    {
      name: 'alpn', type: 'alpn', where: 'both', arg: 'LIST',
      help: 'ALPN protocols to offer, separated by commas; none offers nothing. Default: http/1.1, or h2 with HTTP/2.',
      example: '--alpn http/1.1 https://localhost:3000'
    },
    {
      name: 'tlsSessionReuse', aliases: ['tls-session-reuse'], type: 'flag', where: 'both', default: false,
      help: 'Each connection after the first resumes the last TLS session of its server, per thread. Without it, ' +
        'every handshake is a full one.',
      example: '--tls-session-reuse --disable-keepalive https://localhost:3000'
    },
    {
      name: 'tlsOptions',
      type: 'object',
      where: 'api',
      help: 'Passed to tls.connect; overrides tlsMin, tlsMax, ' +
        'ciphers and alpn. Certificates are verified only if rejectUnauthorized or ca is given.'
    }
  ]),
  topicOf('agents', 'Load from many machines', 'docs/scale-out.md', [
    {
      name: 'agents', type: 'agents', where: 'both', arg: 'NUM|all',
      help: 'Let agents on other machines send the load, divided among them: a number, or all idle agents. ' +
        '`autocannon agent` starts one. Each has a thread per core, or --workers.',
      example: '--agents 3 --redis redis://redis:6379 -c 600 http://server:3000'
    },
    {
      name: 'redis', type: 'redis', where: 'both', arg: 'URL',
      help: 'The Redis that connects agents: redis:// or rediss:// (TLS), with user:password@ if required. Default: ' +
        'the environment variable AUTOCANNON_REDIS.',
      example: '--redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'redisCluster', aliases: ['redis-cluster'], type: 'flag', where: 'both', default: false,
      help: 'Redis is a cluster; the URL is that of one node.',
      example: '--redis-cluster --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'redisPrefix', aliases: ['redis-prefix'], type: 'text', where: 'both', default: 'autocannon', arg: 'NAME',
      help: 'Prefix of all keys in Redis. Agents and runs see only those with the same prefix.',
      example: '--redis-prefix team-a --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'agentsTimeout', aliases: ['agents-timeout'], type: 'seconds', where: 'both', above: 0, max: 86_400,
      default: 30, arg: 'SEC', help: 'Time to wait until enough agents are idle.',
      example: '--agents-timeout 60 --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'weights', type: 'weights', where: 'both', arg: 'NUM,NUM,…',
      help: 'Threads of each agent, and so its share of the load: one number for each agent in the order of their ' +
        'names, or by name such as big=4,small=1. Default: the number of its cores.',
      example: '--weights big=4,small=1 --redis redis://redis:6379 --agents 2 http://server:3000'
    },
    {
      name: 'onAgentLoss', aliases: ['on-agent-loss'], type: 'choice', choices: ['continue', 'stop'], where: 'both',
      default: 'continue', arg: 'continue|stop',
      help: 'When an agent is lost: continue with the others, or stop with the result so far and exit code 1.',
      example: '--on-agent-loss stop --redis redis://redis:6379 --agents 3 http://server:3000'
    },
    {
      name: 'modules', type: 'text', where: 'both', arg: 'DIR',
      help: 'The folder of hooks and other modules: an agent has the same files below its own --modules. Default: ' +
        'the current folder.',
      example: '--modules bench --redis redis://redis:6379 --agents 3 http://server:3000'
    }
  ]),
  topicOf('reports', 'Measurement and reports', 'docs/reports.md', [
    {
      name: 'title', short: 'T', type: 'text', where: 'both', arg: 'TITLE', inResult: false,
      help: 'A name for the run, repeated in its results.', example: '-T nightly http://localhost:3000'
    },
    {
      name: 'output', short: 'o', type: 'paths', where: 'cli', arg: 'FILE',
      help: 'Also write the result to this file. Its extension selects the format: .json, .csv, .md or .html; ' +
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
      name: 'percentiles', type: 'percentiles', where: 'both', arg: 'LIST',
      help: 'Latency percentiles to show, such as 50,95,99.9. They are added to the result, too.',
      example: '--percentiles 50,95,99.9 http://localhost:3000'
    },
    {
      name: 'byRequest', aliases: ['by-request'], type: 'flag', where: 'both', default: false,
      help: 'Show the figures of each request by its name, or by method and path where it has none. The default with ' +
        'two or more named requests.',
      example: '--by-request --targets targets.txt http://localhost:3000'
    },
    {
      name: 'renderStatusCodes', type: 'flag', where: 'cli', default: false,
      help: 'Print the number of responses by status code.', example: '--renderStatusCodes http://localhost:3000'
    },
    {
      name: 'excludeErrorStats', short: 'x', type: 'flag', where: 'both', default: false,
      help: 'Exclude responses other than 2xx from latency and bytes.', example: '-x http://localhost:3000'
    },
    {
      name: 'sampleInt', short: 'L', type: 'integer', where: 'both', min: 1, max: 3_600_000, default: USUAL_SAMPLE,
      arg: 'MS', implied: values => values.sampleInt === usualSample(values),
      help: 'Length of one sample in milliseconds.', example: '-L 500 http://localhost:3000'
    },
    {
      name: 'skipAggregateResult', type: 'flag', aliases: ['raw'], shown: 'raw', where: 'both', default: false,
      inResult: false,
      help: 'Give the raw result, to be merged with others by aggregateResult or `autocannon merge`; on the command ' +
        'line as one line of JSON.',
      example: '--raw http://localhost:3000'
    },
    {
      name: 'debug', type: 'flag', where: 'cli', default: false,
      help: 'Print each error of a request or connection to stderr.', example: '--debug http://localhost:3000'
    }
  ]),
  topicOf('live', 'Live views and metrics', 'docs/live.md', [
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
  ]),
  topicOf('config', 'Configs and help', 'docs/scenarios.md', [

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
  ])
])

/** @type {ReadonlyArray<Readonly<Option>>} */
const TABLE = Object.freeze(GROUPS.flatMap(({ options }) => options))

/** @type {ReadonlyMap<string, Readonly<Option>>} */
const byName = new Map(TABLE.map(option => [option.name, option]))

/** Options that say by which way connections reach a server. */
const ROUTE = Object.freeze(TABLE.filter(({ ofRoute }) => ofRoute).map(({ name }) => name))

/** Options that say something of agents, and nothing without them. */
const ABOUT_AGENTS = Object.freeze(
  GROUPS.filter(({ topic }) => topic === 'agents')
    .flatMap(({ options }) => options.map(({ name }) => name))
    .filter(name => name !== 'agents')
)

/**
 * Returns the options among them whose value is not the default: what reads these is loaded then.
 * @type {(values: import('./normalize').Values, names: ReadonlyArray<string>) => string[]}
 */
function setAmong (values, names) {
  return names.filter(name => values[name] !== undefined && values[name] !== byName.get(name)?.default)
}

/** Returns how users write it on the command line: `-c/--connections`. @type {(option: Option) => string} */
function flags (option) {
  const long = (option.negated ? '--no-' : '--') +
    (option.shown ?? option.aliases?.find(alias => alias.includes('-')) ?? option.name)
  return option.short === undefined ? long : `-${option.short}/${long}`
}

module.exports = { ABOUT_AGENTS, GROUPS, ROUTE, TABLE, byName, flags, setAmong }
