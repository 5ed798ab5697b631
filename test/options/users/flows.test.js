'use strict'

// Blocks of requests: what is wrong with one is one line with its place, before the first request.

const t = require('tap')
const { validate } = require('../../../lib/options/validate')
const { buildPlan } = require('../../../lib/options/plan')

const page = { path: '/' }

/**
 * @param {Record<string, any>} options
 * @returns {string[]}
 */
function problemsOf (options) {
  try {
    buildPlan(validate({ url: 'http://localhost', ...options }, ({ name }) => name, [], { REGION: 'eu' }).values)
    return []
  } catch (error) {
    return /** @type {any} */ (error).problems ?? [(error).stack]
  }
}

/** @type {any} */
let deep = [page]
for (let i = 0; i < 9; i++) deep = [{ repeat: 2, requests: deep }]
/** @type {any} */
const cycle = { repeat: 2 }
cycle.requests = [cycle]

/** @type {Array<[any[], RegExp]>} */
const TABLE = [
  [[{ if: 'a ==', requests: [page] }], /^requests\[0\]\.if: 'a ==' is no expression/],
  [[{ if: 'nothing > 1', requests: [page] }], /^requests\[0\]\.if: nothing provides nothing/],
  [[{ if: 'status', requests: [] }], /^requests\[0\]\.requests: expected an array with at least one request, got an empty one/],
  [[{ if: 'status' }], /^requests\[0\]: expected requests as well, as in \{ if: 'status == 200'/],
  [[{ if: 'status', requests: [page], els: [page] }], /unknown key 'els'.*did you mean 'else'/],
  [[{ if: 'status', path: '/' }], /^requests\[0\]: 'path' beside if: expected requests with it inside/],
  [[{ if: 'status', repeat: 2, requests: [page] }], /^requests\[0\]: if and repeat in one entry/],
  [[{ if: null, requests: [page] }], /^requests\[0\]\.if: expected an expression such as 'status == 200', got null$/],
  [[{ forEach: null, requests: [page] }], /^requests\[0\]\.forEach: expected a list and a name.*got null$/],
  [[{ repeat: null, requests: [page] }], /^requests\[0\]\.repeat: .*got null$/],
  [[{ parallel: null }], /^requests\[0\]\.parallel: expected an array/],
  [[null], /^requests\[0\]: expected an object/],
  [[{ repeat: 2, requests: [page, null] }], /^requests\[0\]\.requests\[1\]: expected an object/],
  [[{ parallel: [page, null] }], /^requests\[0\]\.parallel\[1\]: expected an object/],
  [[{ if: 'env.constructor', requests: [page] }], /the environment has no variable 'constructor'/],
  [[{ path: '/{{env.toString}}' }], /the environment has no variable 'toString'/],
  [[{ if: {}, requests: [page] }], /expected an expression such as 'status == 200', got an object/],
  [[{ repeat: -1, requests: [page] }], /^requests\[0\]\.repeat: expected a whole number from 0 to 1,000,000.* got -1/],
  [[{ repeat: 1.5, requests: [page] }], /got 1\.5/],
  [[{ while: 'status == 200', requests: [page] }], /^requests\[0\]\.max: expected the maximum number of passes.*got none/],
  [[{ while: 'status == 200', max: 0, requests: [page] }], /^requests\[0\]\.max: expected a whole number from 1/],
  [[{ forEach: 'items', requests: [page] }], /^requests\[0\]\.forEach: expected a list and a name, such as 'items as item', got 'items'/],
  [[{ forEach: 'items as item', requests: [page] }], /nothing provides items/],
  [[{ repeat: 2, requests: [{ if: 'status != finished', requests: [page] }] }], /nothing provides finished; there are index, status, random; text has quotes: 'finished'$/],
  [[{ forEach: 'x as item', requests: [page] }], /nothing provides x/],
  [[{ forEach: '[1] as __proto__', requests: [page] }], /expected another name than '__proto__'/],
  [[{ forEach: '[1] as status', requests: [page] }], /'status' has its own meaning/],
  [[{ forEach: '[1] as a', requests: [{ forEach: '[1] as a', requests: [page] }] }], /^requests\[0\]\.requests\[0\]\.forEach: 'a' is in the context, too/],
  [[{ forEach: '[1] as a', requests: [{ path: '/', capture: { a: 'status' } }] }], /'a' is captured in the loop, too/],
  [[{ parallel: [] }], /^requests\[0\]\.parallel: expected an array of requests, or of \{ requests: \[…\] \}, got an empty one/],
  [[{ parallel: page }], /^requests\[0\]\.parallel: expected an array/],
  [[{ parallel: [{ forEach: '[1] as a', requests: [page] }, { requests: [{ forEach: '[1] as a', requests: [page] }] }] }], /^requests\[0\]\.parallel\[1\]\.requests\[0\]\.forEach: another branch has 'a', too/],
  [[{ repeat: 2, requests: [{ path: '/', once: true }] }], /^requests\[0\]\.requests\[0\]\.once: expected requests with once at the top/],
  [[{ repeat: 2, requests: [{ pth: '/' }] }], /^requests\[0\]\.requests\[0\]: unknown key 'pth'/],
  [[{ repeat: 2, requests: [{ path: '/{{nothing}}' }] }], /^requests\[0\]\.requests\[0\]\.path: nothing provides \{\{nothing\}\}/],
  [[{ path: '/{{index}}' }], /nothing provides \{\{index\}\}/],
  [[{ if: 'index == 1', requests: [page] }], /index is the loop index, but no loop surrounds it/],
  [[{ if: 'env.NOTHING', requests: [page] }], /the environment has no variable 'NOTHING'/],
  [[{ if: 'uuid == 1', requests: [page] }], /\{\{uuid\}\} is for templates/],
  [[{ if: 'constructor == 1', requests: [page] }], /nothing provides constructor/],
  [[{ if: '__proto__ == null', requests: [page] }], /nothing provides __proto__/],
  [[{ path: '/', capture: { status: 'json status' } }, { if: "status == 'done'", requests: [page] }], /status has its own meaning, and is in the context, too: rename it there/],
  [deep, /nested up to 8 deep/],
  [[cycle], /nested up to 8 deep/],
  [[{ repeat: 2, requests: [{ pause: '1s' }] }], /at least one request beside the pauses/],
  [[{ url: 'https://other.example/x' }], /^requests\[0\]\.url: 'https:\/\/other\.example' is not an origin of this run: allow it with --origin/],
  [[{ url: '/path' }], /^requests\[0\]\.url: expected a URL/],
  [[{ url: 'https://{{host}}/x' }], /whose origin is no template/],
  [[{ url: 'http://ann:secret@localhost/' }], /without a user name and a password/],
  [[{ url: 'http://localhost/', path: '/x' }], /url and path each say where the request goes/],
  [[{ path: '/', form: { a: {} } }], /^requests\[0\]\.form\.a: expected a text/],
  [[{ path: '/', form: 'a=b' }], /^requests\[0\]\.form: expected an object of names and values/],
  [[{ path: '/', form: { a: 1 }, body: 'x' }], /body and form each give a body/],
  [[{ path: '/', body: { a: 1 } }], /body: expected a string or a Buffer, got an object; JSON is json, as in json: \{ id: 1 \}, and fields of a form are form/],
  [[{ path: '/', json: { a: 1 }, body: 'x' }], /body and json each give a body/],
  [[{ path: '/', json: { a: 1n } }], /^requests\[0\]\.json: expected a value that JSON has, got /],
  [[{ path: '/', json: () => {} }], /^requests\[0\]\.json: expected a value that JSON has, got /],
  [[{ path: '/', json: { a: '{{x' } }], /^requests\[0\]\.json: expected something like \{\{users\.email\}\}/],
  [[{ path: '/', json: { a: '{{nobody}}' } }], /^requests\[0\]\.json: nothing provides \{\{nobody\}\}/],
  [[{ path: '/', multipart: { a: { type: 'file', path: '/{{x}}' } } }], /^requests\[0\]\.multipart: the file of field 'a' is read before the run/],
  [[{ path: '/', multipart: { a: { type: 'file', path: '/no/such/file' } } }], /could not read/]
]

t.test('all wrong values of a config are told together', async t => {
  const scenarios = [{
    weight: 'x',
    requests: [
      { path: '/', pause: 'later', expect: { status: 'no' }, check: 7 },
      { repeat: 'three', requests: [{ path: '/', pause: 'soon' }] },
      { while: 'a ==', max: 0, requests: [{ path: '/', retries: -1 }] },
      { if: 'status ==', requests: [{ path: 7 }], else: [{ path: '/', capture: 5 }] },
      { parallel: [{ path: '/', pause: 'no' }, { requests: [{ path: '/', once: 'maybe' }] }] }
    ]
  }]
  const at = 'scenarios[0].requests'
  t.strictSame(problemsOf({ scenarios, duration: '1x' }).map(problem => problem.split(': ')[0]).sort(), [
    'duration', 'scenarios[0].weight', `${at}[0].pause`, `${at}[0].expect.status`, `${at}[0].check`, `${at}[1].repeat`, `${at}[1].requests[0].pause`,
    `${at}[2].while`, `${at}[2].max`, `${at}[2].requests[0].retries`, `${at}[3].if`, `${at}[3].requests[0].path`, `${at}[3].else[0].capture`,
    `${at}[4].parallel[0].pause`, `${at}[4].parallel[1].requests[0].once`
  ].sort())
  t.match(problemsOf({ scenarios }).join(), /repeat: expected a number, or an expression of one, got 'three': write 3/)
})

t.test('what is wrong is told in one line with its place', async t => {
  for (const [requests, message] of TABLE) {
    const problems = problemsOf({ requests })
    t.match(problems[0], message)
    t.equal(problems.length, 1, problems.join(' | '))
    t.notMatch(problems.join(), /[\r\n]|secret/)
  }
})

t.test('what cannot be combined', async t => {
  t.match(problemsOf({ rate: 20, requests: [{ repeat: 2, requests: [page] }] }), [/^rate: requests has a condition, a loop, parallel requests or a WebSocket, so the rate must be in iterations: use rate '20 iterations\/s'$/])
  t.match(problemsOf({ scenarios: [{ user: './a.mjs', setup: [page] }] }), [/user and setup in one scenario/])
  t.match(problemsOf({ scenarios: [{ setup: [{ path: '/', once: true }, page], requests: [page] }] }), [/^scenarios\[0\]\.setup: expected requests without once/])
  t.match(problemsOf({ initialContext: { index: 1 }, requests: [{ repeat: 2, requests: [page] }] }), [/^initialContext: index is the loop index/])
  t.match(problemsOf({ data: { users: { rows: [{ a: 1 }] } }, requests: [{ if: 'users.b == 1', requests: [page] }] }), [/no column 'b'/])
})

t.test('a plan with a flow is plain data', async t => {
  const { values } = validate({ url: 'http://localhost', requests: [{ path: '/', capture: { items: 'json' + ' a' } }, { forEach: 'items as item', requests: [{ if: "env.REGION == 'eu' and item.id in [1, 2]", requests: [page], else: [{ pause: '1s' }] }] }, { parallel: [page, { requests: [page] }] }, { while: 'status != 200', max: 2, requests: [page] }] }, ({ name }) => name, [], { REGION: 'eu' })
  const { scenarios, lanes } = buildPlan(values)
  t.strictSame(JSON.parse(JSON.stringify(scenarios[0].userScenarios?.[0].flow)), scenarios[0].userScenarios?.[0].flow)
  t.equal(lanes, 6)
  t.equal(buildPlan(validate({ url: 'http://localhost', requests: [{ path: '/', pause: 1 }] }).values).scenarios[0].userScenarios?.[0].flow, null, 'a fixed sequence is none')
})
