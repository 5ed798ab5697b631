'use strict'

// What targets and pick mean beside other options.

const t = require('tap')
const path = require('node:path')
const { apiOptions } = require('../../lib/cli/run-values')
const { readFlags } = require('../../lib/cli/args')
const { loadConfig } = require('../../lib/cli/config/config')
const { differenceOfWork } = require('../../lib/judge/comparison/work')
const { buildPlan } = require('../../lib/options/plan')
const { split } = require('../../lib/options/split')
const { readOptions } = require('../../lib/options/read')
const { validate } = require('../../lib/options/validate')
const { commandOf } = require('../../lib/report/html/command')

const url = 'http://localhost:3000'

/** @param {Record<string, any>} options */
const planOf = options => buildPlan(readOptions(options).values)

t.test('what contradicts targets is one sentence', async t => {
  for (const [options, words] of /** @type {Array<[Record<string, any>, string]>} */ ([
    [{ targets: ['/'] }, "targets: '/', entry 0, is a path without a server: give the URL of the server as well, such as http://localhost:3000"],
    [{ targets: [url, '/x'] }, "targets: '/x', entry 1, is a path without a server: give the URL of the server as well, such as http://localhost:3000"],
    [{ url: 'http://u:p@a', targets: [url] }, 'targets: the requests name their servers: omit http://***@a'],
    [{ url, targets: [url, 'http://b'] }, 'targets: the requests name their servers: omit http://localhost:3000'],
    [{ url: [url, 'http://b'], targets: [url] }, 'targets: the requests name their servers: omit http://localhost:3000 and http://b'],
    [{ url: [url, 'http://b'], targets: ['/'] }, 'targets: expected one URL, that of the server for requests that are paths, got 2'],
    [{ url, targets: ['/'], requests: [{}] }, 'targets and requests each set the requests: use one of them'],
    [{ targets: [url], pick: 'once', amount: 1 }, 'pick once and amount each set the number of requests: use one of them'],
    [{ targets: [url], pick: 'once', until: 'p99 ±5%' }, 'until and pick once each set the end of the run: use one of them'],
    [{ targets: [url], pick: 'once', stages: '1s:5/s' }, 'pick once and stages each set the end of the run: use one of them'],
    [{ targets: ['http://a', 'http://b', 'http://c'], connections: 2 }, 'connections: expected at least 3, one for each server in the targets, got 2'],
    [{ targets: ['http://a', 'http://b', 'http://c'], amount: 2 }, 'amount: expected at least 3, one for each server in the targets, got 2'],
    [{ url, pick: 'random' }, 'pick: expected targets as well, got none'],
    [{ url, pick: 'any' }, "pick: expected order or random or once, got 'any'"],
    [{ targets: [] }, 'targets: expected the path of a file, or an array of URLs and objects with url, got an empty one'],
    [{ targets: [url], seed: 5 }, 'seed: expected arrivals poisson or pick random as well, got none: nothing is random'],
    [{ url: 'http://', targets: ['/'] }, "url: 'http://' is not a URL: expected something like http://localhost:3000/path"]
  ])) t.throws(() => readOptions(options), { problems: [words] }, words)
})

t.test('a server that is named by the URL and by lines is one', async t => {
  const { targets, scenarios, list } = planOf({ url: `${url}/base?x`, targets: ['/1', `${url}/2`, 'https://b/3', 'HTTP://LOCALHOST:3000/4'] })
  t.strictSame(targets.map(({ url }) => url), [`${url}/base?x`, 'https://b'])
  t.strictSame(scenarios.map(({ weight }) => weight), [3, 1])
  t.strictSame(list?.origins.map(({ first, count }) => [first, count]), [[0, 3], [3, 1]])
})

