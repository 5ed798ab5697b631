'use strict'

// The Plan: everything that a generator needs, in its units, frozen, and structured-cloneable unless hooks are given as
// functions. It can be split over several generators (split.js).

const { Amount } = require('../core/amount')
const { parseTarget } = require('../requests/target')
const { mergeHeaders } = require('../requests/headers')
const { SCHEMES, protocolIn, traitsIn } = require('../protocols/protocol')
const { shapeIn } = require('../shapes/shape')
const { overConnections, planStages } = require('../shapes/stages')
const { hasTemplates, onceIn } = require('./requests/requests')
const { hasFlows, hasFunctions, hasUsers, usersPerConnection } = require('./users/user-rules')
const { stepsOf } = require('./users/steps')
const { goodputsOf, planStream } = require('./streams')
const { planWebSocket } = require('./websocket')
const { MESSAGE } = require('../requests/request')
const { ROUTE, setAmong } = require('./table')
const { tlsOptionsOf, tlsPlanOf } = require('./net/tls')

/**
 * @typedef {import('../requests/request').Request} Request
 *
 * @typedef {object} Step
 * @property {number} target index into the targets of the plan
 * @property {Request} request
 * @property {import('../checks/rule').Rule} rule for its responses
 * @property {number} [pause] ms between the time at which the request before it is due and its own; none by default
 * @property {ReadonlyArray<import('../users/pause').Pause>} [pauses] of a user after its response; none by default
 * @property {import('../users/retries').RetryPlan} [retries] of a user; none by default
 * @property {Readonly<Record<string, import('../checks/capture').Capture>>} [captures] of a user, by name; none by
 *   default
 * @property {import('../users/compiled-scenario').Templates | null} [templates] none by default
 * @property {ReadonlyArray<string | Uint8Array>} [parts] of a body that is known in part: texts are templates; left out
 *   where the request has its body
 * @property {boolean} [isStream] whether its responses may be streams, where others are; true by default
 * @property {true} [isSocket] it is a WebSocket that is opened, or a message of one; left out for a request of HTTP
 * @property {string} [called] how messages call it, where its index is not enough; left out where it is
 * @property {{ setupRequest: unknown, onResponse: unknown, check: unknown }} hooks functions or module paths
 *
 * @typedef {object} Scenario what a connection repeats
 * @property {number} weight how many connections choose it, beside those of the others
 * @property {ReadonlyArray<Step>} steps none where there are users
 * @property {ReadonlyArray<UserScenario> | null} userScenarios for a user on this connection to choose from; null where
 *   connections are no users
 *
 * @typedef {object} UserScenario
 * @property {number} scenario index into the names of scenarios; 0 where there are none
 * @property {number} weight how often it is chosen, beside the others
 * @property {ReadonlyArray<Step>} steps
 * @property {ReadonlyArray<import('../users/pause').Pause>} lead pauses before its first request
 * @property {any} code a function that a user runs as such an iteration, or the path of its module, or its export; null
 *   for an iteration of steps
 * @property {string | null} [exec] the export of that module that is the function; none for its default
 * @property {ReadonlyArray<import('./users/flows').Node> | null} flow which of the steps are sent when; null for all of
 *   them in order
 * @property {UserScenario | null} [before] requests that are sent once before the load; none by default
 * @property {UserScenario | null} [after] and after it
 * @property {any} [setup] the return value of that module's `setup`
 * @property {number} once how many of its first steps a user sends in its first such iteration only
 * @property {import('../users/pause').Pause | null} pause between such an iteration and the next
 * @property {number | null} every ms from the start of such an iteration to that of the next, at least
 *
 * @typedef {object} Listed further properties of a list of requests
 * @property {'order' | 'random' | 'once'} pick which is sent next
 * @property {number} seed of random values
 * @property {ReadonlyArray<import('../requests/picks').Turn>} turns by origin: which requests are this generator's
 * @property {ReadonlyArray<string> | null} titles under which responses are counted; null when they are counted
 *   together
 * @property {Uint8Array | null} names index of the title of each request
 *
 * @typedef {import('../target-files/target-list').TargetList & Listed} Listing
 *
 * @typedef {object} Pacing
 * @property {'requests' | 'iterations'} unit what is due: requests, or iterations of users that send as soon as they
 *   have their responses
 * @property {number | null} scenario of iterations: index of the scenario that all of them are of; null when users
 *   choose among several
 * @property {number} rate per second, of this generator, over all its connections
 * @property {boolean} shared whether any connection with room sends due requests, or each its own share
 * @property {boolean} perConnection whether the rate grows with the connections
 * @property {'even' | 'batched' | null} pace null for an even one where there is a core for it
 * @property {string} shape one of SHAPES: when requests are due
 * @property {any} form further parameters of the shape, of all generators together; null without any
 * @property {true} [isPooled] any connection may send the rest of an amount, and none has its own part
 * @property {string} arrivals whether requests are due exactly by the shape, `even`, or around these times: one of
 *   ARRIVALS
 * @property {number} seed of random values
 * @property {number} part which of the generators this is, counted from 0: round-robin
 * @property {number} parts how many there are
 *
 * @typedef {object} Group connections with their own load, in addition to other groups
 * @property {number} from index of the first of the scenarios that they choose among
 * @property {number} until index after the last
 * @property {number} connections of this generator, that it begins with; none where they come by a ramp
 * @property {number} before how many of the group are at other generators, and come before these
 * @property {number} step how far it is to the number of the next
 * @property {number} firstNumber number of the first one of the group in the whole run
 * @property {Pacing | null} pacing null for a closed loop
 * @property {ReadonlyArray<import('../shapes/stages').Stage> | null} ramp stages by which its connections come and go,
 *   those of all generators together; null where they stay
 *
 * @typedef {object} StreamPlan kind and end of streams
 * @property {string | null} kind one of STREAMS; null where user functions open streams one by one
 * @property {number | null} openMs for how long a stream is open, at most; null for no limit
 * @property {number | null} messages how many it delivers, at most; null for no limit
 * @property {number} stallMs a longer gap between two messages is a stall
 * @property {number} idleMs how long nothing may come of it
 * @property {number | null} reconnectMs the wait before one that has ended is continued; null where it is not
 *
 * @typedef {object} WebSocketPlan
 * @property {string} match which message responds to a sent one, unless a hook decides it: `next`, or `json PATH`
 * @property {ReadonlyArray<string>} subprotocols that are offered, the preferred one first
 * @property {number | null} pingMs between two pings on a connection; null for none
 * @property {boolean} receives whether messages that respond to nothing are timed
 * @property {boolean} listens whether none is sent
 * @property {string | null} age path of the time in such a message; null where its age is not measured
 * @property {number} stallMs a longer gap between two of them is a stall
 * @property {boolean} deflates whether compression is offered
 *
 * @typedef {object} Tls settings that tls.connect does not have
 * @property {boolean} sessionReuse whether a connection resumes the session that came last from its target
 * @property {ReadonlyArray<string>} ciphers that OpenSSL has to know
 *
 * @typedef {object} Plan
 * @property {ReadonlyArray<import('../requests/target').Target>} targets
 * @property {ReadonlyArray<import('../requests/target').Target>} origins to which user functions may send as well
 * @property {number} lanes how many requests of one user are in flight at the same time, at most
 * @property {boolean} keepGoing whether an exception of a user function ends its iteration, and not the run
 * @property {ReadonlyArray<Scenario>} scenarios the connections choose among; with a list one for each origin, without
 *   steps
 * @property {ReadonlyArray<string>} scenarioNames of the scenarios that users take; none when there is one without a
 *   name
 * @property {{ redirects: boolean, retries: boolean } | null} users whether they follow redirects, and whether they try
 *   again; null where connections are no users
 * @property {import('../templates/shared-values').PlannedSharedValues | null} sharedValues where the values of
 *   templates come from; null when there are none, and no data
 * @property {import('../users/session').SessionRules | null} session of each user: cookies, and redirects that are
 *   followed; null for neither
 * @property {Listing | null} list of requests that connections share, instead of steps
 * @property {'1.1' | '2' | 'auto'} http version; auto until the servers' preference is known
 * @property {import('../net/route').Network | null} network how connections are made; null for the default
 * @property {string} protocol one of PROTOCOLS
 * @property {any} dispatcher of undici that sends them, or its factory, or the path of a module that exports one of
 *   these; null for our own
 * @property {Tls | null} tls null for the default
 * @property {number} firstConnection number of the first of these connections in the whole run, by which it chooses
 * @property {number} connectionStep how far it is to the number of the next
 * @property {Request} defaults of requests
 * @property {import('../checks/rule').RuleBase} ruleBase expectations for the responses to all requests
 * @property {{ setupClient: unknown, verifyBody: unknown, check: unknown, match?: unknown }} hooks of all requests:
 *   functions or module paths
 * @property {Record<string, any>} initialContext
 * @property {boolean} idReplacement
 * @property {number | null} trace the share of the requests whose traces are sampled; null to send no traces
 * @property {string | Uint8Array | null} expectBody
 * @property {boolean} compressed whether bodies that are inspected are decoded
 * @property {number} connections each with its own requests, budget and number; the number of users if several share
 *   a connection
 * @property {number} streams users per connection, each with its own stream; 1 if they share none
 * @property {number} pipelining
 * @property {number} duration ms
 * @property {number} seed of random values
 * @property {number} skipFirst ms at the start of the load that are in no figure
 * @property {number | null} amount requests in all; null where something else ends the run
 * @property {number | null} iterations of users that begin in all; null where something else ends the run
 * @property {number | null} maxConnectionRequests
 * @property {number | null} maxOverallRequests
 * @property {number} reconnectRate requests per socket, Infinity for no limit
 * @property {Pacing | null} pacing null for a closed loop, and where groups have theirs
 * @property {ReadonlyArray<Group> | null} groups of connections, one after the other, where scenarios run side by side;
 *   null where all have the same load
 * @property {ReadonlyArray<import('../shapes/stages').Stage> | null} stages of the whole run, of all generators
 *   together; null for a load that stays the same
 * @property {boolean} steered whether stages are added while it runs, until `stop`
 * @property {ReadonlyArray<import('../instruments/stages/stage-times').StageTime>} [stageTimes] times of streams that
 *   are counted by stage; none by default
 * @property {number} threads generators on the same machine
 * @property {boolean} apart whether it runs on its own machine, and may be lost: each of its reports is complete
 * @property {boolean} together whether the load begins with `begin`: at the same time as others
 * @property {'native' | 'node'} sockets what reads and writes
 * @property {boolean} arrivals whether a response is complete when it arrives in the kernel, where that is known
 * @property {boolean} ignoreCoordinatedOmission
 * @property {StreamPlan | null} stream null where responses are taken as a whole
 * @property {ReadonlyArray<import('../figures/goodput').Goodput> | null} goodput bounds of thresholds for each
 *   response; null for none
 * @property {WebSocketPlan | null} websocket null for requests over HTTP
 * @property {number} bailout errors and mismatches, Infinity for no limit
 * @property {boolean} excludeErrorStats
 * @property {number} timeout ms
 * @property {number} connectTimeout ms
 * @property {number} sampleInt ms
 */

