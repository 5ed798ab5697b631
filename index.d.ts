/// <reference types="node" />

import { EventEmitter } from 'node:events'
import { ConnectionOptions } from 'node:tls'

/**
 * Benchmarks an HTTP server. The run starts once the current turn of the event loop is over, so that listeners can be
 * added first. Without a callback the returned instance is a promise of the result, too.
 */
declare function autocannon (opts: autocannon.Options & { skipAggregateResult: true }): autocannon.PromisedInstance<autocannon.RawResult>
declare function autocannon (opts: autocannon.Options & autocannon.ThroughUndici): autocannon.PromisedInstance<autocannon.ResultThroughUndici>
declare function autocannon (opts: autocannon.Options): autocannon.PromisedInstance<autocannon.Result>
declare function autocannon (opts: autocannon.Options & autocannon.ThroughUndici, callback: autocannon.Callback<autocannon.ResultThroughUndici>): autocannon.Instance
declare function autocannon (opts: autocannon.Options, callback: autocannon.Callback): autocannon.Instance

declare namespace autocannon {
  /** All durations are seconds unless the name has another unit. */
  interface Options {
    /**
     * The http, https, ws or wss URL to benchmark, or an array of them, used round-robin by connections. `http://` may be omitted. Required unless all
     * `targets` have URLs.
     */
    url?: string | string[]
    /**
     * Number of connections. Each is a virtual user. With a rate of iterations, the default is one per iteration/s, at least 10 and at most 1,000.
     * @default 10
     */
    connections?: number
    /**
     * Requests in flight per connection, or messages of a WebSocket. Over HTTP/2, streams: virtual users and WebSockets, each with one in flight. A deep pipeline is refilled when half of it has completed.
     * @default 1
     */
    pipelining?: number
    /**
     * HTTP version. `auto`: the server selects it over TLS (ALPN); for `http://` it is 1.1. With 2, `pipelining` is the number of streams per
     * connection.
     * @default '1.1'
     */
    http?: '1.1' | '2' | 'auto' | 1.1 | 2
    /**
     * The same as `http: '2'`.
     * @default false
     */
    http2?: boolean
    /**
     * Length of the run: seconds, or a time such as `1m30s`.
     * @default 10
     */
    duration?: number | string
    /**
     * End the run when a figure is precise enough, such as `p99 ±2%` (or `+-2%`), or when all thresholds are decided (`decided`): between 1 and 10
     * times the duration. At 95 % confidence; for avg, rps, bytes/s and percentiles below 100.
     */
    until?: string
    /**
     * Wait up to this time for a server that is still starting: seconds, or a time such as `60s`. The run starts after the first connection. Without
     * one, the promise rejects with `AC_NO_CONNECTION`.
     */
    wait?: number | string
    /** Exclude the start of the run from all results: seconds, or a time such as `2s`. The load is the same during that time. */
    skipFirst?: number | string
    /**
     * Send exactly this number of requests, or start exactly this number of iterations of users (`'1000 iterations'`), and end when they are completed.
     * The duration is ignored.
     */
    amount?: number | string
    /**
     * Length of a sample in milliseconds.
     * @default 1000
     */
    sampleInt?: number
    /**
     * The HTTP client that sends the requests: the built-in client, or undici, to measure what a Node.js service would see.
     * @default 'autocannon'
     */
    client?: 'autocannon' | 'undici'
    /**
     * The dispatcher of undici that sends the requests, with its interceptors, proxies and TLS settings: an Agent, a Pool, a ProxyAgent etc.; a
     * function that creates one; or the absolute path of a module that exports one of these (required with workers).
     */
    dispatcher?: Dispatcher | (() => Dispatcher | Promise<Dispatcher>) | string
    /** Measure these processes and their children during the run: `server` of the result. Their end ends the run. Linux only. */
    watch?: number | string | ReadonlyArray<number | string>
    /** Connect to this Unix socket or Windows named pipe. The URL still gives the Host header and the path. */
    socketPath?: string
    /**
     * Connect through this proxy: `http://`, `https://`, `socks5://` (names are resolved here) or `socks5h://` (by the proxy), with `user:password@`
     * if required. `'env'` reads `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; otherwise they are ignored.
     */
    proxy?: string | URL
    /**
     * Connect to an address and port instead of a host and port, as curl does: `'example.com:443:127.0.0.1:8443'`, or several. The Host header, the
     * server name for TLS and the URL stay. Parts may be empty; an IPv6 address needs brackets.
     */
    connectTo?: string | ReadonlyArray<string>
    /** Use these addresses for a host name and port: `'example.com:443:127.0.0.1,[::1]'`, or several; `*` is any host. */
    resolve?: string | ReadonlyArray<string>
    /**
     * Use IPv4 addresses only.
     * @default false
     */
    ipv4?: boolean
    /**
     * Use IPv6 addresses only.
     * @default false
     */
    ipv6?: boolean
    /**
     * Resolve a host name once per run and thread, or for each connection. Connections use its addresses round-robin.
     * @default once
     */
    dns?: 'once' | 'each'
    /** Connect from this address of this machine. Several are used round-robin. */
    localAddress?: string | ReadonlyArray<string>
    /** Time limit of a connection attempt, TLS included: seconds, or a time such as `500ms`. Default: the timeout. */
    connectTimeout?: number | string
    /** Number of worker threads. Connections and amount are divided among them; other options apply to each. Functions must be given as module paths. */
    workers?: number
    /** Let agents on other machines send the load, divided among them: a number, or all idle agents. Functions must be given as module paths. */
    agents?: number | 'all'
    /** The Redis that connects agents: `redis://` or `rediss://` (TLS). Default: the environment variable AUTOCANNON_REDIS. */
    redis?: string
    /**
     * Redis is a cluster; the URL is that of one node.
     * @default false
     */
    redisCluster?: boolean
    /**
     * Prefix of all keys in Redis.
     * @default autocannon
     */
    redisPrefix?: string
    /**
     * Time to wait until enough agents are idle: seconds, or a time such as `1m`.
     * @default 30
     */
    agentsTimeout?: number | string
    /** Threads of each agent, and so its share of the load: in the order of their names, or by name. Default: the number of its cores. */
    weights?: string | number | ReadonlyArray<number> | Readonly<Record<string, number>>
    /**
     * When an agent is lost: continue with the others, or stop with the result so far and an error.
     * @default continue
     */
    onAgentLoss?: 'continue' | 'stop'
    /** The folder of hooks and other modules: an agent has the same files below its own folder. Default: the current folder. */
    modules?: string
    /** Run a warm-up first; its result is `result.warmup`. Missing values are those of the run. */
    warmup?: { connections?: number, duration?: number | string }
    /**
     * The HTTP method.
     * @default GET
     */
    method?: string
    /**
     * Time limit of a request and of a connection attempt, in seconds. On timeout, the connection is closed; over HTTP/2, only the stream is reset.
     * @default 10
     */
    timeout?: number | string
    /** A name for the run, repeated in its result. */
    title?: string
    /** The body of the request. */
    body?: string | Uint8Array
    /** A multipart/form-data form: an object of fields, JSON of one, or the path of a JSON file. */
    form?: string | Form
    /** The headers of the request. An array sends a name several times. They replace default headers. */
    headers?: Headers
    /** The requests that each connection sends in order. Options are the defaults. */
    requests?: Array<Request | PauseAlone | SocketStep | Block>
    /**
     * An asynchronous function that is one iteration of a user, instead of `requests`; or what its module exports, or the path of that. Workers and
     * agents need the path.
     */
    user?: UserFunction | UserModule | string
    /** Other origins that user functions may send requests to, such as `https://auth.example`. */
    origins?: string | string[]
    /**
     * Requests that one user function has in flight at the same time at most: a connection for each over HTTP/1.1, a stream of one over HTTP/2.
     * @default 6
     */
    connectionsPerUser?: number
    /**
     * An exception of a user function aborts its iteration, and is counted. Without it, the run ends.
     * @default false
     */
    keepGoing?: boolean
    /** Scenarios of users, instead of `requests`. A user is a connection. It selects a scenario for each iteration by weight. */
    scenarios?: Scenario[]
    /**
     * Each user keeps one scenario. The weights determine how many users have it.
     * @default false
     */
    sticky?: boolean
    /** Maximum number of retries of a request after a 429, 502, 503 or 504, a connection that ends without a response, or a timeout; or an object. */
    retries?: number | Retries
    /**
     * Each connection stores the cookies of responses and sends them back, as a browser does; or an object.
     * @default false
     */
    cookies?: boolean | Cookies
    /**
     * Maximum number of consecutive redirects to follow, to the origins of the URLs. With 0, a redirect is a response.
     * @default 0
     */
    redirects?: number
    /**
     * Follow redirects to other origins, too, without credentials.
     * @default false
     */
    redirectsAnywhere?: boolean
    /** Think time between iterations, for scenarios without their own. */
    pause?: Pause
    /**
     * Minimum interval between starts of a user's iterations: seconds, or a time such as `'5s'`. A longer iteration is followed at once by the next
     * one.
     */
    every?: number | string
    /**
     * A parsed HAR, or the path of a HAR file: sends its requests to the origins of the URLs. Pages name their requests. Method, form and body are
     * ignored.
     */
    har?: object | string
    /**
     * Keep the recorded intervals between the requests of the HAR. Each connection replays the recording from a different position. Not with a rate.
     * @default false
     */
    harPauses?: boolean
    /**
     * With harPauses: how many times as fast as recorded. 2 halves the intervals.
     * @default 1
     */
    speed?: number
    /**
     * Data sources by name: the path of a `.csv`, `.tsv`, `.json`, `.ndjson` or `.jsonl` file, or an object. In path, headers, body and expectations,
     * `{{users.email}}` is the value of that column in the row of the iteration.
     */
    data?: Record<string, string | DataSource>
    /**
     * The requests that all connections share: the path of a file (lines of `METHOD URL` with headers and `@body-file` below them, a JSON object per
     * line, or a URL per line; `-` is standard input), or an array. Method, headers and body of the options are defaults.
     */
    targets?: string | Array<string | URL | ListedRequest>
    /**
     * The order of targets: in order, repeating; random, by `seed`; or each once, which ends the run.
     * @default order
     */
    pick?: 'order' | 'random' | 'once'
    /**
     * Replace each `[<id>]` in the body, path and headers of a request with a unique id.
     * @default false
     */
    idReplacement?: boolean
    /**
     * Send a unique trace id with each request (header `traceparent`, W3C Trace Context), to find the request in OpenTelemetry traces of the server.
     * A share, such as `1%`, marks that share of traces as sampled; `true` marks all. A request with its own header keeps it.
     */
    trace?: boolean | string
    /** The initial context of each iteration. */
    initialContext?: Context
    /** Called with the Client of each connection before it is opened: a function, or the path of a module that exports one. */
    setupClient?: SetupClient | string
    /** Called with the body of each response and the context of its iteration; a falsy result counts as a mismatch. */
    verifyBody?: VerifyBody | string
    /** Count each response with another body as a mismatch. */
    expectBody?: string | Uint8Array
    /** What each response must be. A response that differs is a failed check, in `result.checks`. */
    expect?: Expectation
    /** Called with each response: a function, or the path of a module that exports one. `false`, a reason, an Error or an exception is a failed check. */
    check?: Check | string
    /** Called with each event of a stream, as `check` is with each response. Counted as the check `checkEvent`. */
    checkEvent?: CheckEvent | string
    /**
     * Count requests without a name by method and path, in `result.byRequest`.
     * @default false
     */
    byRequest?: boolean
    /** End the run after this number of errors, mismatches and failed checks, with the result so far. */
    bailout?: number
    /** Send at most this number of requests on each connection. `amount` takes precedence. */
    maxConnectionRequests?: number
    /** Send at most this number of requests in total, but at least one per connection. With workers the limit holds for each worker, with agents for all agents together. */
    maxOverallRequests?: number
    /**
     * Requests per second in total, over all connections, workers and URLs; any free connection sends the next one. `'50 iterations/s'` starts 50
     * iterations of users per second, each on a free connection.
     */
    rate?: number | string
    /** Requests per second on each connection, evenly spaced. */
    connectionRate?: number
    /** Requests per second over all connections, evenly spaced. With workers the rate holds for each worker, with agents for all agents together. `connectionRate` takes precedence. */
    overallRate?: number
    /**
     * Change the load over time, in consecutive stages: texts such as `'30s:500/s'` (ramps to 500 requests/s within 30 s), `'0s:50/s'` (a jump),
     * `'30s:50iterations/s'` (to 50 iterations of user scenarios per second) and `'30s:200'` (to 200 connections), or objects. The run lasts as long
     * as all of them.
     */
    stages?: string | Stage | ReadonlyArray<string | Stage>
    /** Send a number of requests at once, repeated at an interval: `'100/5s'`, or `'100 iterations/5s'` for iterations of users. */
    burst?: string | { requests?: number, iterations?: number, every: number | string }
    /**
     * Send requests at the arrival times of a recorded trace, a file of CSV (`TIMESTAMP,ContextTokens,GeneratedTokens`) or JSON lines (`timestamp`,
     * `input_length`, `output_length`); `'trace.csv,speed=2'` is twice as fast. The body may use `{{trace.prompt}}`, `{{trace.input}}` and
     * `{{trace.output}}`. The run ends when all have their responses, unless a `duration` is given.
     */
    replay?: string | { file: string, speed?: number }
    /** With a rate: requests are evenly spaced, or random (a Poisson process). Default: even. */
    arrivals?: 'even' | 'poisson'
    /** Seed of all random choices: the same seed gives the same choices, with any number of workers. Default: 1. */
    seed?: number
    /**
     * `'native'` sockets serve many connections per call and time responses by their arrival in the kernel (Linux, without TLS); `'node'` are those
     * of Node.js. Default: native if available.
     */
    sockets?: 'native' | 'node'
    /** End of a response: when the kernel received its last bytes (native sockets), or when they are read. Default: arrival. */
    clock?: 'arrival' | 'read'
    /**
     * With a rate: `'even'` sends each request within microseconds of its time and uses up to one core; `'batched'` sends once per millisecond and
     * uses little CPU time. Default: even if a core is free.
     */
    pace?: 'even' | 'batched'
    /**
     * With a rate: latency starts at the write, not at the time at which a request was due.
     * @default false
     */
    ignoreCoordinatedOmission?: boolean
    /** Latency percentiles to show, such as `[50, 95, 99.9]` or `'50,95,99.9'`; they are added to the result, too. */
    percentiles?: number[] | string
    /** Reconnect after this number of requests. */
    reconnectRate?: number
    /**
     * Exclude responses other than 2xx from latency and bytes.
     * @default false
     */
    excludeErrorStats?: boolean
    /**
     * Repeat the run until `stop()`. Each run emits `start` and `done`.
     * @default false
     */
    forever?: boolean
    /**
     * Request compressed responses (`Accept-Encoding: gzip, br`, and `zstd` from Node.js 24 on), unless a header sets Accept-Encoding. Bodies are
     * decoded for hooks and checks only.
     * @default false
     */
    compressed?: boolean
    /** The server name for TLS (SNI). Default: the host of the URL unless it is an address. */
    servername?: string
    /**
     * `true`: do not verify the certificate of the server; `false`: verify it, with the authorities of Node.js or those of `ca` in `tlsOptions`. By
     * default, `tlsOptions` decide.
     */
    insecure?: boolean
    /** The lowest TLS version to offer. Default: 1.2, or 1.0 when `tlsMax` is below that. */
    tlsMin?: '1.0' | '1.1' | '1.2' | '1.3' | number
    /** The highest TLS version to offer. Default: 1.3. */
    tlsMax?: '1.0' | '1.1' | '1.2' | '1.3' | number
    /** Ciphers to offer, by OpenSSL name, separated by `:`, with suites of TLS 1.3. */
    ciphers?: string
    /** ALPN protocols to offer, as an array or separated by commas; `'none'` or `[]` offers nothing. */
    alpn?: string | string[]
    /**
     * Each connection after the first resumes the last TLS session of its server, per thread.
     * @default false
     */
    tlsSessionReuse?: boolean
    /**
     * Passed to `tls.connect`; overrides `tlsMin`, `tlsMax`, `ciphers` and `alpn`. Certificates are verified only if `rejectUnauthorized` or `ca` is
     * given.
     */
    tlsOptions?: ConnectionOptions
    /** Requirements for the result: `'p99 < 50ms'`, `'failure rate < 1%'`, or `'login: p95 < 100ms'` for a named request. */
    thresholds?: ThresholdOption | ThresholdOption[]
    /**
     * Fail the run if the load generator was overloaded: the same as the threshold `generator <= busy`.
     * @default false
     */
    strict?: boolean
    /**
     * Resolve with the raw result, to be merged later with others by `aggregateResult`.
     * @default false
     */
    skipAggregateResult?: boolean
    /**
     * Measure what arrives inside each response: Server-Sent Events, lines of NDJSON, or chunks, which is what each read brings. The timeout is
     * then a limit to the first byte. A 2xx response of another type is a failed check.
     */
    stream?: 'sse' | 'ndjson' | 'chunks' | 'openai'
    /**
     * With `stream`: close each stream after this time, such as `30s`, and count it as completed. Over HTTP/1.1 its connection is reopened, over
     * HTTP/2 the stream is reset.
     */
    streamFor?: number | string
    /** With `stream`: close each stream after this number of events, and count it as completed. */
    events?: number
    /**
     * With `stream: 'sse'`: continue a stream that ended or was cut, as an EventSource of a browser does. After this time, such as `3s`, or the
     * `retry` of the stream, the same request follows with Last-Event-ID. Status 204 ends it.
     */
    streamReconnect?: number | string
    /**
     * With `stream`: a gap between two events that is longer than this counts as a stall.
     * @default 1
     */
    stall?: number | string
    /** With `stream`: time limit from the first byte of a response to its first event, and between events. Default: the timeout. */
    idleTimeout?: number | string
    /**
     * With a `ws://` URL: which message responds to one that was sent. `next`: responses come in order. `json id`: the one with the same id in its
     * JSON. A function: the one for which it returns true. It may be given as the path of a module that exports it.
     * @default 'next'
     */
    match?: string | MatchMessage
    /**
     * With a `ws://` URL: count and time messages that respond to nothing, in `streams` of the result: the gap between two of them. Without a body
     * the connections listen only.
     * @default false
     */
    receive?: boolean
    /**
     * With `receive`: measure the age of those messages, from the time at this path of their JSON, in ms since 1970, such as `json sentAt`. The clock
     * of the sender has to agree with that of this machine.
     */
    age?: string
    /**
     * With a `ws://` URL: send a ping on each connection once per this time, such as `30s`, and measure its round trip. A ping without a response
     * within the timeout ends its connection.
     */
    ping?: number | string
    /** With a `ws://` URL: subprotocols that are offered, the preferred one first. A server that chooses none of them fails the handshake. */
    subprotocol?: string | ReadonlyArray<string>
  }

