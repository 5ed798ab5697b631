'use strict'

// In which modes a contract is proven.

const t = require('tap')
const { pairsOf } = require('./modes')

const PLACES = [...'abc']

t.test('a test has the first place and another one, over two protocols, and a few tests have each pair', async t => {
  for (const protocols of ['123', '12', '1'].map(text => [...text])) {
    for (const first of [0, 1, 2]) {
      const tests = Array.from({ length: 2 * protocols.length }, (_, i) => pairsOf(PLACES, protocols, first + i))
      for (const [[place, protocol], [other, another]] of tests) {
        t.strictSame([place, other !== place, another !== protocol], ['a', true, protocols.length > 1])
      }
      t.equal(new Set(tests.flat().map(String)).size, PLACES.length * protocols.length, `${protocols} from pairing ${first} on`)
      const passes = [0, 1, 2].flatMap(pass => pairsOf(PLACES, protocols, first + pass))
      t.strictSame([...new Set(passes.flat())].sort(), [...protocols, ...PLACES], 'three passes have each place and each protocol')
    }
  }
})