/** @type {(values: import('./normalize').Values) => Plan} */
function buildPlan (values) {
  const { socketPath, servername } = values
  const tlsOptions = tlsOptionsOf(values)
  const websocket = planWebSocket(values)
  const templates = hasTemplates(values) ? require('./requests/shared-values') : null
  const targets = values.url.map((/** @type {string} */ url) => {
    const target = parseTarget(url, { socketPath, servername, tlsOptions, schemes: SCHEMES })
    return Object.freeze(templates === null ? target : templates.withPathText(target))
  })
  const origins = Object.freeze((values.origins ?? []).map((/** @type {string} */ url) =>
    Object.freeze(parseTarget(url, { servername, tlsOptions }))))
  /** @type {Request} */
  const defaults = Object.freeze({
    method: websocket === null ? values.method : MESSAGE,
    path: null,
    headers: websocket === null ? headersOf(values) : values.headers ?? [],
    body: values.body ?? null
  })
  const base = values.form === undefined ? defaults : withForm(defaults, values.form)
  const ruleBase = Object.freeze({
    expect: values.expect ?? null,
    byRequest: values.byRequest,
    origins: new Set(originsIn(values)).size > 1,
    several: values.scenarios?.length > 1
  })
  const streams = usersPerConnection(values)
  const connections = Math.min(values.connections * streams, values.amount ?? Infinity)
  const stages = stagesOf(values)
  const sides = values.scenarios !== undefined && require('./load/side-by-side').runSideBySide(values)
    ? require('./load/side-by-side').sidesOf(values)
    : null
  const list = values.targets === undefined ? null : require('./listing').listingOf(values, base, targets, ruleBase)
  const bare = list === null
    ? scenariosOf(values, targets, defaults, base, ruleBase, sides, origins)
    : Object.freeze(
      list.origins.map(({ count }) => Object.freeze({ weight: count, steps: Object.freeze([]), userScenarios: null }))
    )
  const scenarios = templates === null ? bare : templates.withTemplates(bare, values, targets)
  // Loaded where scenarios run side by side.
  const groups = sides === null
    ? null
    : require('./load/groups').groupsOf(sides, values, targets.length, streams, pacingOf)
  return Object.freeze({
    targets: Object.freeze(targets),
    origins,
    lanes: lanesOf(values, scenarios),
    keepGoing: values.keepGoing,
    scenarios,
    scenarioNames: Object.freeze(
      (values.scenarios ?? []).flatMap((/** @type {{ name?: string }} */ { name }) => name === undefined ? [] : [name])
    ),
    users: hasUsers(values) ? require('./users/users').sessionsOf(values) : null,
    sharedValues: templates === null ? null : templates.sharedValuesOf(values, scenarios),
    session: sessionOf(values),
    list,
    http: values.http ?? '1.1',
    network: setAmong(values, ROUTE).length > 0 ? require('./net/network').networkOf(values) : null,
    protocol: protocolIn(values),
    dispatcher: values.dispatcher ?? null,
    tls: tlsPlanOf(values),
    firstConnection: 0,
    connectionStep: 1,
    defaults: base,
    ruleBase,
    hooks: Object.freeze({
      setupClient: values.setupClient, verifyBody: values.verifyBody, check: values.check,
      checkEvent: values.checkEvent,
      ...typeof values.match === 'object' && { match: values.match.hook }
    }),
    initialContext: values.initialContext ?? {},
    idReplacement: values.idReplacement,
    trace: values.trace ?? null,
    expectBody: values.expectBody ?? null,
    compressed: values.compressed,
    connections: groups === null
      ? streams === 1 ? values.connections : connections
      : groups.reduce((sum, { connections }) => sum + connections, 0),
    streams,
    pipelining: streams === 1 ? values.pipelining : 1,
    seed: values.seed ?? 1,
    duration: values.duration * 1000 * (values.until === undefined ? 1 : require('../judge/until').LONGEST),
    skipFirst: (values.skipFirst ?? 0) * 1000,
    ...limitsOf(values),
    reconnectRate: values.reconnectRate ?? Infinity,
    pacing: groups === null ? pacingOf(streams === 1 ? values : { ...values, connections }) : null,
    groups,
    stages,
    steered: false,
    threads: 1,
    apart: false,
    together: false,
    sockets: traitsIn(values).isOpaque ? 'node' : values.sockets ?? 'native',
    arrivals: values.clock !== 'read',
    ignoreCoordinatedOmission: values.ignoreCoordinatedOmission,
    stream: planStream(values),
    goodput: goodputsOf(values),
    websocket,
    bailout: values.bailout ?? Infinity,
    excludeErrorStats: values.excludeErrorStats,
    timeout: values.timeout * 1000,
    connectTimeout: (values.connectTimeout ?? values.timeout) * 1000,
    sampleInt: values.sampleInt
  })
}