  /** Returns whether a received message responds to one that was sent. */
  type MatchMessage = (sent: string, received: string) => boolean

  /** A part of a run with a linear change of the load to `rate` (requests per second in total) or to `connections`: one of the two. */
  interface Stage {
    /** Length: seconds, or a time such as `'1m30s'`; 0 for a jump. */
    duration: number | string
    /** Requests per second, or iterations: `'50 iterations/s'`. */
    rate?: number | string
    connections?: number
    /** Name, in addition to its number. */
    name?: string
  }

  /** With `abortOn`, the run ends as soon as the threshold can't be met any more. */
  type ThresholdOption = string | { threshold: string, abortOn?: boolean }

  type Headers = Record<string, string | number | boolean | ReadonlyArray<string | number | boolean> | undefined | null>

  /** An object that lasts for one iteration of the requests. */
  type Context = Record<string, any>

  interface Request {
    /** Overrides `method` of the options. */
    method?: string
    /** Overrides the path of the URL. */
    path?: string
    /** Instead of `path`, of a user: a URL of another origin, which `url` or `origins` of the options have. */
    url?: string
    /** Merged with `headers` of the options, which they override. */
    headers?: Headers
    /** Overrides `body` of the options. */
    body?: string | Uint8Array
    /** Instead of `body`: a value, sent as JSON with its Content-Type. Without `method` the request is a POST. */
    json?: unknown
    /** Instead of `body`: names and values, sent URL-encoded. Without `method` the request is a POST. */
    form?: Record<string, string | number | boolean | ReadonlyArray<string | number | boolean>>
    /** Instead of `body`: names and texts, or files such as `{ type: 'file', path: './photo.png' }`. */
    multipart?: Record<string, string | number | boolean | FormText | FormFile>
    /** Called with a fresh request before it is sent; returns the one to send. A falsy result restarts the sequence. */
    setupRequest?: SetupRequest | string
    /** Called when the response is complete. */
    onResponse?: OnResponse | string
    /** Name of its results in `result.byRequest`. */
    name?: string
    /** Merged with `expect` of the options, which it overrides. */
    expect?: Expectation
    /** Overrides `check` of the options. */
    check?: Check | string
    /** Overrides `checkEvent` of the options. */
    checkEvent?: CheckEvent | string
    /** Think time after the response. */
    pause?: Pause
    /** Values of the response, by their names in the context of the iteration. A missing one fails the check `capture NAME` and aborts the iteration. */
    capture?: Record<string, Capture | CaptureOptions>
    /** Overrides `retries` of the options; 0 for none. */
    retries?: number | Retries
    /**
     * Sent in the first iteration of a user only, such as a login; again in the next one if it had no response, or a captured value was missing. Its
     * captured values, and what its hooks put into the context, stay for later iterations of the scenario. Such requests come before all others.
     * @default false
     */
    once?: boolean
    /**
     * With the option `stream`: whether the response is one. A login before it is none.
     * @default true
     */
    stream?: boolean
  }

  /**
   * The source of a value: `'json user.id'`, `'header location'`, `'cookie sid'` (set by the response), `"html 'input[name=csrf]' attr value"` (needs the
   * package cheerio), `'status'`, `'body'`; a pattern for the body, of which the first group is used, or the whole match (as a text: `'/id=(\\d+)/'`); or
   * a function, or the path of a module that exports one. Of an event of a stream: `'event 1'`, `'event last json id'`, `'event 2 /id=(\\d+)/'`,
   * `'event last id'`, `'event last type'`. `'json items[*].id pick random'` is a random element of a list, `'/id=(\\d+)/ all'` the list of
   * all matches.
   */
  type Capture = string | RegExp | ((response: CheckedResponse) => unknown)

  interface CaptureOptions {
    from: Capture
    /** The value if there is none in the response. */
    default?: unknown
    /**
     * The value is the list of all matches of a pattern, or of all elements of html.
     * @default false
     */
    all?: boolean
    /** The value is a random element of the list, by `seed`. An empty list is a missing value. */
    pick?: 'random'
  }

  /** When a request is sent again. Each attempt is a request; checks, hooks and named requests see the last response. */
  interface Retries {
    /** Maximum number of retries. */
    times: number
    /**
     * Statuses, classes such as `'5xx'` and codes of errors such as `'AC_CLOSED'`.
     * @default 429, 502, 503, 504, AC_CLOSED, AC_TRUNCATED, AC_TIMEOUT, ECONNRESET, EPIPE and ETIMEDOUT
     */
    on?: number | string | ReadonlyArray<number | string>
    /** Before each attempt, not part of any latency. Default: `Retry-After` of the response, 30 s at most, or none. */
    pause?: Exclude<Pause, Function>
  }

  /** The cookies of a connection. */
  interface Cookies {
    /**
     * Whether each iteration starts without cookies. `round` is accepted for `iteration`.
     * @default 'iteration' with scenarios, 'connection' without, and where a request is sent `once`
     */
    keep?: 'iteration' | 'round' | 'connection'
    /** Initial cookies: names and values, or `Set-Cookie` lines, such as `'name=value; Path=/shop'`. */
    start?: Record<string, string | number> | ReadonlyArray<string>
  }

  /**
   * One iteration of a user. A request that comes to nothing and is not caught aborts the iteration; an exception of the function itself ends the run,
   * unless `keepGoing` is set. The iteration ends when the function has returned and its requests have their responses.
   */
  // Not unknown, which TypeScript holds to return something where a comment gives the type of a function.
  type UserFunction = (iteration: Iteration) => any

