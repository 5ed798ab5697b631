'use strict'

// Who may import whom, types in comments included: the require graph against the table below. Why each boundary: docs/architecture.md.

const t = require('tap')
const { readdirSync, readFileSync } = require('node:fs')
const { builtinModules } = require('node:module')
const path = require('node:path')
const ts = require('typescript')
const { dependencies, peerDependencies } = require('../package.json')

const ROOT = path.join(__dirname, '..')

/** What is sent, and by whom. */
const MODEL = ['requests/', 'templates/', 'target-files/', 'users/']

/** Lists of parts.js. */
const SHAPES = ['parts SHAPES', 'parts ARRIVALS']
const PROTOCOLS = ['parts PROTOCOLS', 'protocols/protocol']

/** What says what an instrument consists of: the file with the name of its folder. */
const INSTRUMENTS = readdirSync(path.join(ROOT, 'lib/instruments'), { withFileTypes: true }).filter(one => one.isDirectory()).map(({ name }) => `instruments/${name}/${name}`)

/** What a generator counts for an instrument. */
const COUNTING = ['instruments/*/record', 'instruments/iterations/iteration-tally', 'instruments/iterations/arrival-tally', 'instruments/stages/stage-tally', 'instruments/stages/stage-times', 'instruments/stages/live-stages', 'instruments/exemplars/selection']

/** What instruments know of a result and its parts: others ask for it. */
const JUDGING = ['instruments/generator/', 'instruments/rate/', 'instruments/clock/']

/**
 * The table. A file belongs to the first layer that has it. Names are files or folders of lib/, without `.js`; a folder
 * ends with a slash, and * is any folder.
 * `may`: what of ours it may require, and name types of. `types`: what it may name the types of besides: the shape of what it is given.
 * `pure`: a function of its arguments, which reads files at most: see IMPURE.
 * @type {Array<{ has: string[], may: string[] | 'anything', types?: string[], pure?: boolean }>}
 */