/** An amount takes precedence. @param {import('./normalize').Values} values */
function limitsOf ({ amount, maxConnectionRequests = null, maxOverallRequests = null }) {
  return amount instanceof Amount
    ? { amount: null, iterations: amount.number, maxConnectionRequests: null, maxOverallRequests: null }
    : { amount: amount ?? null, iterations: null, maxConnectionRequests, maxOverallRequests }
}

/**
 * @param {import('./normalize').Values} values
 * @param {ReadonlyArray<import('../requests/target').Target>} targets
 * @param {Request} defaults
 * @param {Request} base with a form
 * @param {import('../checks/rule').RuleBase} ruleBase
 * @param {import('./load/side-by-side').Side[] | null} sides
 * @param {ReadonlyArray<import('../requests/target').Target>} origins
 * @returns {ReadonlyArray<Scenario>}
 */
function scenariosOf (values, targets, defaults, base, ruleBase, sides, origins) {
  if (hasUsers(values)) {
    const { usersOf } = require('./users/users')
    return Object.freeze(usersOf(values, targets, defaults, base, ruleBase, sides, origins))
  }
  return Object.freeze(stepsOf(values, targets, defaults, base, ruleBase).map(steps =>
    Object.freeze({ weight: 1, steps: Object.freeze(steps), userScenarios: null })))
}