  /** What a module with a user function exports. */
  interface UserModule {
    default: UserFunction
    /** Options of the run: `autocannon run` reads them. */
    options?: Options | Record<string, any>
    /** Once, before the load. What it returns is `setup` of every iteration, also in workers and on agents: plain data. */
    setup?: UserFunction
    /** Once for each user, before its first iteration. What it returns is `user.state` of its iterations. */
    user?: UserFunction
    /** Once, after the load, also if it was interrupted. */
    teardown?: UserFunction
  }

  /** What a user function is given. */
  interface Iteration {
    http: Http
    /** Opens a WebSocket: a path of the URL of the run, or a URL of an origin that the run may load. */
    ws (url: string | URL, options?: WebSocketOptions): Promise<WebSocketConnection>
    /** Think time, in no latency: seconds or a time such as `'1s'`; two for a random time between them. */
    pause (from: number | string, to?: number | string): Promise<void>
    /** Counts each check as passed or failed: a value, or a function of `value` that returns one or throws. Returns whether all passed. */
    check<T> (value: T, checks: Record<string, ((value: T) => unknown) | object | string | number | boolean | null | undefined>): boolean
    /** Its row of each source of `data`, by the name of the source. */
    data: Record<string, any>
    random: Random
    /** A copy of `initialContext`, with captured values. */
    context: Context
    /** What `setup` of the module has returned. */
    setup: any
    /** The number of this iteration of the user, from 0. */
    iteration: number
    user: {
      /** Of all users of the run, from 0. */
      number: number
      /** What `user` of the module has returned. */
      state: any
    }
    /** A line on stderr, or the event `log`, as `console.log` formats it; at most 1,000 lines for each thread. */
    log (...details: unknown[]): void
    /** Runs a part of the iteration. `result.groups` has how long it took. */
    group<T> (name: string, run: () => T | Promise<T>): Promise<T>
    /** Aborted when the run ends. */
    signal: AbortSignal
  }

  /** Requests of a user. A path is that of the URL of the run; another origin has to be named by `origins`. */
  interface Http {
    get (url: string | URL, options?: HttpOptions): Promise<HttpResponse>
    head (url: string | URL, options?: HttpOptions): Promise<HttpResponse>
    post (url: string | URL, options?: HttpOptions): Promise<HttpResponse>
    put (url: string | URL, options?: HttpOptions): Promise<HttpResponse>
    patch (url: string | URL, options?: HttpOptions): Promise<HttpResponse>
    delete (url: string | URL, options?: HttpOptions): Promise<HttpResponse>
    request (method: string, url: string | URL, options?: HttpOptions): Promise<HttpResponse>
    /** For a loop: `for await (const event of http.stream('/events'))`. Awaited, it is the head of the response. */
    stream (url: string | URL, options: StreamOptions & { stream: 'sse' | 'openai' }): HttpStream<ServerSentEvent>
    stream (url: string | URL, options: StreamOptions & { stream: 'chunks' }): HttpStream<Buffer>
    stream<T = any> (url: string | URL, options?: StreamOptions): HttpStream<T>
  }

  /** A loop reads its events; `break` closes it. The promise is that of its head, or of a response that is no stream. */
  interface HttpStream<T> extends Promise<StreamResponse<T>>, AsyncIterable<T> {}

  /** Of a stream the body is not known: a loop reads it. `timings` are those of its head. */
  interface StreamResponse<T> extends HttpResponse, AsyncIterable<T> {
    /** Closes the stream in order, as `break` does. */
    close (): Promise<void>
  }

  interface WebSocketOptions {
    /** Headers of the handshake, merged with `headers` of the options. */
    headers?: Headers
    query?: HttpOptions['query']
    auth?: HttpOptions['auth']
    /** Names that are offered. Of several, the server has to choose one: `protocol` of the socket. */
    subprotocols?: string | string[]
    /** Overrides `timeout` of the options: of the handshake, of messages that have no other, and of pings. */
    timeout?: number | string
    /** The name of its messages in results, where they have no other. */
    name?: string
    /** Which message is the response to another one. @default 'next' */
    match?: WebSocketMatch
    /** Offers permessage-deflate. */
    compressed?: boolean
    /** Whether it lasts as long as the user, and not as the iteration. @default true in the export `user` */
    keep?: boolean
  }

  /** The next message, the one with the same value at a path of its JSON, or the one for which a function returns true. */
  type WebSocketMatch = 'next' | `json ${string}` | ((received: WebSocketMessage) => boolean)

  /** A loop reads messages that respond to nothing: `for await (const message of socket)`. */
  interface WebSocketConnection extends AsyncIterable<WebSocketMessage> {
    readonly url: string
    /** The subprotocol that the server has chosen; null for none. */
    readonly protocol: string | null
    /** How it was closed, null while it is open. */
    readonly closed: { code: number, reason: string } | null
    /** Sends a message and waits for its response: a request in all results. An object is sent as JSON. */
    request (message: string | Uint8Array | object, options?: WebSocketRequestOptions): Promise<WebSocketResponse>
    /** Sends a message without a response, which is no request. Resolves when it is written. */
    send (message: string | Uint8Array | object): Promise<void>
    /** Its round trip in ms. */
    ping (): Promise<number>
    /** Closes it, once no message is in flight. @default 1000 */
    close (code?: number, reason?: string): Promise<void>
  }

  interface WebSocketMessage {
    type: 'text' | 'binary'
    body: Buffer
    text (): string
    /** It as JSON, or the value at a path such as `items[0].id`. Throws if it is not JSON. */
    json (path?: string): any
  }

  interface WebSocketResponse extends WebSocketMessage {
    /** Of the message that it responds to. */
    readonly name: string | undefined
    timings: { duration: number }
  }

  interface WebSocketRequestOptions {
    match?: WebSocketMatch
    timeout?: number | string
    name?: string
    /** What is expected of the response: `body`, `json`, `maxBytes` and `maxMs`. */
    expect?: Omit<Expectation, 'status' | 'headers' | 'events'>
    check?: (response: WebSocketResponse) => unknown
    capture?: HttpOptions['capture']
  }

  /** A Server-Sent Event. */
  interface ServerSentEvent {
    /** `message` where the server names none. */
    type: string
    data: string
    /** The last `id` so far; empty for none. */
    id: string
    /** Its data as JSON, or the value at a path such as `choices[0].delta.content`. Throws if it is not JSON. */
    json (path?: string): any
  }

  interface StreamOptions extends Omit<HttpOptions, 'check' | 'capture' | 'compressed'> {
    /**
     * What an event is: a `ServerSentEvent`, the value of a line of NDJSON, or the bytes that a read brings. `openai` is a completion of an
     * OpenAI-compatible server: its tokens are counted, and one that has failed rejects the loop with its code.
     * @default by the Content-Type: text/event-stream, application/x-ndjson or application/jsonl; `chunks` for another one
     */
    stream?: 'sse' | 'ndjson' | 'chunks' | 'openai'
    /** @default GET, and POST with `openai` */
    method?: string
    /** Overrides `idleTimeout` of the options: from the first byte to the first event, and between events. */
    idleTimeout?: number | string
  }

  interface HttpOptions {
    /** Merged with `headers` of the options, which they override. */
    headers?: Headers
    body?: string | Uint8Array
    /** A body of JSON. */
    json?: unknown
    /** A body of URL-encoded fields. */
    form?: string | URLSearchParams | Record<string, unknown>
    /** A body of multipart/form-data: a text, or `{ type: 'file', path }` and `{ type: 'text', value }`. */
    multipart?: Record<string, string | number | { type: 'text' | 'file', value?: string, path?: string, options?: Record<string, unknown> }>
    query?: string | URLSearchParams | Record<string, unknown>
    /** `'user:password'`, `{ user, password }` or `{ bearer }`. */
    auth?: string | { user: string, password?: string } | { bearer: string }
    /** Name of its results in `result.byRequest`: what it does, without ids. */
    name?: string
    expect?: Expectation
    /** Counted as the check `check`. Returns true or a value; false, a text with the reason, or an Error if it failed. */
    check?: (response: HttpResponse) => unknown
    /** Values of the response that become part of `context`. A missing one rejects the promise with AC_CAPTURE. */
    capture?: Record<string, Capture | CaptureOptions>
    /** Overrides `timeout` of the options. */
    timeout?: number | string
    /** How many redirects are followed. Overrides `redirects` of the options; `true` for 10. */
    redirects?: number | boolean
    /** Overrides `retries` of the options. */
    retries?: number | Retries
    /** Requests a compressed body, which is decompressed when it is read. */
    compressed?: boolean
  }

  interface HttpResponse {
    status: number
    /** Whether the status is 200 to 299. */
    ok: boolean
    /** By lower-case name; an array if there are several. */
    headers: Readonly<Record<string, string | string[]>>
    header (name: string): string | undefined
    /** The value of a cookie that this response sets. */
    cookie (name: string): string | undefined
    body: Buffer
    /** The body by its charset. */
    text (): string
    /** The body as JSON, or the value at a path such as `items[0].id`. Throws if the body is not JSON. */
    json (path?: string): any
    /** What cheerio finds by a CSS selector: `page.html('input[name=csrf]').attr('value')`. Needs the package cheerio. Throws for a page of more than 2 MiB, 40,000 tags or 1,000 nested elements. */
    html (selector?: string): any
    /** Of the request, or of the last redirect that was followed. */
    url: string
    name: string | undefined
    /** ms: until the response was complete, and until its first byte. */
    timings: { duration: number, firstByte: number }
  }

  /** Seeded by the option `seed`: the same numbers in each run. */
  interface Random {
    /** 0 to 1, without 1. */
    (): number
    /** A whole number, both bounds included. */
    int (from: number, to: number): number
    pick<T> (list: ArrayLike<T>): T
    /** `n` different elements, or all if there are fewer. */
    sample<T> (list: ArrayLike<T>, n: number): T[]
    shuffle<T> (list: ArrayLike<T>): T[]
  }

  /** A pause at its position in a list of requests. */
  interface PauseAlone { pause: Pause }

  /**
   * Seconds or a time such as `'1s'`; two of them for a uniform distribution; the mean of an exponential distribution; or a function of the context,
   * or the path of its module, that returns a time.
   */
  type Pause = number | string | readonly [from: number | string, to: number | string] | { exponential: number | string } | ((context: Context) => number | string)

  /** The requests of a user in an iteration. */
  /** Conditions, loops and parallel requests. An expression is text such as `"status == 200 and cart.items.length > 0"`. */
  type Block =
    /** `requests` if the expression is true, otherwise those of `else`. */
    | { if: string | boolean, requests: Array<Request | PauseAlone | SocketStep | Block>, else?: Array<Request | PauseAlone | SocketStep | Block> }
    /** A number, or an expression of one. */
    | { repeat: number | string, requests: Array<Request | PauseAlone | SocketStep | Block> }
    /** As long as the expression is true, `max` times at most: the iteration is aborted if it is still true then. */
    | { while: string | boolean, max: number, requests: Array<Request | PauseAlone | SocketStep | Block> }
    /** Such as `'items as item'`: each element of a list, as `{{item.id}}`. */
    | { forEach: string, requests: Array<Request | PauseAlone | SocketStep | Block> }
    /** Sent at the same time: requests, other blocks, or lists of them. */
    | { parallel: Array<Request | SocketStep | Block | { requests: Array<Request | PauseAlone | SocketStep | Block> }> }

  /** An entry that opens, uses or closes the WebSocket of the iteration. */
  type SocketStep = OpenSocket | SendMessage | ReceiveMessages | CloseSocket

  interface OpenSocket {
    /** A path, or a URL of an origin that `url` or `origins` have. A WebSocket of its name that was opened before is closed. */
    ws: string
    /** Its name, for `on` and `close`, where there are several. One before of that name is closed. */
    as?: string
    /** Headers of the handshake, merged with those of the options. */
    headers?: Headers
    subprotocols?: string | string[]
    /** Name of its messages that have no other. */
    name?: string
    /** Overrides the timeout of the run: of the handshake, and of messages. */
    timeout?: number | string
    /**
     * Default for messages: which one is the response, `'next'`, `'json id'` or `'none'`.
     * @default next
     */
    match?: string
    /**
     * Whether compression is offered (permessage-deflate).
     * @default false
     */
    compressed?: boolean
  }

