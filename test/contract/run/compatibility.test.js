'use strict'

// docs/compatibility.md: it has a row for all that the reference documents, and each test that it names exists.

const t = require('tap')
const { readdirSync, readFileSync } = require('node:fs')
const path = require('node:path')

const [differences, table] = readFileSync(path.join(__dirname, '../../../docs/compatibility.md'), 'utf8').split('\n## What differs\n')[1].split('\n## What is the same\n')

/** What autocannon 9 documents, by where it does. */
const REFERENCE = {
  flags: ['-c/--connections', '-p/--pipelining', '-d/--duration', '-a/--amount', '-L', '-S/--socketPath', '-w/--workers', '-W/--warmup', '--on-port',
    '-m/--method', '-t/--timeout', '-T/--title', '-b/--body', '-F/--form', '-i/--input', '-H/--headers', '--har', '-B/--bailout',
    '-M/--maxConnectionRequests', '-O/--maxOverallRequests', '-r/--connectionRate', '-R/--overallRate', '-C/--ignoreCoordinatedOmission',
    '-D/--reconnectRate', '-n/--no-progress', '-l/--latency', '-I/--idReplacement', '-j/--json', '-f/--forever', '-s/--servername',
    '-x/--excludeErrorStats', '-E/--expectBody', '--renderStatusCodes', '--cert', '--key', '--ca', '--debug', '-v/--version', '-V/--verbose',
    '-h/--help', 'PORT'],
  options: ['url', 'socketPath', 'workers', 'connections', 'duration', 'amount', 'sampleInt', 'timeout', 'pipelining', 'bailout', 'method', 'title',
    'body', 'form', 'headers', 'initialContext', 'setupClient', 'verifyBody', 'maxConnectionRequests', 'maxOverallRequests', 'connectionRate',
    'overallRate', 'ignoreCoordinatedOmission', 'reconnectRate', 'requests', 'requests[].body', 'requests[].headers', 'requests[].method',
    'requests[].path', 'requests[].setupRequest', 'requests[].onResponse', 'har', 'idReplacement', 'forever', 'servername', 'excludeErrorStats',
    'expectBody', 'tlsOptions', 'skipAggregateResult', 'cb'],
  functions: ['autocannon()', 'track()', 'track: outputStream', 'track: renderProgressBar', 'track: renderResultsTable', 'track: renderLatencyTable',
    'track: progressBarString', 'printResult()', 'printResult: outputStream', 'printResult: renderResultsTable', 'printResult: renderLatencyTable',
    'aggregateResult()', 'aggregateResult: url', 'aggregateResult: title', 'aggregateResult: socketPath', 'aggregateResult: connections',
    'aggregateResult: sampleInt', 'aggregateResult: pipelining', 'aggregateResult: workers', 'stop()'],
  events: ['start', 'tick', 'done', 'response', 'reqError', 'reqMismatch', 'error'],
  result: ['title', 'url', 'socketPath', 'requests', 'latency', 'throughput', 'duration', 'errors', 'timeouts', 'mismatches', 'start', 'finish',
    'connections', 'pipelining', 'non2xx', 'resets', 'statusCodeStats', 'min', 'max', 'average', 'stddev', 'p2_5', 'p50', 'p75', 'p90', 'p97_5',
    'p99', 'p99_9', 'p99_99', 'p99_999'],
  client: ['setHeaders', 'setBody', 'setHeadersAndBody', 'setRequest', 'setRequests', 'headers', 'body', 'response', 'reset']
}

/** The headings of their tables. */
const HEADINGS = {
  flags: 'Command line',
  options: 'Options',
  functions: 'Functions',
  events: 'Events',
  result: 'Result',
  client: 'Client'
}

/**
 * @param {string} text
 * @returns {string[][]} the cells of its tables, without their heads
 */
const rows = text => text.split('\n').filter(line => line.startsWith('| ')).map(line => line.slice(2, -2).split(' | '))

/** @param {string} cell */
const codeSpans = cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code)

/**
 * @param {string} cell such as `limits` › a name<br>`hooks` › another
 * @returns {Array<{ file: string, name: string }>}
 */
function testsOf (cell) {
  return cell.split('<br>').map(one => {
    const [, file, name] = /^`([\w-]+)` › (.+)$/.exec(one.trim()) ?? []
    return { file, name }
  })
}

const CONTRACT = path.join(__dirname, '..')
const sources = new Map(readdirSync(CONTRACT, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.test.js')).map(file =>
  [path.basename(file, '.test.js'), readFileSync(path.join(CONTRACT, file), 'utf8')]))

for (const [part, names] of Object.entries(REFERENCE)) {
  t.test(`has a row for each of the ${part}`, async t => {
    const [, ...sections] = table.split(`\n### ${/** @type {any} */ (HEADINGS)[part]}\n`)
    t.equal(sections.length, 1)
    const listed = rows(sections[0].split('\n### ')[0]).flatMap(([what]) => codeSpans(what))
    t.strictSame([...listed].sort(), [...names].sort(), 'each once, and nothing else')
  })
}

for (const [what, text] of /** @type {const} */ ([['what is the same', table], ['what differs', differences]])) {
  t.test(`every test named in ${what} exists`, async t => {
    const all = rows(text).filter(cells => codeSpans(cells.at(-1) ?? '').length > 0)
    t.ok(all.length > 40)
    t.strictSame(rows(text).filter(([first]) => !['What', 'Here', '---'].includes(first)).length, all.length, 'every row names one')
    const missing = all.flatMap(cells => testsOf(cells.at(-1) ?? '')).filter(({ file, name }) =>
      name === undefined || ![`'${name.replaceAll("'", "\\'")}'`, `"${name}"`].some(literal => ['t.test(', 'inAllModes(t, ', 'byOurClient(t, ', 'overHttp1(t, ', 'withWorkers(t, '].some(call => (sources.get(file) ?? '').includes(`${call}${literal}, `))))
    t.strictSame(missing, [])
  })
}
