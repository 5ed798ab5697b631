'use strict'

const t = require('tap')
const { printResult } = require('../../lib/report/text')
const { machineSentence } = require('../../lib/report/machine')
const { exampleResult } = require('../helpers/results/example-result')

t.test('one line says on which machine the load was generated, and how', async t => {
  for (const [result, sentence] of /** @type {Array<[object, string | null]>} */ ([
    [{}, null],
    [{ environment: {} }, null],
    [{ environment: { cpu: 'A', cores: 1 } }, 'Load generated on 1 core (A).'],
    [{ environment: { cpu: 'A', cores: 2, governor: null, quota: null, virtualization: null, sockets: 'node' } }, 'Load generated on 2 cores (A), Node.js sockets.'],
    [{ environment: { cpu: 'A', cores: 2, governor: 'powersave', quota: 1.5, virtualization: 'vm', sockets: 'native' }, rate: { pace: 'even' } }, 'Load generated on 2 cores (A), vm, CPU quota 1.5 cores, CPU governor powersave, native sockets, pace even.'],
    [{ environment: { cores: 2, sockets: 'native' }, sockets: { native: 0, node: 2 } }, 'Load generated on 2 cores, Node.js sockets.']
  ])) t.equal(machineSentence(result), sentence)
})

t.test('it is part of a verbose report', async t => {
  const result = exampleResult({ seconds: 2 })
  t.match(printResult(result, { verbose: true }), 'Load generated on 2 cores (Example CPU @ 3.0GHz)')
  t.notMatch(printResult(result), 'Load generated')
})