  interface SendMessage {
    /** A text, bytes, or a value that is sent as JSON. */
    send: string | Uint8Array | object
    /** The name of its WebSocket; without it, that without a name. */
    on?: string
    /** Overrides that of `ws`. With `'none'` it has no response. */
    match?: string
    name?: string
    /** Overrides that of `ws`. */
    timeout?: number | string
    expect?: Expectation
    check?: Check | string
    capture?: Record<string, Capture | CaptureOptions>
    pause?: Pause
  }

  /** Waits for messages that respond to nothing. It is a request in all figures: its latency is the time that it waits. */
  interface ReceiveMessages extends Omit<SendMessage, 'send' | 'match'> {
    /** `'next'` for any message, or an expression such as `"json type == 'price'"`. */
    receive: string
    /**
     * Number of messages: it is complete with the last one, which is checked and captured.
     * @default 1
     */
    count?: number
  }

  /** Closes a WebSocket in the middle of an iteration: `'ws'`, or its name. At the end of the iteration it is closed anyway. */
  interface CloseSocket { close: string }

  interface Scenario {
    /** Name in results; required with several scenarios. */
    name?: string
    /**
     * Relative share of iterations.
     * @default 1
     */
    weight?: number
    /** Either these, or `user`. */
    requests?: Array<Request | PauseAlone | SocketStep | Block>
    /** An iteration as a function, its module or the path of that. */
    user?: UserFunction | UserModule | string
    /** The function that the module `user` exports under this name, instead of its default. */
    exec?: string
    /** Sent once, before the load. Captured values are in the context of each iteration. */
    setup?: Array<Request | PauseAlone | SocketStep | Block>
    /** Sent once, after the load, also if it was interrupted. */
    teardown?: Array<Request | PauseAlone | SocketStep | Block>
    /** Between its iterations; overrides `pause` of the options. */
    pause?: Pause
    /** Overrides `every` of the options. */
    every?: number | string
    /**
     * Its own number of users: it then runs in parallel with the others. With a rate, the default is one per iteration or request per second: 10 to
     * 1,000.
     */
    connections?: number
    /** Its own rate: iterations per second such as `'50 iterations/s'`, or requests per second. */
    rate?: number | string
    /** Its own stages, of a rate or of connections, such as `'30s:200'`. Users then join and leave, starting at `connections`, or at none. */
    stages?: string | Stage | ReadonlyArray<string | Stage>
  }

  /** Missing keys are not checked. */
  interface Expectation {
    /** A code, a class such as `'2xx'`, or several of them. */
    status?: number | string | ReadonlyArray<number | string>
    /** By name, in any case of letters: the value, a pattern for it, or whether there is such a header at all. Of an array, all hold. */
    headers?: Record<string, string | number | RegExp | boolean | ReadonlyArray<string | number | RegExp | boolean>>
    /** All of it, a pattern, or texts that are in it. */
    body?: string | Uint8Array | RegExp | { includes: string | string[] }
    /** Values by path, such as `{ 'items[0].id': 42 }`: equal, matching or accepted by a function. Or a function of all of it. */
    json?: Record<string, unknown> | ((value: any) => boolean)
    /** Of the body. */
    maxBytes?: number
    /** Latency. */
    maxMs?: number
    /** Of a stream: how many events it has, or an object. */
    events?: number | ExpectedEvents
  }

  /** Missing keys are not checked. Judged when a stream has ended, also when `events` or `streamFor` closed it. */
  interface ExpectedEvents {
    min?: number
    max?: number
    /** Each event has this. */
    each?: WantedOfEvent
    /** At least one event has this. */
    some?: WantedOfEvent
    first?: WantedOfEvent
    last?: WantedOfEvent
  }

  /** A text that is in the data of an event, a pattern, or values of its JSON by path. */
  type WantedOfEvent = string | RegExp | Record<string, unknown>

  interface StreamEvent {
    /** `message` where a Server-Sent Event names none; `line` or `chunk` of other streams. */
    readonly type: string
    /** Its text. Several lines of data are joined by line breaks. */
    readonly data: string
    /** The last id that the stream has sent; empty for none. */
    readonly lastEventId: string
    /** Of the stream, from 1. */
    readonly index: number
    /** Since the request was due (with a rate) or sent. */
    readonly ms: number
    /** The data, parsed. Throws when it is no JSON, which is a failed check. */
    json (): any
  }

  /** A text is a reason for which the check has failed. It has to return at once. */
  type CheckEvent = (event: StreamEvent, context: Context) => CheckVerdict

  /** Headers, body and JSON can be read only while the check runs. */
  interface CheckedResponse {
    readonly status: number
    /** By lower-case name; repeated ones as an array. */
    readonly headers: Readonly<Record<string, string | string[]>>
    /** The fields after the body (RFC 9110 §6.5), likewise; empty for none. */
    readonly trailers: Readonly<Record<string, string | string[]>>
    readonly body: string
    /** The body, valid while the check runs; with `compressed` without its Content-Encoding. */
    readonly bytes: Buffer
    /** Bytes of the body as it came. */
    readonly size: number
    /** Latency. */
    readonly ms: number
    /** The request. Generated ids appear as `[<id>]`. */
    readonly request: { name?: string, method: string, path: string, headers: Record<string, string | string[]>, body?: string | Uint8Array }
    /** The body, parsed. Throws when it is no JSON, which is a failed check. */
    json (): any
  }

  /** A text is a reason for which the check has failed. */
  type CheckVerdict = boolean | string | Error
  /** A promise only in the requests of scenarios. */
  type Check = (response: CheckedResponse, context: Context) => CheckVerdict | Promise<CheckVerdict>

  interface MutableRequest {
    method: string
    path: string
    headers: Record<string, any>
    body?: string | Uint8Array
  }

  type MadeRequest = MutableRequest | null | undefined | false
  /** A promise only in the requests of scenarios. */
  type SetupRequest = (request: MutableRequest, context: Context) => MadeRequest | Promise<MadeRequest>
  /** `headers` has names as received; repeated ones have an array. An Error that it returns is a failed check. */
  type OnResponse = (status: number, body: string, context: Context, headers: Record<string, string | string[]>) => unknown
  type SetupClient = (client: Client) => void
  /** An Error that it returns is the reason of a mismatch. */
  type VerifyBody = (body: string, context: Context) => unknown

  type Form = Record<string, FormText | FormFile>
  /** Rows of data: those of a file, or given here. */
  interface DataSource {
    /** `.csv`, `.tsv`, `.json`, `.ndjson` or `.jsonl`. */
    file?: string
    /**
     * What separates the values of a `.csv` or `.tsv` file: one character.
     * @default , or a tab
     */
    separator?: string
    /** Objects that have the names of the first one, or single values. */
    rows?: ReadonlyArray<unknown>
    /**
     * The row of an iteration: the next one in order, repeating; a random one, by `seed`; each once, over all connections and workers; or the same one for
     * the whole run of a connection.
     * @default order
     */
    pick?: 'order' | 'random' | 'once' | 'connection'
    /**
     * With `once`, what ends when all rows have been used: the run, or only the scenarios that use them.
     * @default run
     */
    end?: 'run' | 'scenario'
  }

  /** One of `targets`. As a text it is a URL, or a method and a URL: `'POST http://localhost:3000/users'`. */
  interface ListedRequest {
    /** Overrides `method` of the options. */
    method?: string
    /** A path is one of the server that the option `url` names. */
    url: string | URL
    /** Merged with `headers` of the options, which they override. */
    headers?: Headers
    /** Overrides `body` of the options. */
    body?: string | Uint8Array
  }

  interface FormOptions { filename?: string, filepath?: string, contentType?: string, knownLength?: number, header?: object }
  interface FormText { type: 'text', value: string, options?: FormOptions }
  interface FormFile { type: 'file', path: string, options?: FormOptions }

  type Callback<T = Result> = (error: Error | null, result?: T) => void

  interface InstanceEvents {
    /** The warm-up begins. */
    warmup: [{ connections: number, duration: number }]
    /** All connections are being opened. */
    start: []
    /** A sample has ended. */
    tick: [Tick]
    /** A point of the series is complete: a sample, or as many as fill 100 ms. */
    sample: [SeriesPoint]
    /** A response is complete. With workers the client is undefined: it lives in another thread. `responseTime` is ms. */
    response: [client: Client | undefined, statusCode: number, resBytes: number, responseTime: number]
    /** A request failed or timed out, or found no connection. */
    /**
     * What the run waits for, or has trouble with: agents, a Redis that is away. Also options that have no effect.
     * Without a listener it is a warning of the process.
     */
    notice: [sentence: string]
    /** What a user function logs. */
    log: [line: string]
    reqError: [error: Error & { code?: string }]
    /** A body was not as `expectBody` or `verifyBody` want it. */
    reqMismatch: [body: string]
    /** A step of `autocannon.find` has ended, what is tried `next` (null when the search ends), and the range so far. */
    step: [step: SearchStep & { next: { value: number, attempt: number } | null, best: number | null, above: number | null }]
    /** The run, or one run of `forever`, is over. */
    done: [result: Result]
    /** The run could not be set up, or a hook failed. */
    error: [error: Error]
  }

  /** What undici and its like have: an Agent, a Client, a Pool … */
  interface Dispatcher {
    dispatch: (options: any, handler: any) => boolean
  }

  interface Tick {
    /** Requests completed in this sample. */
    counter: number
    /** Bytes read in this sample; null through undici. */
    bytes: number
    /** Length of the sample in ms. */
    length: number
    /** 99th percentile of all latencies so far, in ms. */
    p99: number
    /** State of the load generators in this sample. */
    generator: GeneratorHealth
    /** Connections that are open. */
    connections: number
    /** Requests that wait for a response. */
    inFlight: number
    /** Iterations of users that have ended so far; absent without users. */
    iterations?: number
    /** With `until`: the current precision of its figure. `width` is half of the interval, relative to the figure; null while unknown. */
    until?: { metric: string, width: number | null, target: number }
  }

  /** The processes of a watched server, all together. null: unknown. */
  interface ServerPoint {
    /** How many there were. */
    processes: number | null
    /** Cores: 1 is one of them, busy all the time. */
    cpu: number | null
    /** Bytes of memory. Pages that several processes have in common count for each. */
    rss: number | null
    threads: number | null
    /** Open files, sockets among them. */
    files: number | null
    /** 0 to 1, of that Node.js process below `--on-port` which has most of it, as are those that follow. */
    eventLoopUtilization: number | null
    /** ms by which timers of the server were late, on average. */
    eventLoopDelay: number | null
    /** The same at most. */
    eventLoopDelayMax: number | null
    /** Bytes. */
    heapUsed: number | null
    /** The part of the time that garbage collection took, 0 to 1. */
    gc: number | null
  }

  interface ServerFigure {
    /** Over the run. */
    average: number
    /** Of one sample; of a delay, of one timer. */
    max: number
  }

  /** A watched server over the run. null: unknown. */
  type ServerFigures = Record<'processes' | 'cpu' | 'rss' | 'threads' | 'files' | 'eventLoopUtilization' | 'eventLoopDelay' | 'heapUsed' | 'gc', ServerFigure | null>

