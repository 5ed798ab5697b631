'use strict'

const t = require('tap')
const { SETTINGS, differenceOfMachines } = require('../../../lib/judge/comparison/machines')
const { circumstancesOf } = require('../../../lib/judge/comparison/circumstances')
const { sentenceOf } = require('../../../lib/words/judgements')

const MACHINE = { cpu: 'A', cores: 2, platform: 'linux 6.1.0 x64', governor: null, quota: null, virtualization: 'vm' }

/** @param {object} [environment] */
const on = environment => ({ environment: { ...MACHINE, ...environment } })

t.test('machines differ by what results say of both', async t => {
  for (const [base, next, difference] of /** @type {Array<[any[], any[], string | null]>} */ ([
    [[on()], [on()], null],
    [[on()], [on({ cpu: 'B', cores: 8 })], 'CPU A and B, cores 2 and 8'],
    [[on()], [on({ quota: 1.5 })], 'CPU quota none and 1.5'],
    [[on()], [on({ virtualization: null })], 'virtualization vm and none'],
    [[on()], [on({ platform: 'linux 6.8.0 x64' })], null],
    [[on()], [on({ platform: 'darwin 24.0.0 arm64' })], 'system linux x64 and darwin arm64'],
    [[on(), on({ cores: 4 })], [on({ cores: 4 })], 'cores 2 or 4 and 4'],
    [[{}], [on()], null],
    [[on({ quota: undefined, virtualization: undefined })], [on({ quota: 2 })], null],
    [[{ ...on({ cpu: 'B' }), agents: [] }], [on()], null]
  ])) t.equal(differenceOfMachines(base, next), difference)
  t.equal(differenceOfMachines([on({ governor: 'powersave' })], [on({ governor: 'performance' })], SETTINGS), 'CPU governor powersave and performance')
})

t.test('a comparison of different machines says so', async t => {
  const { findings } = circumstancesOf([on()], [on({ cores: 8, governor: 'powersave' })])
  t.match(findings.map(sentenceOf), ['base and new were measured on different machines (cores 2 and 8): a difference may be theirs', 'base and new were not measured alike: CPU governor none and powersave'])
})