/** @type {(values: import('./normalize').Values) => string[]} */
function originsIn (values) {
  const named = hasFlows(values) ? values.origins ?? [] : []
  return [...values.url, ...named].map(url => new URL(url).origin)
}

/** @type {(values: import('./normalize').Values, scenarios: ReadonlyArray<Scenario>) => number} */
function lanesOf (values, scenarios) {
  const isParallel = hasFunctions(values) || (hasFlows(values) && scenarios.some(({ userScenarios }) =>
    userScenarios?.some(({ flow }) => flow !== null && require('./users/flows').isParallel(flow))))
  return isParallel ? values.connectionsPerUser : 1
}

/** @type {(values: import('./normalize').Values) => Plan['session']} */
function sessionOf (values) {
  const { cookies, redirects, redirectsAnywhere, scenarios, user } = values
  const byRequest = hasFunctions(values) || hasFlows(values)
  if (!cookies && redirects === 0 && !byRequest) return null
  // A user of scenarios is another visitor in each iteration, except for one that logs in once.
  const stays = (scenarios === undefined && user === undefined) ||
    scenarios?.some((/** @type {Record<string, any>} */ { requests }) => onceIn(requests).length > 0)
  const kept = cookies
    ? Object.freeze({
      keep: cookies.keep ?? (stays ? 'connection' : 'iteration'), isSet: cookies.keep !== null,
      start: cookies.start ?? []
    })
    : null
  return Object.freeze({
    cookies: kept, redirects: Object.freeze({ most: redirects, byRequest, anywhere: redirectsAnywhere })
  })
}