  /** What happened between two points in time, over all load generators. */
  interface SeriesPoint {
    /** ms since the start, where it begins. */
    time: number
    /** ms */
    length: number
    /** Requests completed. */
    requests: number
    /** Bytes read; null through undici. */
    bytes: number
    /** Responses other than 2xx. */
    non2xx: number
    /** Requests that did not get what they should. */
    failures: number
    errors: number
    /** Errors by code. */
    errorCodes: Record<string, number>
    /** How often a request was sent again. */
    resent: number
    /** Redirects that were followed, a part of `non2xx`. Absent if there are none. */
    redirects?: number
    /** With `stages`: requests per second that were due in it, on average, or connections that there were to be at its end. */
    target?: number
    /** With `stages`: connections that were open at its end. */
    connections?: number
    /** Latency in ms; null when no request ended. */
    average: number | null
    p50: number | null
    p95: number | null
    p99: number | null
    max: number | null
    /** p99 of the delay of reads after the arrival of responses in the kernel, in ms. Absent without known arrivals. */
    readLate?: number
    /** The busiest load generator's share of a core, 0 to 1. */
    cpu: number
    /** The busiest load generator's event loop, 0 to 1. */
    eventLoopUtilization: number
    /** CPU wait (run-queue delay) of a load generator as a share of the time, 0 to 1; null where unknown (Linux only). */
    runDelay: number | null
    /** The share of the time in which single iterations of a load generator's event loop blocked everything else, 0 to 1. */
    blocked: number
    /** Where a server is watched: what it did; null where it was not looked at. */
    server?: ServerPoint | null
    /** With the option `stream`: the events in it. */
    streams?: StreamsPoint
    /** Of the worst load generator, over up to a second; null before half a second is known, and in results of older versions. */
    verdict: GeneratorVerdict | null
  }

  /** ms. */
  interface StreamQuantiles {
    p50: number
    p95: number
    p99: number
    max: number
    /**
     * How many values there are from each edge in ms to the next one, without empty buckets, rising. The edges are 0, and 1, 1.5, 2, 3, 5 and 7 of each decade from
     * 0.1 ms to 100 s; absent in results of older versions.
     */
    buckets?: Array<[from: number, count: number]>
  }

  interface StreamsPoint {
    events: number
    stalls: number
    /** Null where no stream had its first event. */
    firstEvent: StreamQuantiles | null
    /** Null where no event followed another one. */
    gap: StreamQuantiles | null
    /**
     * With `stream: 'openai'`: the tokens that arrived in it. A server reports them at the end of a completion, so these are deltas, times the tokens per delta of the
     * completions that have ended until then.
     */
    tokens?: number
    /** With `stream: 'openai'`; null where no completion had its first token. */
    firstToken?: StreamQuantiles | null
    /** With `stream: 'openai'`; null where no event with tokens followed another one. */
    interToken?: StreamQuantiles | null
  }

  /** From best to worst. */
  type GeneratorVerdict = 'healthy' | 'busy' | 'starved' | 'saturated'

  /**
   * Why a load generator was not healthy: other processes used its core, its CPU quota was used up, the host took its core (steal), timers were late, garbage
   * collection or another long iteration blocked its event loop, it stalled, the server runs in the same thread, it was saturated, or nearly.
   */
  type GeneratorReason = 'core' | 'quota' | 'steal' | 'late' | 'collection' | 'blocked' | 'stall' | 'server' | 'full' | 'load'

  interface Instance extends EventEmitter {
    /** The options as they were given, numbers as numbers and `url` as an array, with their defaults once the run has been set up. */
    readonly opts: Options
    /** Ends the run early: `done` and the result follow, with the data until then. */
    stop (): void
    /** The result until the last sample, as if the run had ended there, but without a fate for requests in flight; null before the first sample has ended. */
    soFar (): Result | null
    on<E extends keyof InstanceEvents> (event: E, listener: (...args: InstanceEvents[E]) => void): this
    once<E extends keyof InstanceEvents> (event: E, listener: (...args: InstanceEvents[E]) => void): this
    off<E extends keyof InstanceEvents> (event: E, listener: (...args: InstanceEvents[E]) => void): this
  }

  interface PromisedInstance<T> extends Instance, Promise<T> {}

  /** Latencies are ms with µs resolution; requests and throughput (bytes) are per second. */
  interface Distribution {
    min: number
    max: number
    average: number
    /** The same as `average`. */
    mean: number
    stddev: number
    p0_001: number
    p0_01: number
    p0_1: number
    p1: number
    p2_5: number
    p10: number
    p25: number
    p50: number
    p75: number
    p90: number
    p95: number
    p97_5: number
    p99: number
    p99_9: number
    p99_99: number
    p99_999: number
  }

  interface LatencyDistribution extends Distribution {
    totalCount: number
    /** The lossless compressed form that every HdrHistogram reads, in base64; its values are µs. */
    histogram: string
    /** Percentiles of the option `percentiles`. */
    [percentile: `p${number}` | `p${number}_${number}`]: number
  }

  interface GeneratorHealth {
    /** The busiest load generator's share of a core, 0 to 1. */
    cpu: number
    /** CPU time of all load generators, in cores. */
    cpuTotal: number
    /** The busiest load generator's event loop, 0 to 1, without idle polling. */
    eventLoopUtilization: number
    /** ms. With a rate: the delay of writes of requests with a free connection. Without: the delay of timers. The worst load generator's. */
    lag: { p50: number, p99: number, max: number }
    /** ms of garbage collection. */
    gcMs: number
    /**
     * ms in which the load generator did not run, for a second or more at a time: it was stopped, had no CPU, or was blocked by a
     * hook. This time is in no other figure.
     */
    stalledMs: number
    /** CPU wait (run-queue delay) in ms, the longest of all load generators; null where unknown (Linux only). */
    runDelayMs: number | null
    /** ms in which the host gave the core of a load generator to other machines (steal), the longest of all; null where unknown. */
    stolenMs?: number | null
    /** ms in which the CPU quota of its control group was used up, the longest of all; null where unknown. */
    throttledMs?: number | null
    /**
     * The share of moments that a wait for the CPU delayed by more than a tenth of p95 and of p99. From 0.05 of p95 on the verdict is `starved`, from 0.01 of
     * p99 on `busy`. null where it is not known.
     */
    delayed?: { p95: number, p99: number } | null
    /** ms in which single iterations of a load generator's event loop blocked everything else, the longest of all. */
    blockedMs: number
    /** Whether the event loop was busy over the whole run: the figures then describe the client, not the server. */
    saturated: boolean
    /** Whether the figures can be trusted; null when the run was shorter than half a second, or raw results of older versions were merged and no load generator is known to be starved or saturated. */
    verdict: GeneratorVerdict | null
    /** Code of the cause; null when healthy or not known. Results of older versions have none. */
    reason?: GeneratorReason | null
    /** What the cause is, when it was, and what it did to which figures; null when healthy or not known. */
    cause: string | null
  }

  /** One of the agents of a run, which may be on another machine. */
  interface AgentFigures {
    name: string
    host: string
    cores: number
    /** Version of Node.js. */
    node: string
    /** Number of its load generators in this run. */
    workers: number
    /** Of these load generators. */
    connections: number
    /** `total`: with a complete response. */
    requests: { sent: number, total: number }
    /** Its part of all requests that were sent, 0 to 1. */
    share: number
    /** State of its load generators. */
    generator: Pick<GeneratorHealth, 'cpu' | 'cpuTotal' | 'eventLoopUtilization' | 'stalledMs' | 'verdict' | 'cause'>
    /** Delay of the start of its last load generator after the common start, in ms; null when it never started. */
    skew: number | null
    /** By so much its clock may be off from that of the others, ms. */
    clockError: number
    /**
     * When its last report came before it was lost, seconds since the start of the load, and why it was; null when it was there to the end. `missing` is the part of the load of the
     * whole run that is not in the result for it, 0 to 1, and how many requests these are: null without an amount or a rate of requests.
     */
    lost: { after: number, code?: 'silent' | 'left' | 'failed', reason: string, missing: { share: number, requests: number | null } } | null
  }

  interface Environment {
    /** Versions. */
    autocannon: string
    node: string
    platform: string
    cpu: string
    cores: number
    /** How the frequency of the cores is chosen, such as `powersave`; null where it is not known. */
    governor?: string | null
    /** Cores that the control group of the process may use; null without a quota. */
    quota?: number | null
    /** `vm`, `container`, or `vm, container`; null for neither, or where it is not known. */
    virtualization?: string | null
    /** The connection of the load, except TLS; absent with agents. */
    sockets?: 'native' | 'node'
  }

  interface Rate {
    /** Requests per second that were to be sent. */
    target: number
    /** Requests per second that were sent. */
    achieved: number
    /** achieved ÷ target. Above 1 when requests that were due in the excluded start (`skipFirst`) were sent later. */
    ratio: number
    sent: number
    /**
     * Requests that were sent late because all connections were in use, or no socket was writable, when they were due. Requests that waited no longer
     * than the delay of the load generator are not counted.
     */
    late: number
    /** Requests that were due and never sent. */
    unsent: number
    /** Whether each request was sent at its time, or once per ms all due requests. `batched` when any load generator did so at any time. */
    pace: 'even' | 'batched'
    /** Why the pace was not even although no pace was set: a sentence. */
    paceReason?: string
    /** The same as data. Absent in results of older versions. */
    paceCause?: PaceCause
  }

  /** The options of `autocannon.find`: those of a run, except load and length, and */
  interface FindOptions extends Omit<Options, 'rate' | 'connectionRate' | 'overallRate' | 'stages' | 'burst' | 'replay' | 'duration' | 'amount' | 'skipFirst' | 'warmup' | 'until' | 'harPauses' | 'forever' | 'bailout' | 'strict' | 'maxConnectionRequests' | 'maxOverallRequests' | 'skipAggregateResult' | 'thresholds'> {
    /** What a step has to keep to: latencies and failures, such as `p99 < 50ms` and `failure rate < 1%`. */
    thresholds: string | string[]
    /** The load to begin with: `'100/s'`, or a number. 100 requests/s, or 1 connection, by default. */
    from?: number | string
    /** Nothing above it is tried. 1,000,000 requests/s, or 10,000 connections, by default. */
    to?: number | string
    /** How close to the limit the result is to be: `'3%'` or `0.03`, which is the default. */
    precision?: number | string
    /** How long a step is: seconds, or a time such as `1m`. 10 by default. */
    step?: number | string
    /** The load to vary: requests per second (open model), which is the default, or the connections of a closed loop. */
    over?: 'rate' | 'connections'
    /** `result.thresholds` fails when less than this is held. */
    failBelow?: number | string
  }

  /** What `autocannon.versus` takes: the options of each run, but for what ends runs early, and */
  interface VersusOptions extends Omit<Options, 'url' | 'until' | 'forever' | 'bailout' | 'watch' | 'skipAggregateResult'> {
    /** Of base and of new, with the same path. */
    url: [base: string | URL, new: string | URL]
    /** The number of runs of each server at most, from 3 on. With limits they end early if at 99.7 % confidence one has failed or all have passed. 5 by default. */
    runs?: number
    /** How far a figure may go: `'p99 +10%'`, `'rps -5%'`, `'avg +2ms'`. */
    failIf?: string | string[]
  }

  /** A run of `autocannon.versus`. */
  interface VersusRun {
    side: 'base' | 'new'
    /** Counted from 1. */
    run: number
    result: Result
  }

  interface VersusEvents {
    /** A run is complete. */
    run: [run: VersusRun]
    /** What a run waits for, or has trouble with. */
    notice: [sentence: string]
    /** All runs are over. */
    done: [comparison: Comparison]
    /** The options are wrong, or a run could not be made. */
    error: [error: Error]
  }

  interface VersusInstance extends EventEmitter {
    /** Ends the runs early: `done` and the comparison of the complete runs follow. */
    stop (): void
    on<E extends keyof VersusEvents> (event: E, listener: (...args: VersusEvents[E]) => void): this
    once<E extends keyof VersusEvents> (event: E, listener: (...args: VersusEvents[E]) => void): this
    off<E extends keyof VersusEvents> (event: E, listener: (...args: VersusEvents[E]) => void): this
  }

  interface PromisedVersus extends VersusInstance, Promise<Comparison> {}

