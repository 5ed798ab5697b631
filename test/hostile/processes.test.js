'use strict'

// Hosts that are processes and break: whatever comes out of their pipes, the channel ends with AC_WORKER, once.

const t = require('tap')
const { PassThrough } = require('node:stream')
const { Instance } = require('../../lib/run/instance')
const { conserves } = require('../helpers/results/conservation')
const { serve } = require('../helpers/servers/http-server')
const { HostProcess, overPipes } = require('../helpers/processes/hosts')

/** A transport whose other end the test writes. */
function listening () {
  const input = new PassThrough()
  /** @type {any[]} */
  const [messages, errors] = [[], []]
  const transport = overPipes('a worker process', input, new PassThrough())
  transport.onMessage = message => messages.push(message)
  transport.onClose = error => errors.push(error)
  return { input, messages, errors, ended: () => new Promise(resolve => input.once('end', resolve)) }
}

t.test('lines that are cut at any byte, in the middle of a character too, are the same messages', async t => {
  const sent = [{ type: 'mismatch', body: 'ü€😀\n' }, [], 'a']
  const bytes = Buffer.from(sent.map(message => JSON.stringify(message) + '\n').join(''))
  for (let at = 0; at <= bytes.length; at++) {
    const { input, messages, errors, ended } = listening()
    const end = ended()
    input.write(bytes.subarray(0, at))
    input.end(bytes.subarray(at))
    await end
    t.strictSame([messages, errors], [sent, []], `cut at ${at}`)
  }
})

t.test('rubbish, and a pipe that ends in the middle of a line, close the transport with an error', async t => {
  for (const [text, words] of [['{"type":\n', /sends what is no JSON$/], ['\n', /sends what is no JSON$/], ['{"type":"alive"', /broke off in the middle of a line$/]]) {
    const { input, messages, errors, ended } = listening()
    const end = ended()
    input.end(text)
    await end
    t.strictSame(messages, [])
    t.match(errors, [{ code: 'AC_WORKER', message: words }])
  }
})

t.test('a host that is killed, or writes what it likes, ends the run at once with the result of the others', async t => {
  for (const [break_, words] of /** @type {Array<[(host: any) => void, RegExp]>} */ ([
    [host => host.child.kill('SIGKILL'), /^a worker process ended with SIGKILL before its run was over$/],
    [host => host.child.stdout.emit('data', 'hello\n'), /^a worker process sends what is no JSON$/],
    [host => host.child.stdout.emit('data', '{"type":"snapshot"}\n'), /^a report cannot be used: /]
  ])) {
    const server = await serve(t)
    /** @type {HostProcess[]} */
    const hosts = []
    const instance = new Instance({ url: server.url, workers: 2, connections: 2, connectionRate: 100, duration: 60, sampleInt: 100 }, undefined, () => {
      hosts.push(new HostProcess([]))
      return /** @type {HostProcess} */ (hosts.at(-1)).transport()
    })
    let ticks = 0
    instance.on('tick', () => { if (++ticks === 3) break_(hosts[0]) })
    const error = await instance.then(() => t.fail('it has to fail'), (/** @type {any} */ error) => error)
    t.match(error, { code: 'AC_WORKER', message: words })
    t.ok(error.result.requests.total > 0 && error.result.duration < 60)
    conserves(t, error.result)
    for (const { child, gone } of hosts) {
      child.kill('SIGKILL')
      await gone
    }
  }
})