const LAYERS = [
  // Any folder may require these.
  { has: ['core/clock', 'core/timers'], may: [] },
  { has: ['core/'], may: ['core/'], pure: true },
  // What is sent, and by whom.
  { has: ['requests/'], may: ['core/', 'requests/'], pure: true, types: ['options/type'] },
  { has: ['templates/'], may: ['core/', 'requests/', 'templates/'], pure: true, types: ['users/compiled-scenario'] },
  { has: ['target-files/'], may: ['core/', 'requests/', 'templates/', 'target-files/'], pure: true },
  { has: ['users/'], may: ['core/', ...MODEL], pure: true },
  // Expressions are read with the options, and flows run as user functions.
  { has: ['flows/formula'], may: ['core/'], pure: true },
  { has: ['flows/'], may: ['core/', 'flows/', 'functions/iteration-cut', ...MODEL], types: ['functions/'], pure: true },
  { has: ['checks/'], may: ['core/', 'requests/', 'templates/', 'checks/'], pure: true, types: ['options/type'] },
  // When it is sent: the shapes of a load, and what all of them share.
  { has: ['parts SHAPES', 'parts ARRIVALS'], may: ['shapes/'], types: ['shapes/shape'] },
  { has: ['shapes/staged/parse'], may: ['core/', 'shapes/rate', 'shapes/stages', 'requests/place', 'checks/rule', 'figures/parts', 'requests/fields'], pure: true },
  { has: ['shapes/replay/trace'], may: ['core/', 'requests/file', 'requests/json', 'templates/rows'], pure: true },
  { has: ['shapes/'], may: ['core/', ...SHAPES, 'shapes/'], pure: true, types: ['options/table', 'options/type', 'requests/fields'] },
  // Options become requests, users, checks and shapes, and what judges results reads its own options: thresholds, limits, precision. A plan has the route that a generator splits.
  { has: ['options/'], may: ['core/', 'options/', ...MODEL, 'checks/', 'flows/formula', 'flows/value', ...SHAPES, 'shapes/', 'record/', 'instruments/*/record', 'instruments/*/result', 'figures/', 'judge/', 'net/route', 'net/allowed', 'parts STREAMS', 'parts RENDERERS', ...PROTOCOLS], pure: true, types: ['instruments/stages/stage-times'] },
  { has: ['record/'], may: ['core/', 'record/', 'instruments/index'], pure: true },
  { has: ['figures/'], may: ['core/', 'figures/', 'record/', 'shapes/stages', 'protocols/protocol', 'instruments/index'], pure: true },
  // An instrument: what a generator counts, what the result has of that, and how reports show it.
  // The one list of them, with parts that are loaded on demand.
  { has: ['parts INSTRUMENTS', ...INSTRUMENTS], may: ['instruments/'] },
  { has: ['instruments/index'], may: ['parts INSTRUMENTS'], types: ['instruments/', 'options/plan', 'figures/result', 'record/distributions'] },
  { has: ['instruments/*/check'], may: ['core/', 'record/shapes', 'record/coarse', 'instruments/*/check', 'instruments/generator/verdict', ...COUNTING], pure: true },
  { has: COUNTING, may: ['core/', ...COUNTING, 'record/'], pure: true, types: ['figures/goodput'] },
  { has: ['instruments/*/result', 'instruments/streams/point', 'instruments/tokens/point', 'instruments/proxies/refused'], may: ['core/', 'words/load-generator', ...JUDGING, ...COUNTING, 'instruments/*/result', 'instruments/tokens/point', 'record/', 'figures/', 'shapes/stages'], pure: true },
  { has: JUDGING, may: ['core/', 'words/load-generator', ...JUDGING, 'record/'], types: ['figures/point', 'figures/series'], pure: true },
  { has: ['instruments/*/findings'], may: ['core/', 'figures/', 'findings/rate', 'instruments/proxies/refused', ...JUDGING], types: ['findings/findings'], pure: true },
  { has: ['instruments/*/report'], may: ['core/', 'record/percentiles', 'instruments/*/report', 'instruments/*/findings', 'instruments/proxies/refused', ...JUDGING, 'report/', 'figures/', 'words/'], types: ['instruments/*/result'] },
  { has: ['instruments/*/families'], may: ['follow/metrics/family'], types: ['follow/metrics/families', 'instruments/*/record', 'record/'] },
  { has: ['findings/'], may: ['core/', 'findings/', ...JUDGING, 'figures/', 'instruments/index'], pure: true },
  { has: ['words/'], may: ['core/', 'words/', 'record/percentiles', 'figures/error-words', 'instruments/generator/verdict', 'figures/parts'], types: ['findings/'], pure: true },
  { has: ['judge/'], may: ['core/', 'judge/', 'figures/', 'record/', ...JUDGING, 'instruments/*/result', 'instruments/*/findings', 'instruments/proxies/refused', 'findings/', 'words/'], pure: true, types: ['requests/fields'] },
  // How bytes get to a server and back. A peer is given its way, and a way its peer.
  { has: ['net/route', 'net/shortage', 'net/ended-by-peer'], may: ['core/'], pure: true },
  { has: ['net/allowed'], may: ['core/', 'net/route'], pure: true, types: ['net/addresses', 'requests/target'] },
  { has: ['net/'], may: ['core/', 'net/', 'requests/target'], types: ['options/net/network', 'options/plan', 'protocols/peer', 'requests/'] },
  { has: ['parts PROTOCOLS'], may: ['protocols/'], types: ['protocols/protocol'] },
  { has: ['protocols/protocol'], may: ['parts PROTOCOLS'], types: ['core/clock', 'core/problem', 'options/normalize', 'options/plan', 'protocols/peer'] },
  { has: ['protocols/*/rules'], may: ['core/', 'requests/headers', 'protocols/http2/connection-fields', 'protocols/undici/requests', 'protocols/websocket/handshake'], pure: true, types: ['options/normalize', 'protocols/protocol', 'requests/'] },
  { has: ['protocols/peer', 'protocols/head', 'protocols/head-memo', 'protocols/serialize'], may: ['core/', 'protocols/head-memo'], pure: true, types: ['requests/', 'templates/', 'net/transport'] },
  { has: ['protocols/http1/'], may: ['core/', 'protocols/http1/', 'net/route', 'protocols/head', 'protocols/head-memo', 'protocols/peer', 'protocols/serialize'], pure: true, types: ['requests/', 'templates/', 'protocols/protocol'] },
  { has: ['protocols/http2/'], may: ['core/', 'protocols/http2/', 'protocols/head', 'protocols/head-memo', 'protocols/peer', 'requests/target'], pure: true, types: ['requests/', 'protocols/protocol', 'net/transport', 'net/sockets/native-socket'] },
  // The bytes of WebSocket: no sockets, no clocks.
  { has: ['frames', 'frame-reader', 'frame-writer', 'close-codes', 'extensions', 'deflate', 'handshake', 'json-span', 'matchers'].map(name => `protocols/websocket/${name}`), may: ['core/', 'protocols/websocket/', 'requests/hook-result', 'requests/json-numbers', 'requests/json-path'], pure: true, types: ['requests/', 'protocols/peer'] },
  { has: ['protocols/websocket/'], may: ['core/', 'protocols/websocket/', 'protocols/peer'], pure: true, types: ['requests/', 'templates/', 'options/plan', 'protocols/protocol'] },
  { has: ['protocols/websocket-http2/'], may: ['core/', 'protocols/websocket-http2/', 'protocols/websocket/', 'protocols/http2/', 'protocols/peer'], pure: true, types: ['requests/', 'options/plan', 'protocols/protocol'] },
  { has: ['protocols/undici/'], may: ['core/', 'protocols/undici/', 'protocols/serialize', 'protocols/peer', 'requests/target', 'net/ended-by-peer'], types: ['requests/', 'templates/', 'options/plan', 'net/transport', 'protocols/protocol'] },
  // Another one.
  { has: ['protocols/'], may: ['core/', 'protocols/', 'net/route', 'net/ended-by-peer', 'requests/'], types: ['templates/', 'options/', 'net/transport'] },
  // What a response delivers piece by piece.
  { has: ['parts STREAMS'], may: ['streams/'], types: ['streams/stream'] },
  { has: ['streams/stream'], may: ['parts STREAMS'], types: ['streams/sse/fields'], pure: true },
  { has: ['streams/'], may: ['core/', 'streams/'], pure: true },
  { has: ['response/'], may: ['core/', 'response/', ...MODEL, 'checks/', 'record/', 'streams/stream'], types: ['figures/goodput', 'instruments/*/record', 'instruments/stages/stage-times', 'options/plan'] },
  // The load: what is due when, what is in flight, and what becomes of it.
  { has: ['engine/health/'], may: ['core/', 'engine/health/', 'engine/pacing/running-clock', 'machine/read', 'machine/stolen-time', 'record/histogram', 'record/usage'] },
  { has: ['engine/pacing/'], may: ['core/', 'engine/pacing/', 'shapes/'], types: ['options/plan', 'engine/shared', 'engine/groups', 'record/recorder', 'instruments/iterations/record'] },
  { has: ['engine/'], may: ['core/', 'engine/', 'flows/', 'functions/', ...MODEL, 'checks/', 'shapes/', 'net/', 'parts PROTOCOLS', 'response/', 'record/', 'instruments/index', ...COUNTING], types: ['options/plan', 'protocols/'] },
  // What a user function sees and asks for: its requests are compiled, carried and counted by the engine.
  { has: ['functions/'], may: ['core/', 'functions/', ...MODEL, 'checks/', 'response/', 'options/users/retries'], types: ['instruments/*/record'] },
  // Files of Linux are read by a function that is passed in.
  { has: ['machine/read'], may: ['core/'], types: ['machine/cgroup'] },
  { has: ['machine/'], may: ['machine/cgroup'], pure: true },
  { has: ['follow/followers'], may: ['core/'], types: ['figures/', 'record/', 'instruments/generator/health'] },
  { has: ['follow/throttle'], may: [], pure: true },
  // Metrics are read from what is counted, and distributions become buckets of others.
  { has: ['follow/metrics/'], may: ['core/', 'follow/metrics/', 'follow/listening', 'follow/throttle', 'record/buckets', 'record/histogram', 'instruments/index', 'instruments/generator/verdict'], types: ['follow/followers', 'record/', 'options/ui', 'run/instance', 'instruments/*/record', 'instruments/server/result'] },
  // What a follower shows is a report; a line of a log has the latencies since the line before.
  { has: ['follow/live/'], may: ['core/', 'follow/', 'instruments/*/report', 'instruments/generator/verdict', 'record/histogram', 'report/', 'findings/redirects', 'findings/responses', 'words/load-generator'], types: ['figures/series'] },
  { has: ['follow/'], may: ['core/', 'follow/', 'instruments/*/report', 'report/', ...SHAPES, 'shapes/shape'], types: ['figures/series', 'options/ui', 'record/histogram'] },
  // The instance is the edge where options are read; a channel loads the hooks in its thread.
  // What an agent believes of a queue.
  { has: ['run/agents/signature', 'run/agents/generators'], may: ['core/'], pure: true },
  { has: ['run/agents/modules'], may: ['core/', 'options/requests/hook-places', 'options/requests/module-file'], pure: true, types: ['options/plan'] },
  { has: ['run/agents/admission'], may: ['core/', 'run/agents/modules', 'net/transport', 'net/route'], types: ['options/plan'] },
  // One handshake says what HTTP is spoken.
  { has: ['run/no-connection'], may: ['core/'] },
  { has: ['run/attempt'], may: ['core/'], types: ['options/plan', 'net/transport'] },
  { has: ['run/negotiation', 'run/wait'], may: ['core/', 'run/attempt', 'run/name-lookup', 'run/no-connection', 'options/plan', 'net/transport'], types: ['options/read'] },
  // A run says when the server is looked at.
  { has: ['run/'], may: ['core/', 'run/', 'flows/aside', 'functions/function-response', 'functions/habits', 'server/watch', 'follow/followers', 'options/load/load', 'options/plan', 'options/split', 'options/read', 'options/load/seed', 'options/requests/hooks', 'options/users/functions', 'options/users/user-rules', 'machine/', 'net/sockets/binding', 'engine/generator', ...SHAPES, 'parts PROTOCOLS', 'shapes/pace', 'shapes/stages', 'record/', 'figures/', 'judge/', 'instruments/', 'findings/', 'words/findings'] },
  // An experiment is many runs, of whose results it makes one verdict. Its options are read at its own edge.
  { has: ['experiments/*/flags'], may: [], types: ['options/table'] },
  { has: ['experiments/misplaced'], may: ['options/table'], pure: true },
  { has: ['experiments/*/options'], may: ['core/', 'experiments/*/flags', 'experiments/misplaced', 'options/', 'shapes/shape', 'judge/', 'experiments/find/criterion', 'experiments/find/search', 'experiments/find/time-limit', 'experiments/find/trial'], pure: true },
  { has: ['experiments/find/find', 'experiments/find/run-search', 'experiments/find/stepper'], may: ['core/', 'experiments/find/', 'run/instance', 'run/partial-result', 'shapes/stages', 'options/', 'judge/', 'figures/', 'record/', 'findings/', ...JUDGING, 'instruments/server/result', 'instruments/stages/stage-times'], types: ['instruments/goodput/record', 'run/coordinator'] },
  { has: ['experiments/find/'], may: ['core/', 'experiments/find/', 'judge/', 'figures/', 'record/', 'findings/', ...JUDGING, 'instruments/stages/stage-times'], pure: true, types: ['instruments/server/result'] },
  // The limits of a comparison name why a run failed, in the words of its report.
  { has: ['experiments/versus/'], may: ['core/', 'experiments/versus/', 'run/instance', 'run/promised', 'options/', 'judge/', 'figures/', 'words/', 'instruments/proxies/', 'report/headline', 'report/findings', 'follow/followers'], types: ['../index'] },
  // Errors have the same words in a verdict and in a report. The percentiles that a result has are its shape, its histograms are in the form of HdrHistogram, and what a threshold tolerates
  // is told by what it is about. That a server fell silent is one sentence for gates and notes; that it stood still
  // meanwhile is read from the series.
  { has: ['report/formats/format'], may: ['core/', 'report/', 'parts RENDERERS'], types: ['figures/series'] },
  { has: ['report/'], may: ['core/', 'report/', ...SHAPES, 'shapes/shape', 'shapes/rate', 'instruments/', 'figures/error-words', 'figures/gaps', 'figures/lifted', 'figures/parts', 'figures/needed-connections', 'record/coarse', 'record/percentiles', 'record/hdr', 'findings/', 'words/', 'judge/premise', 'experiments/find/search-steps', 'judge/threshold', 'judge/until'], types: ['../index', 'figures/series', 'instruments/server/result'] },
  { has: ['server/'], may: ['core/', 'server/'], types: ['instruments/server/result'] },
  { has: ['parts RENDERERS'], may: ['report/', 'core/foreign-text'], types: ['report/formats/format'] },
  { has: ['parts EXPERIMENTS', 'parts VIEWS', 'cli/', '../index', '../bin/'], may: 'anything' }
]

