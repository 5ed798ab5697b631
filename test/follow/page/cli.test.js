'use strict'

// --ui on the command line: its link, its Stop, and the end of a process with an open page.

const t = require('tap')
const { chmodSync, existsSync, readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { cli, start } = require('../../helpers/processes/cli')
const { serve } = require('../../helpers/servers/http-server')

t.setTimeout(120_000)

/** With no wait, each run would take a whole core. @param {any} request @param {any} response */
const hello = (request, response) => setTimeout(() => response.end('hello'), 20)

const LINK = /^autocannon: live page of this run:\n(http:\/\/\S+)\n/m

/**
 * @param {string[]} argv
 * @param {{ env?: Record<string, string> }} [options]
 */
async function watched (argv, options) {
  const running = start(argv, options)
  await running.says('stderr', 'live page of this run:\n')
  while (!LINK.test(running.stderr)) await new Promise(resolve => setTimeout(resolve, 5))
  const [, link] = /** @type {RegExpExecArray} */ (LINK.exec(running.stderr))
  return { running, link, origin: new URL(link).origin }
}

/**
 * @param {string} link
 * @returns {Promise<Array<{ event: string, data: any }>>} all events until the end
 */
async function eventsOf (link) {
  const text = await (await fetch(link + 'events')).text()
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({ event, data: JSON.parse(data) }))
}

t.test('the page of a run: all who watch get the report that is written, and the process ends', async t => {
  const { url } = await serve(t, hello)
  const file = path.join(t.testdir(), 'report.html')
  const { running, link } = await watched(['--ui', '-d', '1.5', '-c', '2', '-L', '100', '--json', '-o', file, '--threshold', 'p99 < 10s', url])
  const [one, other] = await Promise.all([eventsOf(link), eventsOf(link)])
  const { code, stdout, stderr } = await running.ended
  t.equal(code, 0, stderr)
  for (const events of [one, other]) {
    const { event, data } = /** @type {any} */ (events.at(-1))
    t.equal(event, 'end')
    t.equal(data.report, readFileSync(file, 'utf8'))
    t.match(data.parts.hero, 'The threshold passed')
    t.equal(data.status.phase, 'Ended')
  }
  t.ok(one.length > 2, 'it came while the run went on')
  t.match(one[1].data.parts.hero ?? one[2].data.parts.hero, 'So far')
  t.equal(JSON.parse(stdout).requests.total > 0, true, 'stdout has the result alone')
})

t.test('Stop ends the run as Ctrl-C does, also runs without an end and with workers', async t => {
  const { url } = await serve(t, hello)
  for (const argv of [['-d', '60', '-w', '2', '-c', '2'], ['-f', '-d', '0.3'], ['find', '--threshold', 'p99 < 10s', '--step', '1s'], ['versus', '-d', '30', '--no-save', url]]) {
    const [command] = argv
    const isCommand = command === 'find' || command === 'versus'
    const { running, link, origin } = await watched([...isCommand ? [command] : [], '--ui', ...isCommand ? argv.slice(1) : argv, '-L', '100', url])
    const events = eventsOf(link)
    await new Promise(resolve => setTimeout(resolve, 900))
    t.equal((await fetch(link + 'stop', { method: 'POST', headers: { origin } })).status, 202)
    t.equal((await fetch(link + 'stop', { method: 'POST', headers: { origin } }).catch(() => ({ status: 202 }))).status, 202, 'twice is once')
    const { code, stderr } = await running.ended
    t.equal(code, 130, `${command}: ${stderr}`)
    t.equal((await events).at(-1)?.event, 'end', command)
  }
})

t.test('an open page does not keep the process from its end', async t => {
  const { url } = await serve(t, hello)
  const began = Date.now()
  const { running, link } = await watched(['--ui', '-d', '0.5', url])
  const response = await fetch(link + 'events')
  const { code } = await running.ended
  t.equal(code, 0)
  t.ok(Date.now() - began < 60_000)
  await response.body?.cancel().catch(() => {})
})

t.test('--open opens the link in a browser, which gets the report also of a run that is over when it comes', { skip: process.platform !== 'linux' && 'xdg-open is of Linux' }, async t => {
  const { url } = await serve(t, hello)
  const folder = t.testdir()
  const [opener, got] = [path.join(folder, 'xdg-open'), path.join(folder, 'got')]
  writeFileSync(opener, `#!/bin/sh\nsleep 1.2; exec ${process.execPath} -e 'fetch(process.argv[1] + "events").then(r => r.text()).then(text => require("fs").writeFileSync(${JSON.stringify(got)}, text))' "$1"\n`)
  chmodSync(opener, 0o755)
  const { code } = await start(['--ui', '--open', '-d', '0.3', url], { env: { PATH: `${folder}:${process.env.PATH}` } }).ended
  t.equal(code, 0)
  for (let i = 0; i < 200 && !existsSync(got); i++) await new Promise(resolve => setTimeout(resolve, 20))
  t.match(readFileSync(got, 'utf8'), /event: end\n/)
  const none = await start(['--ui', '--open', '-d', '0.3', url], { env: { PATH: '/nowhere' } }).ended
  t.equal(none.code, 0)
  t.match(none.stderr, 'autocannon: no browser could be opened (xdg-open is not there): open the link\n')
})

t.test('what can not be is told in a line, before any load', async t => {
  let requests = 0
  const { url, port } = await serve(t, (request, response) => { requests++; response.end() })
  const inUse = await cli([`--ui=127.0.0.1:${port}`, '-d', '1', url])
  t.equal(inUse.code, 1)
  t.equal(inUse.stderr, `autocannon: --ui 127.0.0.1:${port}: that port is in use: give another one, or --ui alone for one that is free\n`)
  const remote = await cli(['--ui', '0.0.0.0:0', '-d', '1', url])
  t.equal(remote.code, 2)
  t.match(remote.stderr, '--ui 0.0.0.0:0: other machines could see the page there')
  t.match((await cli(['--open', '-d', '1', url])).stderr, '--open: expected --ui as well, got none: there is no page\n')
  t.equal(requests, 0)
})

t.test('where other machines come, that is said', async t => {
  const { url } = await serve(t, hello)
  const { running, link } = await watched(['--ui', '0.0.0.0:0', '--ui-allow-remote', '-d', '0.4', url])
  t.notMatch(link, '0.0.0.0', 'the link can be opened')
  t.match((await running.ended).stderr, 'autocannon: anyone with this link can watch the run and end it; the page is sent over the network as plain text\n')
})
