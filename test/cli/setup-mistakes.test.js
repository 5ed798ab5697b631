'use strict'

// Missing awaits and wrong calls in setup and teardown: such a run passed, and the server kept what teardown deletes.

const path = require('node:path')
const t = require('tap')
const { cli } = require('../helpers/processes/cli')
const { serve } = require('../helpers/servers/http-server')

const AMOUNT = ['-a', '2', '-c', '1']
const WRONG = /unknown option 'heders', did you mean 'headers'/
const LATE = /a user function sent a request after its iteration had ended: is an await missing\?/

/** @type {(name: string, code: string) => string} */
const moduleOf = (name, code) => `export async function ${name} ({ http, pause }) { await http.get('/first'); ${code} }\n` +
  "export default ({ http }) => http.get('/')\n"

t.jobs = 2

for (const name of ['setup', 'teardown']) {
  t.test(`requests of ${name} that nothing waits for have their responses before it ends`, async t => {
    const { url, requests } = await serve(t, (request, response) => { setTimeout(() => response.end(), 20) })
    const file = path.join(t.testdir({ 'a.mjs': moduleOf(name, "for (let i = 0; i < 9; i++) http.delete('/item')") }), 'a.mjs')
    const { code, stderr } = await cli(['run', file, ...AMOUNT, url])
    t.equal(code, 0, stderr)
    t.equal(requests.filter(({ url }) => url === '/item').length, 9, 'more than there are connections')
  })

  t.test(`a mistake in ${name} that nothing waits for fails the run`, async t => {
    const { url } = await serve(t)
    const cases = [
      ["http.get('/', { heders: {} })", WRONG],
      ["pause('10ms')", /pause\('10ms'\) has no effect, because nothing waits for it/],
      ["for (const id of [1, 2]) http.get('/' + id).then(() => http.delete('/' + id))", LATE],
      ["http.get('/').then(() => { throw new Error('too late') })", /too late/],
      ["setTimeout(() => { throw new Error('in a timer') }, 1); await pause('2s')", /in a timer/]
    ]
    const folder = t.testdir(Object.fromEntries(cases.map(([code], i) => [`${i}.mjs`, moduleOf(name, String(code))])))
    for (const [i, [code, message]] of cases.entries()) {
      const run = await cli(['run', path.join(folder, `${i}.mjs`), ...AMOUNT, url])
      t.match(run, { code: 1, stderr: message }, String(code))
    }
  })

  t.test(`a wrong call in ${name} that nothing waits for fails it with --keep-going, too`, async t => {
    const { url } = await serve(t)
    const file = path.join(t.testdir({ 'a.mjs': moduleOf(name, "http.get('/', { heders: {} })") }), 'a.mjs')
    t.match(await cli(['run', file, ...AMOUNT, '--keep-going', url]), { code: 1, stderr: WRONG })
  })
}
