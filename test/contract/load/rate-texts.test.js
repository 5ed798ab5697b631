'use strict'

// A rate as text, wherever a run with one prints it: the header, every report, the printed config, find and versus.

const t = require('tap')
const { readFileSync, readdirSync } = require('node:fs')
const path = require('node:path')
const { cli } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')

t.setTimeout(120_000)

const REPORTS = ['html', 'md', 'json', 'csv', 'ndjson']
const requests = [{ path: '/' }]

/** @type {Record<string, { argv?: string[], config?: Record<string, any>, header: string[] }>} */
const RUNS = {
  'stages of requests': { argv: ['-c', '5', '--stage', 'low=0.2s:100/s', '--stage', '0.2s:200/s'], header: ['5 connections', 'stages low=0.2s:100/s, 0.2s:200/s'] },
  'stages of iterations': { argv: ['-c', '5', '--stage', '0.2s:20 iterations/s'], header: ['5 connections', 'stages 0.2s:20 iterations/s'] },
  'stages of connections': { argv: ['--stage', '0.2s:5'], header: ['0 connections at the start', 'stages 0.2s:5'] },
  'a rate of requests': { argv: ['-c', '5', '-d', '0.2', '--rate', '50'], header: ['5 connections', '50 req/s in all'] },
  'a rate of iterations': { argv: ['-c', '5', '-d', '0.2', '--rate', '50 iterations/s'], header: ['5 connections', '50 iterations/s in all'] },
  'scenarios of requests': {
    config: { scenarios: [{ name: 'a', rate: 20, connections: 2, requests }, { name: 'b', stages: ['0.2s:50/s'], connections: 1, requests }] },
    header: ['3 connections', 'a: 20 req/s, 2 connections', 'b: stages 0.2s:50/s, 1 connection']
  },
  'scenarios of iterations': {
    config: { duration: 0.2, scenarios: [{ name: 'a', rate: '20 iterations/s', connections: 2, requests }, { name: 'b', rate: '1500 iterations/s', connections: 1, requests }] },
    header: ['3 connections', 'a: 20 iterations/s, 2 connections', 'b: 1500 iterations/s, 1 connection']
  }
}

for (const [name, { argv = [], config, header }] of Object.entries(RUNS)) {
  t.test(`${name} are text in the header, the reports and the printed config`, async t => {
    const { url } = await serve(t)
    const cwd = t.testdir({ ...config && { 'config.json': JSON.stringify({ url, ...config }) } })
    const given = [...argv, ...config ? ['--config', 'config.json'] : [url]]
    const { stdout, stderr, code } = await cli([...given, ...REPORTS.flatMap(type => ['--output', `report.${type}`]), '--junit', 'junit.xml'], { cwd })
    // A busy machine may have no response within 0.2 s.
    t.ok(code === 0 || code === 1, stderr)
    t.strictSame(stderr.split('\n').slice(1, header.length + 1), header)
    noObjects(t, { stdout, stderr, ...filesIn(cwd) })
    const printed = await cli([...given, '--print-config'], { cwd })
    noObjects(t, { printed: printed.stdout })
  })
}

t.test('find and versus have rates as text', async t => {
  const { url } = await serve(t)
  for (const argv of [
    ['find', '--from', '50/s', '--to', '100/s', '--step', '1', '--threshold', 'failures == 0', url],
    ['versus', '-c', '5', '--runs', '3', '--stage', '0.2s:100/s', url, url],
    ['versus', '-c', '5', '-d', '0.2', '--runs', '3', '--rate', '50 iterations/s', url, url]
  ]) {
    const cwd = t.testdir()
    const { stdout, stderr } = await cli([...argv, '--output', 'report.md'], { cwd })
    t.match(stderr, /\d (req|iterations)\/s|req\/s from/)
    noObjects(t, { stdout, stderr, ...filesIn(cwd) })
  }
})

t.test('a message about a rate has it as text', async t => {
  for (const argv of [['--rate', '0/s'], ['--rate', '0 iterations/s'], ['--stage', '1s:-5/s'], ['--rate', '5', '--stage', '1s:5/s'], ['--rate', '9e6', '--poisson']]) {
    const { stderr } = await cli([...argv, 'http://localhost:1'])
    t.not(stderr, '')
    noObjects(t, { [argv.join(' ')]: stderr })
  }
})

/** @param {string} folder */
function filesIn (folder) {
  return Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'utf8')]))
}

/**
 * @param {any} t
 * @param {Record<string, string>} texts
 */
function noObjects (t, texts) {
  for (const [name, text] of Object.entries(texts)) t.notOk(text.includes('[object '), name)
}