  /** A load that was tried. */
  interface SearchStep {
    /** Requests per second, or connections. */
    value: number
    /** Counted from 1: a load that was not held is tried once more. */
    attempt: number
    outcome: 'held' | 'failed' | 'unsure' | 'generator'
    /** Why it was not held: a threshold, a growing queue, requests that were not sent because responses were missing, the load generator, or too few connections. */
    reason: 'threshold' | 'growing' | 'unsent' | 'generator' | 'connections' | null
    /** Whether a result may rest on it: it was at least twice as long as `step`, and its whole interval is on one side of the limit. */
    certain: boolean
    /** Seconds since the start of the run, of what was judged. */
    from: number
    to: number
    /** How much of that was judged: a step may have been made longer. */
    seconds: number
    /** Connections that were open. */
    connections: number
    /** The number of connections of the next attempt, when there were too few. */
    widened?: number
    /** Requests that ended. */
    requests: number
    /** Requests sent per second. */
    achieved: number
    /** Responses per second. */
    completed: number
    /** ms; null when nothing was measured. */
    p50: number | null
    p99: number | null
    failures: number
    /** Of the requests that ended, 0 to 1; null when none did. */
    failureRate: number | null
    /** By how many ms the latency grew every second. */
    growth: number
    generator: { verdict: GeneratorVerdict | null, cause: string | null }
    /** Where a server is watched: what it did meanwhile. */
    server?: ServerFigures
    /** `low` and `high` from two step lengths on: limits between them would have been inconclusive (95 %). */
    thresholds: ThresholdResult[]
  }

  /** What a search for the limit has found. */
  interface SearchResult {
    /** The highest load that was held; null when none was. */
    best: number | null
    unit: 'requests/s' | 'connections'
    /**
     * The cause of the limit. `generator`: the load generator or its connections; the server may sustain more. `range`: the limit
     * is above `to`, or below `from` when `best` is null. `inconclusive`: no step around it is certain, or the search `expired`. null: the search ended before
     * it was known.
     */
    limit: 'server' | 'generator' | 'range' | 'inconclusive' | null
    /** The lowest load that was not held. */
    above: number | null
    /** Up to where the latency grows slowly; null when no load stands out. */
    knee: { value: number, p99: number } | null
    over: 'rate' | 'connections'
    from: number
    to: number
    precision: number
    /** Seconds. */
    step: number
    /** Seconds that a search takes at most. */
    longest: number
    /** Its time was over before the limit was certain: `best` and `above` are the range so far. */
    expired?: true
    thresholds: string[]
    /** The implied limit of failures, because no threshold sets one. */
    implied?: string
    failBelow?: number
    /** Seconds since the start: the server sent no response from the step on that began then, not even at loads that it had held. */
    silentSince?: number
    /** In the order in which they were made. */
    steps: SearchStep[]
  }

  interface Handshakes {
    count: number
    perSecond: number
    /** How many of them resumed a session. */
    resumed: number
    /** ms, from the end of TCP's handshake to the end of that of TLS. */
    latency: LatencyDistribution
    /** What was agreed on, the most frequent first. */
    negotiated: Array<{ protocol: string, cipher: string, count: number }>
  }

  /**
   * What arrived inside of responses, with `stream`. An event is a Server-Sent Event, a line of NDJSON, or what one read brought (`chunks`). A
   * response of 2xx is a stream, unless it is of another type or of an unknown Content-Encoding, which fails a check, or has no body.
   */
  interface Streams extends StreamFigures {
    kind: 'messages' | 'sse' | 'ndjson' | 'chunks' | 'openai' | null
  }

  /** Of the WebSocket connections of a run. Messages that are responded to are its requests. */
  interface WebSocketFigures {
    /** Handshakes that the server accepted. */
    opened: number
    /** Of these, those that negotiated compression. */
    compressed: number
    /** Handshakes that the server refused, by the status of its response. */
    refused: Record<string, number>
    /** Messages. */
    sent: number
    /** Messages, also those that respond to nothing. */
    received: number
    receivedPerSecond: number
    /** Messages received that respond to no message in flight. */
    unmatched: number
    /** Messages received that respond to a message that has timed out. */
    late: number
    /** Connections that the server ended, by the close code; 1005 without a code, 1006 without a close frame. */
    closed: Record<string, number>
    /** ms from a ping to its pong. */
    ping: LatencyDistribution
    /** With `age`: ms from the time in a message that responds to nothing to its arrival. */
    age: LatencyDistribution
  }

  /** Of the streams of a run, of a named request, or of a scenario. */
  interface StreamFigures {
    /** Responses that began to deliver. */
    opened: number
    /** Streams that ended in order; without those that were lost, timed out, or went on when the run ended. */
    completed: number
    /** Of these, those that the load generator closed: `streamFor`, `events`. */
    closed: number
    /** Streams that ended in the middle of an event. That event does not count. */
    truncated: number
    events: number
    eventsPerSecond: number
    /** Of completed streams; null where there was none. */
    eventsPerStream: { average: number, min: number, max: number, p50: number, p90: number, p99: number } | null
    /** Mean number of events in a read that had any; null where there was none. Events that are read together have a gap of 0. */
    eventsPerRead: number | null
    /** Gaps longer than `stall`. */
    stalls: number
    /** Requests that continued a stream that had ended or was cut (`streamReconnect`); absent without one. */
    reconnects?: number
    /** ms from the end of a stream to the head of the response that continues it, the wait included; absent without one. */
    outage?: LatencyDistribution
    /** Streams with a `retry` of more than 60 s, which is the longest; absent without one. */
    shortenedWaits?: number
    /** ms from when the request was due (with a rate) or sent to its first event. A request that timed out without one is in it with its age. */
    firstEvent: LatencyDistribution
    /** ms from one event of a stream to the next. */
    gap: LatencyDistribution
    /** ms from the head of a response to its end, of completed streams. */
    duration: LatencyDistribution
    /** With `stream: 'openai'`: ms from when the request was due (with a rate) or sent to its first event with content. */
    firstToken?: LatencyDistribution
    /** Likewise to its first event with reasoning; empty where there was none. */
    firstReasoning?: LatencyDistribution
    /** ms from one event with content or reasoning to the next. */
    interToken?: LatencyDistribution
    /** Of each completion, ms from its first event with output to its last, divided by the tokens after the first one. */
    timePerOutputToken?: LatencyDistribution
    tokens?: TokenFigures
    /** Why choices ended, such as `stop` and `length`. */
    finishReasons?: Record<string, number>
    /** With a threshold such as `goodput(first token < 300ms, gap p99 < 50ms) > 95%`: how many requests met all of its bounds. */
    goodput?: Goodput[]
    /** Completions that failed, by code: `AC_LLM_ERROR`, `AC_LLM_JSON`, `AC_LLM_TRUNCATED`. */
    completionFailures?: Record<string, number>
  }

  interface Goodput {
    /** The bounds, as in `first token < 300ms, gap p99 < 50ms`. */
    expression: string
    /** Requests that met all of them, and did not fail. */
    good: number
    /** Requests that ended, failed ones included, and those that had broken a bound when the run ended. */
    requests: number
    /** 0 to 1; null without a request, and where no stream had two events or tokens although a bound is about the time between them. */
    share: number | null
  }

  /** How many tokens completions had: those that the server reports as usage, else events with output. */
  interface TokenFigures {
    total: number
    /** By the seconds of the run. */
    perSecond: number
    /** Where the number is from: the usage of all completions, of some, or of none; null without a token. */
    source: 'usage' | 'events' | 'both' | null
    /** Completions with a known usage. */
    reported: number
    /** Completions without one: their events were counted. */
    counted: number
    /** Completions with a usage that cannot be right; their events were counted in its place. */
    invalidUsage: number
    /** Tokens of the prompts, of the completions with a usage; null for none. */
    prompt: number | null
    /** Mean number of tokens in an event with output; null without a usage. */
    perEvent: number | null
    /** Tokens of a completion. */
    perRequest: TokenDistribution | null
    /** Tokens of a completion by the seconds from when it was due (with a rate) or sent to its last event with output. */
    perSecondOfRequest: TokenDistribution | null
  }

  type TokenDistribution = { average: number, min: number, max: number, p50: number, p90: number, p99: number }

  /** One request of a run. */
  interface SingleRequest {
    /** When it was written. */
    time: Date
    /** Under which name statistics are kept. */
    name: string | null
    /** Method and path, as it was sent: up to 200 characters, without its secrets. */
    request: string
    /** The number of its connection in the run, from 0 on: of its user, where users share connections. */
    connection: number
    /** ms that it took to make the connection (DNS + TCP + TLS); null when that had brought a response before, and through undici. */
    connect: number | null
    /** ms between the time at which it was due and its write; 0 without a rate. */
    waited: number
    /** ms between its write and the first byte of its response; null without a response. */
    firstByte: number | null
    /** ms: its latency. Without a response, for how long it was waited for. */
    total: number
    /** Null without a response. */
    status: number | null
    /** Bytes of its response; null through undici. */
    size: number | null
    /** The code of the error, when there was no response. `check` or `body` of a wrong response, among the failures. Null for others, also for one that had no response when the run ended. */
    error: string | null
    /** Of the header `traceparent` that it carried, by `trace` or by its own headers. */
    trace?: { id: string, parent: string, sampled: boolean }
  }

  /** The result of a run with `client: 'undici'` or a `dispatcher`, which does not report bytes and connect times. */
  type ResultThroughUndici = Omit<Result, 'client' | 'throughput' | 'connect'> & { client: 'undici', throughput: null, connect: null }

  /** What sends the requests of a run through undici. */
  type ThroughUndici = { client: 'undici' } | { dispatcher: NonNullable<Options['dispatcher']> }