/** @type {(values: import('./normalize').Values) => Request['headers']} */
function headersOf ({ headers = [], compressed }) {
  return compressed
    ? mergeHeaders([['Accept-Encoding', require('../requests/content-coding').ACCEPTED]], headers)
    : headers
}

/** @param {Request} defaults @param {{ body: Buffer, contentType: string }} form */
function withForm (defaults, { body, contentType }) {
  return Object.freeze({ ...defaults, body, headers: mergeHeaders([['Content-Type', contentType]], defaults.headers) })
}

/** @type {(values: import('./normalize').Values) => ReadonlyArray<import('../shapes/stages').Stage> | null} */
function stagesOf ({ stages, connections }) {
  return stages === undefined ? null : planStages(stages, overConnections(stages) ? connections : 0)
}

/** @type {(values: import('./normalize').Values) => Pacing | null} */
function pacingOf (values) {
  const {
    connectionRate, overallRate, connections, amount = Infinity, pace = null, arrivals = 'even', seed = 1,
    scenarios = []
  } = values
  const shape = shapeIn(values)
  const unit = shape?.unitOf(shape.value) ?? null
  const kept = {
    unit: unit ?? 'requests', scenario: unit === 'iterations' && scenarios.length <= 1 ? 0 : null,
    pace, part: 0, parts: 1, shape: 'constant', form: null, arrivals, seed
  }
  if (shape !== undefined && unit !== null) {
    return { shared: true, perConnection: false, ...kept, shape: shape.name, ...shape.planned(shape.value) }
  }
  if (connectionRate !== undefined) {
    return { rate: connectionRate * Math.min(connections, amount), shared: false, perConnection: true, ...kept }
  }
  return overallRate === undefined ? null : { rate: overallRate, shared: false, perConnection: false, ...kept }
}

/**
 * The actual number of connections and workers of a run: each worker has at least one connection and, of an amount, at
 * least one request.
 * @param {import('./normalize').Values} values
 * @returns {{ connections: number, workers: number | undefined }}
 */
function extentOf (values) {
  const { connections, agents, stages, scenarios = [] } = values
  // The threads of agents are known once these are connected.
  const workers = agents === undefined ? values.workers : undefined
  // Users who make a request each share connections.
  const amount = Math.ceil((values.amount ?? Infinity) / usersPerConnection(values))
  // Scenarios with their own connections have no others.
  const most = scenarios.some((/** @type {Record<string, unknown>} */ one) =>
    (one.connections ?? one.rate ?? one.stages) !== undefined)
    ? connections
    : Infinity
  const threads = workers === undefined ? undefined : Math.min(workers, amount, most)
  // Stages may begin without a connection.
  if (stages?.[0].connections !== undefined) return { connections, workers: threads ?? values.workers }
  return { connections: Math.min(Math.max(connections, threads ?? 1), amount), workers: threads ?? values.workers }
}

module.exports = { buildPlan, extentOf }