t.test('a URL that repeats the server of all lines changes nothing', async t => {
  const lines = [`${url}/1`, 'HTTP://LOCALHOST:3000/2']
  for (const given of [url, `${url}/base?x`, [url, url]]) {
    const { values, described } = readOptions({ url: given, targets: lines })
    t.strictSame(described, readOptions({ targets: lines }).described)
    const { targets, list } = buildPlan(values)
    t.strictSame([targets.map(({ authority }) => authority), list?.origins.map(({ count }) => count)], [['localhost:3000'], [2]])
  }
  const [{ authorization }] = planOf({ url: 'http://u:p@localhost:3000', targets: lines }).targets
  t.equal(authorization, 'Basic dTpw', 'its credentials are used')
})

t.test('the message about a URL too many names the file', async t => {
  const file = path.join(t.testdir({ 'urls.txt': `${url}\nhttp://b` }), 'urls.txt')
  t.throws(() => readOptions({ url, targets: file }), { problems: [`targets: ${file} names its servers: omit ${url}`] })
})

t.test('each server has as many connections as its share of the lines, and at least one', async t => {
  const { chooseScenarios } = require('../../lib/users/choice')
  for (const [weights, count, expected] of /** @type {Array<[number[], number, number[]]>} */ ([
    [[1_000_000, 1], 10, [9, 1]],
    [[1_000_000, 1], 2, [1, 1]],
    [[60, 30, 10], 10, [6, 3, 1]],
    [[1, 1, 1], 3, [1, 1, 1]]
  ])) {
    const chosen = chooseScenarios(weights.map(weight => ({ weight })), 0, count, true)
    t.strictSame(weights.map((_, i) => chosen.filter(one => one === i).length), expected)
  }
})

t.test('each once: the amounts of all generators are all requests, whatever the servers', async t => {
  for (const [counts, connections, parts] of /** @type {Array<[number[], number, number]>} */ ([[[10], 4, 3], [[1000, 3], 5, 4], [[1, 1], 2, 2], [[7, 7, 7], 3, 3], [[100, 1], 2, 2]])) {
    const targets = counts.flatMap((count, server) => Array.from({ length: count }, (_, i) => `http://s${server}/${i}`))
    const slices = split(planOf({ targets, pick: 'once', connections, workers: parts }), parts)
    t.equal(slices.reduce((sum, { amount }) => sum + (amount ?? 0), 0), targets.length, `${counts} over ${parts}`)
  }
})

t.test('a result says which targets, and its command repeats them', async t => {
  const dir = t.testdir({ 'a.txt': url })
  const file = path.join(dir, 'a.txt')
  const { described } = readOptions({ targets: file, pick: 'once' })
  t.match(described, { targets: file, pick: 'once', amount: undefined })
  t.match(commandOf(described).command.replaceAll("'", ''), `--targets ${file} --pick once`, 'in quotation marks where it has blanks')
  const array = readOptions({ targets: [url, url] }).described
  t.equal(array.targets, '[2 targets]')
  t.strictSame([described.url, readOptions({ url, targets: ['/', 'http://b'] }).described.url], [undefined, [url]])
  t.match(commandOf(array).missing, ['the 2 targets of an array'])
  t.equal(differenceOfWork([{ url, options: described }], [{ url: 'http://b', options: described }]), null)
  t.match(differenceOfWork([{ url, options: described }], [{ url, options: array }]), /^the targets .* and the targets \[2 targets\]$/)
})

t.test('flags and configs take them, and parseArguments hands over what was read', async t => {
  const dir = t.testdir({ 'a.txt': url, 'config.json': '{ "targets": "a.txt", "pick": "random" }', 'array.json': `{ "targets": ["${url}"] }` })
  t.match((await loadConfig(path.join(dir, 'config.json'))).options, { targets: path.join(dir, 'a.txt'), pick: 'random' })
  t.strictSame((await loadConfig(path.join(dir, 'array.json'))).options, { targets: [url] })
  const { raw } = readFlags(['--targets', path.join(dir, 'a.txt'), '--pick', 'random', '--seed', '3'])
  const options = apiOptions(raw, validate(raw).values)
  t.match(readOptions(options).values, { url: [url], pick: 'random', seed: 3 })
  t.match(readFlags(['-f', 'urls.txt']).problems, ["-f is --forever, and 'urls.txt' a file rather than a server: its requests are sent by --targets urls.txt"])
})