  interface Result {
    title?: string
    url: string | string[]
    socketPath?: string
    /** The version of HTTP that was spoken. */
    http?: '1.1' | '2'
    /** Only when the requests went through undici: `throughput`, `connect` and all bytes are null then, see ResultThroughUndici. */
    client?: 'undici'
    connections: number
    pipelining: number
    workers?: number
    /** ms */
    sampleInt: number
    /** How many samples `requests` and `throughput` are made of. */
    samples: number
    start: Date
    finish: Date
    /** Seconds. */
    duration: number
    /**
     * Requests that did not get what they should, each counted once: errors, responses of 4xx and 5xx that no `expect.status`
     * allows, and other responses with a mismatched body or a failed check.
     */
    failures: number
    /** Responses of 4xx and 5xx that no `expect.status` allows; part of `failures`. */
    unexpected: number
    /** Requests that failed, timed out, or found no connection. */
    errors: number
    /** Requests that timed out; part of `errors`. */
    timeouts: number
    /** Requests with another body than expected. */
    mismatches: number
    /** Responses with a compared body, by `expectBody` or `verifyBody`. */
    compared: number
    /** Each check, overall and per request. */
    checks: CheckResult[]
    /** The requests that have a name, or all of them with `byRequest`. */
    byRequest: Record<string, RequestResult>
    /** With `stages`: the figures of each that lasts, in the order of time. All of them together are those of the run. */
    byStage?: StageResult[]
    /** Of each scenario that has a name. */
    byScenario?: Record<string, ScenarioResult>
    /** Of user functions: their share of the CPU time of the load generator, and the places that take most. */
    userCode?: UserCode
    /**
     * Where native sockets were to be used, and could not be everywhere: how many load generators used native ones and those of Node.js, and why.
     * `connections` are those of other load generators that used the sockets of Node.js.
     */
    sockets?: { native: number, node: number, reasons: Array<{ reason: string, generators: number, connections: number }> }
    /** Of user functions: how long each named group took. */
    groups?: Record<string, GroupResult>
    /** Of users: the iterations of all scenarios together. With a rate of iterations also how these arrived. */
    iterations?: IterationsResult & Partial<IterationArrivals>
    /** Where redirects are followed: how many requests were sent because of one. */
    redirects?: number
    /** Where requests are tried again: how many were sent because of that. */
    retries?: number
    /** Of `autocannon.find`. The other figures are those of all its steps together. */
    search?: SearchResult
    /** How often the requests started again because setupRequest returned nothing. */
    resets: number
    /** How often a request was sent again, because the server closed a connection that was in use. Each is one of `requests.sent`. */
    resent: number
    /**
     * With `compressed`: the bodies that were decoded, for checks and hooks: their number, and their bytes decoded and encoded.
     * `throughput` counts encoded bytes.
     */
    decoded?: { answers: number, bytes: number, encoded: number }
    non2xx: number
    '1xx': number
    '2xx': number
    '3xx': number
    '4xx': number
    '5xx': number
    statusCodeStats: Record<string, { count: number }>
    /** Errors by code. */
    errorCodes: Record<string, number>
    /** How many files the process may have open; only after EMFILE, and null when it can't be known. */
    openFileLimit?: number | null
    /** Over HTTP/2: the smallest limit of streams that the server set for a connection; only when below `pipelining`. */
    streamLimit?: number
    /** Every request that was sent has exactly one fate: sent = completed + timedOut + failed + abandoned. */
    fates: { sent: number, completed: number, timedOut: number, failed: number, abandoned: number }
    /** Requests in flight, or due and not sent, when the run ended. */
    unfinished: number
    /** ms. With a rate: from the time at which a request was due. Without: from its write. */
    latency: LatencyDistribution
    /** ms, from the write of a request to the last byte of its response. The same as `latency` without a rate. */
    serviceTime: LatencyDistribution
    /** ms, from the write of a request to the first byte of its response. */
    ttfb: LatencyDistribution
    /** ms, DNS + TCP + TLS of each connection. */
    /** Null through undici. */
    connect: LatencyDistribution
    /**
     * With native sockets: the share of completed requests with a latency that ends at the arrival of their last bytes in the kernel, the number
     * of those read together with a later response, with its arrival, and the delay of reads after arrivals in ms.
     * All others end when they were read: their arrival is unknown, or before their request.
     */
    clock?: { arrival: number, shared: number, late: LatencyDistribution }
    /** The 20 requests with the longest latency, the longest first. Requests that timed out are included; each hop of a redirect and each attempt is a request. */
    slowest: SingleRequest[]
    /** The 20 of `failures` that failed first, in that order. What was never sent is no request, and not among them. */
    firstFailures: SingleRequest[]
    /** Where something is sent over TLS: the handshakes that were completed. */
    handshakes?: Handshakes
    /** With `stream`: what arrived inside of responses, and when. */
    streams?: Streams
    /** With a `ws://` URL: handshakes, messages, pings and closes. */
    websocket?: WebSocketFigures
    /** With a proxy: its part of the connect time in ms, its errors when there was no connection, in its own words, and the number of 407 responses. */
    proxy?: { connect: LatencyDistribution, errors: Array<{ code: string, message: string, count: number }>, refused: number }
    /** Only with a rate. */
    rate?: Rate
    /**
     * When the server stopped responding: the time from its last byte to the end, and the number of requests that waited at the end.
     * Absent when that was less than 0.5 s, 10 % of the run, or twice the longest response. Every threshold then fails.
     */
    silence?: { seconds: number, waiting: number }
    /** With `agents`: each of them, with its part of the requests. */
    agents?: AgentFigures[]
    /**
     * How long it took until the first attempts to connect had all led to something, ms from the first one, and the requests per second from
     * then on: null with a rate, which is sent from then on, and when no sample began later.
     */
    connecting?: { ms: number, requestsPerSecond: number | null }
    /**
     * With `skipFirst`: the start, which is in no other figure. `requests` were sent and ended in it; those `inFlight` when it ended count as
     * sent then. `resent` requests were sent again in it.
     */
    skipped?: { seconds: number, requests: number, inFlight: number, resent: number }
    /**
     * When the run was slower at its start: the length of the start, and the requests per second without it, or with a rate the mean latency in
     * ms. Absent otherwise, and with fewer than ten points in the series.
     */
    warmingUp?: { seconds: number, requestsPerSecond: number } | { seconds: number, average: number }
    /** State of the load generator. */
    generator: GeneratorHealth
    /** Where a server is watched: what it did. */
    server?: ServerFigures
    /** As in the options. */
    percentiles?: number[]
    /** Completed requests per second. */
    requests: Distribution & { total: number, sent: number }
    /** Bytes read per second; null through undici, which does not report them. */
    throughput: Distribution & { total: number }
    /** The options, without defaults and secrets: hooks by name or path. Undefined in a merged result of runs with different options. */
    options?: Record<string, unknown>
    /** Where it was measured. Undefined in a merged result of several machines. */
    environment?: Environment
    /** The course of the run: a point for each sample, or for as many as fill 100 ms; at most 2,000. */
    series: SeriesPoint[]
    /** When `bailout` ended the run, or one of its workers. Thresholds that were met until then are inconclusive. */
    bailedOut?: true
    /** Whether the run was ended before its time, by `stop()` or a signal. */
    interrupted: boolean
    /** When an error ended the run, such as the end of a server that `--on-port` started: the message, in lines. */
    endedBy?: string[]
    /** Empty when none was given. */
    thresholds: ThresholdResult[]
    /** Facts beside the figures, in the order of reading. Results that older versions saved have none. */
    findings: Finding[]
    /**
     * false when a threshold failed, or a check without a threshold on its failures; else null when no threshold was given or one is inconclusive. A run that
     * failed or measured nothing is never true.
     */
    passed: boolean | null
    /** With `until`: the precision of the figure. */
    until?: UntilResult
    /** The comparison with the baseline, on the command line with `--baseline`. */
    comparison?: Comparison
    /** The result of the warm-up, when there was one. */
    warmup?: Result
  }

  interface CheckResult {
    name: 'expect' | 'check' | 'checkEvent' | 'content-type' | 'content-encoding' | 'verifyBody' | 'onResponse' | 'redirect' | `capture ${string}`
    /** The request of the check, by its name, or by method and path; absent for all requests without their own check. */
    request?: string
    /** Responses. */
    passed: number
    failed: number
    /** Async checks that had no verdict when the run ended; absent if there were none. */
    unjudged?: number
    /** Why they failed; the most frequent first, at most 50 and `other reasons`. */
    reasons: Record<string, number>
    /** The first response that failed, by reason. */
    samples: Record<string, { status: number, headers: Array<[name: string, value: string]>, body: string, truncated: boolean }>
  }

  interface RequestResult {
    /** Requests that were completed. */
    count: number
    /** As in the result. */
    failures: number
    unexpected: number
    /** Requests that failed or timed out. */
    errors: number
    latency: LatencyDistribution
    ttfb: LatencyDistribution
    statusCodeStats: Record<string, { count: number }>
    /** With `stream`, where it had one. */
    streams?: StreamFigures
    checks: CheckResult[]
  }

  /**
   * A request belongs to the stage in which it was due, or with stages of connections in which it was written, whenever its response comes. An error
   * without a request belongs to the stage in which it happened.
   */
  interface StageResult {
    name?: string
    /** Seconds since the figures began, where the part of it begins that is in the figures. */
    from: number
    /** Equal to `from` when nothing of it was measured: the run ended before, or `skipFirst` excluded it. */
    to: number
    /** What the load was to be at its start and at its end. */
    target: { start: number, end: number, unit: 'requests/s' | 'iterations/s' | 'connections' }
    /** Of a rate, on average over the stage: null when nothing of it is in the figures, or nothing was due. */
    rate?: {
      target: number | null
      /** Requests per second that were written while it lasted, with those that were due before and found no room. */
      achieved: number | null
      ratio: number | null
      sent: number
      late: number
      unsent: number
    }
    /** Of a rate of iterations, likewise. */
    iterations?: {
      target: number | null
      /** Iterations per second that began while it lasted, with those that were due before and found no connection. */
      achieved: number | null
      ratio: number | null
      /** Iterations that were due in it, and of these those that began later or never. */
      due: number
      waited: number
      neverStarted: number
    }
    /** Of connections: how many were open at its end. */
    connections?: number
    /** Requests that were completed. */
    count: number
    /** As in the result. */
    failures: number
    unexpected: number
    errors: number
    timeouts: number
    latency: LatencyDistribution
    /** Of its responses; null through undici. */
    bytes: number
    statusCodeStats: Record<string, { count: number }>
    errorCodes: Record<string, number>
    fates: { sent: number, completed: number, timedOut: number, failed: number, abandoned: number }
    unfinished: number
    /** State of the load generator in it; as in the result. */
    generator: { verdict: GeneratorVerdict | null, cause: string | null, cpu: number, runDelayMs: number | null, blockedMs: number }
    /** Where a server is watched: what it did in the points of `series` that lie in the stage; undefined where none does. */
    server?: ServerFigures
  }

  /** Samples of the stack, one every 10 ms. Shares are of the CPU time of the load generator, 0 to 1. */
  interface UserCode {
    share: number
    /** The most expensive first. A function that blocks the event loop is among them. */
    places: Array<{ file: string, line: number, name: string, share: number }>
  }

  /** A part of iterations that has a name. */
  interface GroupResult {
    /** Completed ones. */
    count: number
    perSecond: number
    /** ms, pauses included. */
    duration: LatencyDistribution
  }

  /** Each iteration that started was completed or aborted, or is unfinished. */
  interface IterationsResult {
    started: number
    completed: number
    /** Iterations that ended before their last response. */
    cut: number
    /** Why, the most frequent first: the code of an error, or such as `capture token`, `value`, `setupRequest`. */
    cutBy: Record<string, number>
    /** Iterations that went on when the run ended. */
    unfinished: number
    /** Of these, those that waited for the server for a second or longer, and had taken more than twice as long as any that was completed. */
    hanging: number
    /** Completed iterations. */
    perSecond: number
    /** ms, of completed iterations, from when each was due or began to its last response, pauses included. */
    duration: LatencyDistribution
    /** ms, the same without pauses. */
    active: LatencyDistribution
  }

  interface ScenarioResult extends IterationsResult, Partial<IterationArrivals> {
    /** With `stream`, or `http.stream()` of user functions, where it had one. */
    streams?: StreamFigures
  }

  /** With a rate of iterations; of a scenario, when no other one shares it. */
  interface IterationArrivals {
    /** Iterations per second that were to start, and those that did. */
    target: number
    achieved: number
    /** Iterations that were due: those that began, and those that never did. */
    due: number
    /** Iterations that were due while every connection was busy. */
    waited: number
    /** How long those waited, ms. */
    wait: LatencyDistribution
    /** Iterations that were due and had not started when the run ended. */
    neverStarted: number
    /** As for a rate of requests: whether each iteration started at its time, or once per ms all due ones, and why if no pace was set. */
    pace?: 'even' | 'batched'
    paceReason?: string
    /** The same as data. Absent in results of older versions. */
    paceCause?: PaceCause
  }

  /** Of a share, 0.01 is 1 %, and of a utilization 1 is a whole core. A verdict is a word, of a threshold on the load generator. */
  type Unit = 'ms' | 'count' | 'share' | 'requests/s' | 'iterations/s' | 'handshakes/s' | 'events/s' | 'tokens/s' | 'bytes/s' | 'bytes' | 'utilization' | 'verdict'

  /** A fact beside the figures. What each code means: docs/findings.md. */
  interface Finding {
    /** Never changes its meaning. */
    code: FindingCode
    severity: 'info' | 'warning' | 'error'
    /** What a sentence about it needs: keys depend on the code. */
    facts: Record<string, unknown>
  }

  type FindingCode =
    | 'silence'
    | 'failures'
    | 'errors'
    | 'mismatched-bodies'
    | 'other-than-2xx'
    | 'interrupted'
    | 'resent-requests'
    | 'idle-urls'
    | 'no-response-yet'
    | 'nothing-received'
    | 'no-response'
    | 'http2-refused'
    | 'redirects'
    | 'all-400'
    | 'all-426'
    | 'outside-of-path'
    | 'open-files'
    | 'open-files-of-system'
    | 'local-ports'
    | 'rate-missed'
    | 'late-requests'
    | 'late-sends'
    | 'rate-exceeded'
    | 'batched-pace'
    | 'stream-limit'
    | 'closed-after-each'
    | 'undici-client'
    | 'bailout'
    | 'gaps'
    | 'late-connections'
    | 'warm-up'
    | 'unfinished-requests'
    | 'no-events'
    | 'endless-streams'
    | 'no-ages'
    | 'unjudged-checks'
    | 'load-generator'
    | 'load-generator-stalled'
    | 'lost-agent'
    | 'lost-agents'
    | 'missed-stage'
    | 'more-missed-stages'
    | 'unreached-stage'
    | 'aborted-iterations'
    | 'hanging-iterations'
    | 'late-iterations'
    | 'node-sockets'
    | 'no-proxy'
    | 'proxy-error'
    | 'more-proxy-errors'
    | 'proxy-refused'
    | 'proxy-authentication'
    | 'proxy-or-server'