const IMPURE = {
  modules: ['net', 'tls', 'dgram', 'http', 'https', 'timers', 'timers/promises', 'process', 'console', 'events', 'worker_threads', 'child_process'],
  globals: ['process', 'console', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate', 'EventEmitter', 'performance', 'Date.now']
}

/** Scripts of the page. */
const IN_BROWSER = ['drawing', 'axes', 'heat', 'plot', 'client', 'live-client'].map(name => `report/html/${name}`)

/** Files that are not required: another process or thread starts with them. */
const ENTRIES = ['../index', '../bin/autocannon', 'run/thread-entry', 'run/name-lookup-entry', 'cli/process/watchdog-entry', 'server/preload/report-listening', ...IN_BROWSER]

/**
 * @typedef {object} Source
 * @property {string} name relative to lib/, without `.js`
 * @property {string[]} ours files that it requires, by name
 * @property {string[]} types files whose types its JSDoc names, by name
 * @property {string[]} foreign built-in modules without `node:`, and packages
 * @property {string[]} missing relative paths that lead nowhere
 * @property {Set<string>} globals free identifiers, and members of `process` as `process.stdout`
 * @property {string[]} strings
 */

/** The list of parts. Each list in it is a source of its own here: who may require one may not require the others. */
const PARTS = 'lib/parts.js'

/** @type {Map<string, Source>} */
const sources = new Map()
for (const file of ['index.js', ...jsFiles('bin'), ...jsFiles('lib')]) {
  for (const source of file === PARTS ? listsIn(file) : [read(file)]) sources.set(source.name, source)
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function jsFiles (folder) {
  return readdirSync(path.join(ROOT, folder), { recursive: true })
    .map(file => path.join(folder, String(file)))
    .filter(file => file.endsWith('.js'))
    .sort()
}

/** @param {string} file from the root */
function nameOf (file) {
  return path.relative('lib', file).replaceAll('\\', '/').replace(/\.js$/, '')
}

/** @param {string} file from the root */
function parse (file) {
  return ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
}

/** @param {string} file the list of parts */
function listsIn (file) {
  return parse(file).statements.filter(ts.isVariableStatement).map(list => read(file, list, `parts ${list.declarationList.declarations[0].name.getText()}`))
}

/**
 * @param {string} file from the root
 * @param {import('typescript').Node} [tree] all of it, or a part
 * @param {string} [name] of that
 * @returns {Source}
 */
function read (file, tree = parse(file), name = nameOf(file)) {
  /** @type {Source} */
  const source = { name, ours: [], types: [], foreign: [], missing: [], globals: new Set(), strings: [] }
  /** @param {import('typescript').Node} node */
  const visit = node => {
    const asked = requested(node)
    if (asked?.startsWith('.')) source.ours.push(...resolve(asked).flatMap(other => other === 'parts' ? listsOf(node) : other))
    else if (asked !== undefined) source.foreign.push(asked.replace(/^node:/, ''))
    for (const comment of node.jsDoc ?? []) visitType(comment)
    if (ts.isStringLiteralLike(node)) source.strings.push(node.text)
    if (ts.isIdentifier(node) && isReference(node)) {
      source.globals.add(node.text)
      const { parent } = node
      if (ts.isPropertyAccessExpression(parent) && parent.expression === node) source.globals.add(`${node.text}.${parent.name.text}`)
    }
    ts.forEachChild(node, visit)
  }
  /** @param {import('typescript').Node} node */
  const visitType = node => {
    if (ts.isImportTypeNode(node)) {
      const { text } = node.argument.literal
      if (text.startsWith('.')) source.types.push(...resolve(text).map(other => other === 'parts' ? `parts ${node.qualifier?.getText()}` : other))
    }
    ts.forEachChild(node, visitType)
  }
  /**
   * @param {string} asked a relative path
   * @returns {string[]} the name of that file; none of data
   */
  const resolve = asked => {
    const target = path.join(path.dirname(file), asked)
    if (target.endsWith('.json') && isFile(target)) return []
    const found = [target + '.js', path.join(target, 'index.js'), target].find(one => /\.(js|d\.ts)$/.test(one) && isFile(one))
    if (found === undefined) source.missing.push(asked)
    return found === undefined ? [] : [nameOf(found)]
  }
  visit(tree)
  return source
}

/**
 * @param {import('typescript').Node} node
 * @returns {string | undefined} what require(…), require.resolve(…) or import(…) asks for; a path that is computed says nothing
 */
function requested (node) {
  if (!ts.isCallExpression(node)) return undefined
  const { expression, arguments: [asked] } = node
  const called = expression.getText()
  if (called !== 'require' && called !== 'require.resolve' && expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined
  return asked !== undefined && ts.isStringLiteralLike(asked) ? asked.text : undefined
}

/**
 * @param {import('typescript').Node} node `require('./parts')`
 * @returns {string[]} the lists that it takes
 */
function listsOf ({ parent }) {
  return ts.isPropertyAccessExpression(parent) ? [`parts ${parent.name.text}`] : parent.name.elements.map((/** @type {any} */ { name, propertyName = name }) => `parts ${propertyName.text}`)
}

/**
 * @param {import('typescript').Identifier} node
 * @returns {boolean} false for a name that belongs to something else: x.process, { process: … }
 */
function isReference (node) {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  return !((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node)
}

/** @param {string} file from the root */
function isFile (file) {
  try {
    readFileSync(path.join(ROOT, file))
    return true
  } catch {
    return false
  }
}

/**
 * @param {string} name
 * @param {string[]} patterns in which * is the name of a folder
 */
const matches = (name, patterns) => patterns.some(pattern => pattern.includes('*') ? new RegExp(`^${pattern.replace('*', '[^/]+')}$`).test(name) : pattern.endsWith('/') ? name.startsWith(pattern) : name === pattern)

/** @param {string} name */
const layerOf = name => LAYERS.find(({ has }) => matches(name, has))

t.test('every file has a layer, and every layer has files', async t => {
  t.strictSame([...sources.keys()].filter(name => layerOf(name) === undefined), [])
  t.strictSame(LAYERS.flatMap(({ has }) => has).filter(pattern => ![...sources.keys()].some(name => matches(name, [pattern]))), [])
})

t.test('a file requires only what is there', async t => {
  for (const { name, missing } of sources.values()) t.strictSame(missing, [], name)
})

t.test('a layer requires only what it may', async t => {
  for (const { name, ours } of sources.values()) {
    const { may } = /** @type {typeof LAYERS[number]} */ (layerOf(name))
    if (may === 'anything') continue
    t.strictSame(ours.filter(other => !matches(other, may)), [], `lib/${name}.js`)
  }
})

t.test('a layer names only types of what it may require', async t => {
  for (const { name, types } of sources.values()) {
    const { may, types: more = [] } = /** @type {typeof LAYERS[number]} */ (layerOf(name))
    if (may === 'anything') continue
    t.strictSame([...new Set(types)].filter(other => !matches(other, [...may, ...more])), [], `lib/${name}.js`)
  }
})

t.test('pure layers know no network, time, process or events', async t => {
  for (const { name, foreign, globals } of sources.values()) {
    if (!layerOf(name)?.pure) continue
    t.strictSame(foreign.filter(module => IMPURE.modules.includes(module)), [], `modules of lib/${name}.js`)
    t.strictSame(IMPURE.globals.filter(global => globals.has(global)), [], `globals of lib/${name}.js`)
  }
})

t.test('only the transport requires net and tls', async t => {
  const users = [...sources.values()].filter(({ foreign }) => foreign.includes('net') || foreign.includes('tls')).map(({ name }) => name)
  // The preload runs in the server that --on-port starts, and watches its net.
  t.strictSame(users.filter(name => !name.startsWith('server/preload/')), ['net/transport'])
})

t.test('only cli/main writes to stdout and sets the exit code', async t => {
  for (const { name, globals } of sources.values()) {
    if (name === 'cli/main' || name.startsWith('server/preload/')) continue
    t.strictSame(['process.stdout', 'process.exit', 'process.exitCode', 'process.abort', 'console'].filter(global => globals.has(global)), [], name)
  }
})

t.test('run knows no stream of the process', async t => {
  for (const { name, globals } of sources.values()) {
    if (!/^(run|experiments|engine|net|protocols|response)\//.test(name)) continue
    t.strictSame(['process.stdout', 'process.stderr', 'process.stdin'].filter(global => globals.has(global)), [], name)
  }
})

t.test('a report is there at once: what takes time follows a run', async t => {
  for (const { name, foreign, globals } of sources.values()) {
    // Of a report, the page alone goes on, in a browser.
    if (!name.startsWith('report/') || IN_BROWSER.includes(name)) continue
    t.strictSame(foreign.filter(module => IMPURE.modules.includes(module)), [], name)
    // A process says how wide its stderr is, and whether it has colours.
    t.strictSame(IMPURE.globals.filter(global => global !== 'process' && globals.has(global)), [], name)
  }
})

t.test('a part is required by the list of parts, and by its own files', async t => {
  const parts = ['parts SHAPES', 'parts ARRIVALS', 'parts PROTOCOLS', 'parts STREAMS'].map(name => /** @type {Source} */ (sources.get(name))).flatMap(({ ours }) => ours)
  for (const part of new Set(parts)) {
    const own = part.split('/').length > 2 ? [path.dirname(part) + '/'] : [part]
    // A completion is a stream of Server-Sent Events.
    if (part === 'streams/sse/sse') own.push('streams/openai/')
    // One that is spoken on streams of another.
    if (['protocols/http2/http2', 'protocols/websocket/websocket'].includes(part)) own.push('protocols/websocket-http2/')
    const users = [...sources.values()].filter(({ name, ours }) => !name.startsWith('parts ') && !matches(name, own) && ours.some(other => matches(other, own)))
    t.strictSame(users.map(({ name }) => name), [], part)
  }
})

t.test('the list of parts loads nothing before it is used', async t => {
  for (const statement of parse(PARTS).statements) {
    /** @param {import('typescript').Node} node */
    const look = node => {
      if (ts.isArrowFunction(node)) return
      t.equal(requested(node), undefined)
      ts.forEachChild(node, look)
    }
    look(statement)
  }
})

t.test('there are no cycles', async t => {
  /** @type {Set<string>} */
  const done = new Set()
  /** @type {string[]} */
  const cycles = []
  /**
   * @param {string} name
   * @param {string[]} way
   */
  const walk = (name, way) => {
    if (way.includes(name)) cycles.push([...way.slice(way.indexOf(name)), name].join(' → '))
    else if (!done.has(name)) for (const other of sources.get(name)?.ours ?? []) walk(other, [...way, name])
    done.add(name)
  }
  for (const name of sources.keys()) walk(name, [])
  t.strictSame(cycles, [])
})

t.test('every file is used', async t => {
  /** @type {Set<string>} */
  const reached = new Set()
  /** @param {string} name */
  const reach = name => {
    if (reached.has(name)) return
    reached.add(name)
    for (const other of sources.get(name)?.ours ?? []) reach(other)
  }
  for (const entry of ENTRIES) reach(entry)
  t.strictSame([...sources.keys()].filter(name => !reached.has(name)), [])
  const strings = new Set([...sources.values()].flatMap(({ strings }) => strings))
  for (const entry of ENTRIES.filter(name => !name.startsWith('..'))) t.ok(strings.has(path.basename(entry) + '.js'), `lib/ starts ${entry}`)
})

/** Files of a folder: more are not read as a list, and say that topics of it lack a folder. */
const MOST_FILES = 30

t.test(`no folder has more than ${MOST_FILES} files`, async t => {
  /** @type {(folder: string) => string[]} */
  const crowdedIn = folder => {
    const inside = readdirSync(path.join(ROOT, folder), { withFileTypes: true }).filter(({ name }) => name !== 'node_modules' && !name.startsWith('.'))
    const count = inside.filter(one => !one.isDirectory()).length
    return [...count > MOST_FILES ? [`${folder}: ${count}`] : [], ...inside.filter(one => one.isDirectory()).flatMap(({ name }) => crowdedIn(path.posix.join(folder, name)))]
  }
  t.strictSame(['bench', 'bin', 'deploy', 'docs', 'lib', 'native', 'samples', 'test'].flatMap(crowdedIn), [])
})

/** @param {string} asked a package, or a part of one: csv-parse/sync */
const packageOf = asked => asked.split('/', asked.startsWith('@') ? 2 : 1).join('/')

t.test('every package that is required is a dependency, and the other way round', async t => {
  const packages = new Set([...sources.values()].flatMap(({ foreign }) => foreign).filter(name => !builtinModules.includes(name)).map(packageOf))
  // A type package is not required, and this one is found from the user's files.
  const others = ['@types/node', 'cheerio']
  t.strictSame([...packages].sort(), [...Object.keys(dependencies), ...Object.keys(peerDependencies).filter(name => !others.includes(name))].sort())
})