  /** Why a threshold or a limit passed, failed or is inconclusive, or what a comparison is worth, as data: docs/findings.md. */
  interface JudgementFinding {
    code: JudgementCode | 'silence' | 'load-generator' | (string & {})
    severity: 'info' | 'warning' | 'error'
    /** What a sentence about it needs: keys depend on the code. */
    facts: Record<string, any>
  }

  type JudgementCode =
    | 'different-work'
    | 'unlike-clients'
    | 'different-machines'
    | 'different-conditions'
    | 'hidden-differences'
    | 'interrupted-runs'
    | 'early-ends'
    | 'incomplete-load'
    | 'concurrent-runs'
    | 'one-side-first'
    | 'few-turns'
    | 'few-values'
    | 'no-samples'
    | 'few-samples'
    | 'single-runs'
    | 'interrupted-comparison'
    | 'certain-verdict'
    | 'same-server'
    | 'nothing-measured'
    | 'not-same-work'
    | 'unbreakable'
    | 'incomplete'
    | 'few-runs'
    | 'within'
    | 'beyond'
    | 'doubtful'
    | 'indication'
    | 'coarse'
    | 'wild'
    | 'many-runs'
    | 'more-runs'
    | 'unwatched-failures'
    | 'failed-runs'
    | 'failed-server'
    | 'no-usable-run'
    | 'no-run'
    | 'mostly-failed'
    | 'mostly-unsent'
    | 'missing-load'
    | 'mostly-aborted'
    | 'mostly-stuck'
    | 'mostly-unstarted'
    | 'undecided-iterations'
    | 'bailed-out'
    | 'rate-held'
    | 'late-rate'
    | 'late-reads'
    | 'late-reads-or-less-load'
    | 'uncertain-figure'
    | 'near-limit'
    | 'longer-run'
    | 'undecided-thresholds'
    | 'short-run'
    | 'imprecise'
    | 'uncertain-load'
    | 'search-expired'
    | 'search-interrupted'
    | 'client-limit'
    | 'lowest-failed'
    | 'server-silent'
    | 'unwatched-responses'
    | 'not-measured-yet'
    | 'no-verdict-on-generator'
    | 'no-server'
    | 'server-not-seen'
    | 'only-of-node'
    | 'not-of-this-system'
    | 'no-arrivals'
    | 'unused-name'

  /** `from`: seconds after the start. `cores`: how many the process may use. */
  type PaceCause = { code: 'cpu-wait', from: number } | { code: 'few-cores' | 'few-cores-of-agent', threads: number, cores: number }

  interface UntilResult {
    expression: string
    /** Its name, such as `p99`. For `decided` it is `thresholds`, of which `value` of `target` are decided, and there is no interval. */
    metric: string
    unit: Unit
    /** Half the width of the target interval, relative to the figure: 0.02 for ±2%. */
    target: number
    /** Whether the figure was known so well when the run ended. */
    reached: boolean
    /** The figure; null when nothing was measured. */
    value: number | null
    /** The interval, with the confidence; null with too little data. */
    low: number | null
    high: number | null
    /** Half of it, on the side where it is wider, relative to the figure. */
    width: number | null
    confidence: number
    /** After how many seconds of figures. */
    after: number
    /**
     * Where it was not reached: what hides how much the figure varies, although its interval may be narrow. `burst`: one batch has more than 40 % of the variance;
     * `slowSwing`: fewer than five periods of the slowest swing were seen; `fewRequests`: three requests have more than a quarter of the variance of an average;
     * `heavyTail`: the average has a tail like that of Pareto below 1.8.
     */
    hindrance?: 'burst' | 'slowSwing' | 'fewRequests' | 'heavyTail'
    /** Why it was not reached, as data. Absent in results of older versions. */
    finding?: JudgementFinding
  }

  interface ThresholdResult {
    expression: string
    /** Its name, such as `p99`. */
    metric?: string
    /** The name of the request of the threshold; absent for the whole run. */
    request?: string
    /** The stage that it is about, counted from 1; likewise. */
    stage?: number
    /** The name of the scenario of the threshold; null for the iterations of all scenarios together; likewise. */
    scenario?: string | null
    /** The name of the group of a user function; likewise. */
    group?: string
    /** A word for the load generator. null when nothing was measured, or the run was interrupted. */
    actual: number | GeneratorVerdict | null
    /**
     * true when the whole interval meets it, false when no part does. Else null: also when the load generator may be the reason, the run was
     * interrupted, older raw results have no data on the load generator, or most of the load was never sent.
     */
    passed: boolean | null
    /** The interval in which the true figure is, in `unit`. Percentiles, averages and rates have one; what is counted is exact. */
    low?: number
    high?: number
    /** Where `passed` is null because the figure is not certain: whether the figure alone keeps to it. */
    exact?: boolean
    /** The unit of `actual`. */
    unit: Unit
    /** What a reader has to know beside it. */
    note?: string
    /** The note as data. Absent in results of older versions. */
    finding?: JudgementFinding
    /**
     * Implied: present and failed when most requests had no response, or a 4xx or 5xx that no `expect.status` allows; and
     * with `passed: null` when most due requests were never sent.
     */
    implied?: true
    /** The run ended early because it could not be met any more. */
    aborted?: true
  }

  interface Comparison {
    /** 0.95, for all intervals together. */
    confidence: number
    /**
     * What the verdicts rest on: the differences of runs that were made in pairs, the runs of each side, or, with one run on
     * each side, the samples of those two: an indication.
     */
    basis: 'pairs' | 'runs' | 'samples'
    /** When versus was interrupted, and has fewer runs than it was to have. */
    interrupted?: true
    /** How many results there are of each side. */
    runs: { base: number, new: number }
    metrics: ComparedMetric[]
    /** The limit of `failIf`. */
    limits: ComparedLimit[]
    /** What makes the comparison worth less than it seems. */
    notes: string[]
    /** The notes as data, in the same order. One with severity `error` is the reason why there is no verdict. Absent in results of older versions. */
    findings?: JudgementFinding[]
    /** Why there is no verdict, or why the servers may differ although no difference was found: the load generator had a high CPU wait, or was the limit. */
    inconclusive?: string
  }

  interface ComparedLimit {
    expression: string
    /** The difference, in the form of the limit; null when nothing was measured. */
    actual: number | null
    /** null when the runs are inconclusive. */
    passed: boolean | null
    reason: string
    /** The reason as data. Absent in results of older versions. */
    finding?: JudgementFinding
    /** Estimated number of additional runs per side for a verdict; absent where more runs would not help, or it is unknown. */
    needs?: { runs: number }
    /** What one run on each side indicates: its whole interval is within the limit, or beyond it. */
    indication?: 'within' | 'beyond'
    /** Implied, and failed, when most requests of a side had no response, or a 4xx or 5xx that no `expect.status` allows. */
    implied?: true
  }

  interface ComparedMetric {
    metric: string
    unit: Unit
    base: number | null
    new: number | null
    /** Relative to base, 0.05 for 5 % more; of a share, new − base. */
    difference: number | null
    /** The true difference is between `low` and `high`; null if unknown. */
    low: number | null
    high: number | null
    /**
     * `unknown`: inconclusive. There is no interval, it could hide a difference of more than 25 % (5 points of a share), or `inconclusive` of the comparison has
     * the reason.
     */
    verdict: 'no difference' | 'better' | 'worse' | 'unknown'
  }

  /** What `skipAggregateResult` resolves with: input to `aggregateResult`. It survives JSON. */
  interface RawResult {
    format: string
    url: string | string[]
    connections: number
    [key: string]: unknown
  }

  interface TrackOptions extends PrintOptions {
    /** @default true */
    renderProgressBar?: boolean
    /**
     * A format of the npm module `progress`; without one the bar shows live figures, too.
     * @default 'running [:bar] :percent :live'
     */
    progressBarString?: string
  }

  interface PrintOptions {
    /**
     * Where the output goes; decides whether colours are used.
     * @default process.stderr
     */
    outputStream?: NodeJS.WritableStream
    /** @default true */
    renderResultsTable?: boolean
    /** @default false */
    renderLatencyTable?: boolean
    /**
     * The latencies as bars.
     * @default false
     */
    renderLatencyChart?: boolean
    /** @default false */
    renderStatusCodes?: boolean
    /** The figures by request. Default: as `renderResultsTable`, with several named requests. */
    renderRequestTable?: boolean
    /**
     * All tables with all rows. Without it, a run with user scenarios has one table, and tables of requests and stages have 20 rows.
     * @default false
     */
    verbose?: boolean
  }

  interface FormatOptions {
    /** The result of another run, to compare with: in `md` and `html`. Of several, the first one. */
    baseline?: Result | Result[]
  }

  interface AggregateOptions {
    url?: string | string[]
    title?: string
    socketPath?: string
    connections?: number
    pipelining?: number
    sampleInt?: number
    workers?: number
    percentiles?: number[]
    /** What the merged result has to keep to. */
    thresholds?: string | string[]
  }

  interface CompareOptions {
    /** How far a figure may go: `'p99 +10%'`, `'rps -5%'`, `'avg +2ms'`. */
    failIf?: string | string[]
  }

  interface ClientEvents {
    /** The head of a response is complete; `headers` alternates names and values. */
    headers: [{ statusCode: number, statusMessage: string, headers: string[], versionMajor: number, versionMinor: number }]
    /** The body of a response is complete. */
    body: [Buffer]
    /** A response is complete; `responseTime` is ms. */
    response: [statusCode: number, resBytes: number, responseTime: number]
    /** The requests started again because setupRequest returned nothing. */
    reset: []
  }

  /** One connection. Its methods change the request that is sent next, in this and all later iterations. They throw when pipelining is more than 1. */
  interface Client extends EventEmitter {
    setHeaders (headers?: Headers): void
    setBody (body?: string | Uint8Array): void
    setHeadersAndBody (headers?: Headers, body?: string | Uint8Array): void
    /** Missing keys are as in the options; its hooks, name and checks stay. */
    setRequest (request: Pick<Request, 'method' | 'path' | 'headers' | 'body'>): void
    setRequests (requests: Request[]): void
    on<E extends keyof ClientEvents> (event: E, listener: (...args: ClientEvents[E]) => void): this
    once<E extends keyof ClientEvents> (event: E, listener: (...args: ClientEvents[E]) => void): this
    off<E extends keyof ClientEvents> (event: E, listener: (...args: ClientEvents[E]) => void): this
  }

  /** Searches for the highest load that the server holds. */
  function find (opts: FindOptions): PromisedInstance<Result & { search: SearchResult }>
  function find (opts: FindOptions, callback: Callback): Instance

  /** Measures two servers in alternating runs, and reports the difference and whether it is significant. */
  function versus (opts: VersusOptions): PromisedVersus
  function versus (opts: VersusOptions, callback: Callback<Comparison>): VersusInstance

  /** Shows the progress of an instance, and its result. Returns the instance. */
  function track<T extends Instance> (instance: T, opts?: TrackOptions): T

  /** The result in one line, the tables and the summary as text. */
  function printResult (result: Result | ResultThroughUndici, opts?: PrintOptions): string

  type Format = 'json' | 'csv' | 'md' | 'html' | 'ndjson' | 'junit'

  /**
   * The result in another form: `md` for the comment of a pull request, `html` for a page with charts in one file, `csv` with a row
   * for the run and one for each named request, `ndjson` with a line for each point of the series, `junit` with thresholds and
   * checks as test cases. The result may have travelled as JSON. Throws AC_OPTIONS.
   */
  function formatResult (result: Result | ResultThroughUndici, format: Format, opts?: FormatOptions): string

  /** One result of several runs with `skipAggregateResult`, of one machine or many. Throws AC_AGGREGATE. */
  function aggregateResult (results: RawResult[], opts?: AggregateOptions): Result

  /** The difference of two servers, and whether it is significant. Use several results of each. Throws AC_OPTIONS. */
  function compareResults (base: Result | Result[], next: Result | Result[], opts?: CompareOptions): Comparison

  /**
   * Runs the command line with these arguments (without node and the script), or with options such as `parseArguments` gives, and sets
   * `process.exitCode`.
   */
  function start (given?: string[] | Options): Promise<void>

  /** The options of command-line arguments. Throws AC_OPTIONS. */
  function parseArguments (argv: string[]): Options
}

export = autocannon
