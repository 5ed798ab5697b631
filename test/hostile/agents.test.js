'use strict'

// Attackers that can write to the queue of an agent: with its key, they still can't have it send load to what it does not allow or run code that is not its own; and without, they can't have it
// do anything. Threads are real; the orders come as if from Redis.

const t = require('tap')
const http = require('node:http')
const { createHash } = require('node:crypto')
const { setTimeout: sleep } = require('node:timers/promises')
const path = require('node:path')
const { admit } = require('../../lib/run/agents/admission')
const { Link } = require('../../lib/run/agents/link')
const { Session } = require('../../lib/run/agents/session')
const { Signature } = require('../../lib/run/agents/signature')
const { decode, encode } = require('../../lib/run/codec')
const { buildPlan } = require('../../lib/options/plan')
const { validate } = require('../../lib/options/validate')
const { randomFrom } = require('../../lib/core/random')
const { parseAllowed } = require('../../lib/net/allowed')
const { startLastingThread } = require('../helpers/processes/hosts')

const KEY = 'the key of this agent'
const CARD = /** @type {any} */ ({ id: 'a1', name: 'one', host: 'h', cores: 1, version: '1', node: 'v22', busy: true, workers: 1 })

/** @param {(request: http.IncomingMessage, response: http.ServerResponse) => void} [handle] */
async function serve (t, handle = (_, response) => response.end('ok')) {
  const server = http.createServer(handle)
  const met = { connections: 0, requests: 0, port: 0, url: '' }
  server.on('connection', () => { met.connections++ }).on('request', () => { met.requests++ })
  await new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  met.port = /** @type {import('node:net').AddressInfo} */ (server.address()).port
  met.url = `http://127.0.0.1:${met.port}`
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return met
}

/**
 * @param {any} t
 * @param {string} allow
 * @param {{ key?: string | null, modules?: string | null, nonce?: string }} [more]
 */
function agentOf (t, allow, { key = null, modules = null } = {}) {
  const terms = { allow: parseAllowed(allow), modules }
  /** @type {string[]} */
  const log = []
  const session = new Session({ run: 'r1', job: '1' }, CARD, /** @type {any} */ ({
    notify: (/** @type {string} */ sentence) => { log.push(sentence) },
    redis: { key: (/** @type {string[]} */ ...parts) => parts.join(':'), client: {} },
    clock: { toHere: (/** @type {number} */ at) => at, toRedis: (/** @type {number} */ at) => at },
    key,
    admit: (/** @type {any} */ plan) => admit(plan, terms),
    startThread: startLastingThread
  }))
  /** @type {any[]} */
  const told = []
  session.link.send = message => { told.push(message) }
  t.teardown(() => Promise.all([...session.threads.values()].map(thread => thread.close())))
  return { session, told, log }
}

/** @param {Record<string, any>} opts */
const planOf = opts => /** @type {any} */ (buildPlan(validate({ connections: 1, duration: 1, timeout: 1, ...opts }).values))

/**
 * @param {ReturnType<typeof agentOf>} agent
 * @param {number} c
 * @returns {Promise<any>} the end of that generator, or why there is none
 */
async function endOf ({ told }, c) {
  const last = await until(() => told.find(message => message.c === c && (message.x !== undefined || message.m?.type === 'end')))
  return last === undefined ? new Error('it did not end') : decode(last.x ?? last.m.error)
}

/**
 * @template T
 * @param {() => T} look
 * @param {number} [tries]
 * @returns {Promise<T>} the last answer, and the first that is something
 */
async function until (look, tries = 3000) {
  for (let i = 0; i < tries && !look(); i++) await sleep(10)
  return look()
}

/**
 * @param {ReturnType<typeof agentOf>} agent
 * @param {number} c
 * @returns {Promise<any>} the answer to its plan: a thread that takes a second to open reports before that it is alive, and does not start yet
 */
const firstOf = ({ told }, c) => until(() => told.find(message => message.c === c && message.m?.type !== 'alive'))

/**
 * Has a generator begin, whatever becomes of it.
 * @param {ReturnType<typeof agentOf>} agent
 * @param {number} c
 * @param {any[]} orders encoded
 */
async function attack (agent, c, orders) {
  for (const m of orders) agent.session.handle({ c, m })
  await firstOf(agent, c)
  agent.session.handle({ c, m: { type: 'start' } })
  const end = await endOf(agent, c)
  agent.session.handle({ c, m: { type: 'stop' } })
  agent.session.handle({ c, close: true })
  return end
}

t.test('an order that opens is seen in whatever way it is written', async t => {
  const victim = await serve(t)
  const good = await serve(t)
  const plan = planOf({ url: victim.url, amount: 3 })
  const fine = planOf({ url: good.url, amount: 3 })
  const agent = agentOf(t, `127.0.0.1:${good.port}`)
  const open = encode({ type: 'open', plan })
  /** @type {Array<[string, any[], RegExp]>} */
  const ways = [
    ['as it is', [open], /sends no load to 127.0.0.1/],
    ['as pairs', [{ $: 'object', of: [['type', 'open'], ['plan', open.plan]] }], /sends no load to 127.0.0.1/],
    ['twice over', [{ $: 'object', of: [['type', 'x'], ['type', 'open'], ['plan', open.plan]] }], /sends no load to 127.0.0.1/],
    ['as a text that is an object', [{ type: { $: 'boxed', of: 'open' }, plan: open.plan }], /an order of the coordinator is not valid/],
    ['in a list', [[open]], /an order of the coordinator is not valid/],
    ['in a map', [{ $: 'map', of: [['type', 'open'], ['plan', open.plan]] }], /an order of the coordinator is not valid/],
    ['with memory', [{ ...open, memory: [] }], /sends no load to 127.0.0.1/],
    ['as memory', [{ memory: [{ plan: open.plan }] }], /an order of the coordinator is not valid/],
    ['behind memory', [{ type: 'memory', memory: [] }], /an order of the coordinator is not valid/],
    ['behind another', [encode({ type: 'open', plan: fine }), open], /a load generator has one plan, and received another/],
    ['of a plan that says what it allows', [encode({ type: 'open', plan: { ...plan, network: { allow: parseAllowed('all') } } })], /sends no load to 127.0.0.1/],
    ['as nothing', [null, undefined, 5, 'open', {}, { $: 'open' }], /is not valid|can not be read/]
  ]
  for (const [i, [name, orders, message]] of ways.entries()) t.match(String(await attack(agent, i, orders)), message, name)
  t.equal(victim.connections, 0)
  t.equal(agent.log.length, 2, 'the first refusal, for all generators of the run')
  t.match(agent.log, ['works for run r1', /^run r1 refused: .*sends no load to 127\.0\.0\.1/])
  t.equal(await attack(agent, 100, [encode({ type: 'open', plan: fine })]), null, 'the agent goes on working')
  t.ok(good.requests >= 3)
})

t.test('no way leads from what is allowed to what is not', async t => {
  const victim = await serve(t)
  const good = await serve(t, (request, response) => response.writeHead(302, { Location: `${victim.url}/moved` }).end())
  const agent = agentOf(t, `127.0.0.1:${good.port}`)
  const moved = { url: good.url, amount: 3, redirects: 5, redirectsAnywhere: true }
  /** @type {Array<[string, any]>} */
  const ways = [
    ['a redirect', planOf(moved)],
    ['a redirect, by undici', planOf({ ...moved, client: 'undici' })],
    ['a redirect to a name', planOf({ ...moved, resolve: [`victim.test:${victim.port}:127.0.0.1`] })],
    ['another place', planOf({ url: good.url, amount: 3, connectTo: [`::127.0.0.1:${victim.port}`] })],
    ['another place for the redirect', planOf({ ...moved, connectTo: [`127.0.0.1:${good.port}:127.0.0.1:${victim.port}`] })],
    ['a proxy', planOf({ url: good.url, amount: 3, proxy: victim.url })],
    ['undici', planOf({ url: victim.url, amount: 3, client: 'undici' })],
    ['HTTP/2', planOf({ url: victim.url, amount: 3, http: '2' })],
    ['one target of two', planOf({ url: [good.url, victim.url], amount: 4, connections: 2 })],
    ['a plan whose targets say another thing than they are', (({ targets: [target], ...rest }) => ({ ...rest, targets: [{ ...target, port: victim.port }] }))(planOf({ url: good.url, amount: 3 }))]
  ]
  for (const [i, [name, plan]] of ways.entries()) {
    const end = await attack(agent, i, [encode({ type: 'open', plan })])
    t.ok((end ?? null) === null || /sends no load to 127\.0\.0\.1/.test(String(end)), `${name}: ${end}`)
    t.equal(victim.connections, 0, name)
  }
  t.ok(good.connections > 0)
})

t.test('no code runs but files of the agent, of the name and hash that it is asked for', async t => {
  const good = await serve(t)
  const MARK = 'x-ran'
  const code = `module.exports = client => { client.setHeaders({ '${MARK}': '1' }) }`
  const root = t.testdir({ 'outside.js': code, modules: { 'right.js': code, 'other.js': `${code} // other` } })
  const sha256 = createHash('sha256').update(code).digest('hex')
  const agent = agentOf(t, 'loopback', { modules: path.join(root, 'modules') })
  const plan = planOf({ url: good.url, amount: 3 })
  const data = `data:text/javascript,${encodeURIComponent('export default () => { throw new Error("ran") }')}`
  for (const [i, module] of [path.join(root, 'outside.js'), 'right.js', data, { name: '../outside.js', sha256 }, { name: path.join(root, 'outside.js'), sha256 }, { name: 'other.js', sha256 }, { name: data, sha256 }, ['right.js'], true].entries()) {
    const places = [
      { ...plan, hooks: { ...plan.hooks, setupClient: module } },
      { ...plan, dispatcher: module },
      { ...plan, scenarios: [{ ...plan.scenarios[0], steps: [{ ...plan.scenarios[0].steps[0], hooks: { setupRequest: module } }] }] },
      { ...plan, scenarios: [{ ...plan.scenarios[0], steps: [{ ...plan.scenarios[0].steps[0], captures: { a: { kind: 'function', key: '', pattern: null, fallback: null, hook: module } } }] }] },
      { ...plan, scenarios: [{ ...plan.scenarios[0], steps: [{ ...plan.scenarios[0].steps[0], pauses: [{ place: 'pause', hook: module }] }] }] },
      { ...plan, scenarios: [{ weight: 1, steps: [], userScenarios: [{ scenario: 0, weight: 1, steps: [], lead: [{ place: 'pause', hook: module }], flow: null, code: null, once: 0, pause: { place: 'pause', hook: module }, every: null }] }] }
    ]
    for (const [j, evil] of places.entries()) t.equal(/** @type {any} */ (await attack(agent, 10 * i + j, [encode({ type: 'open', plan: evil })]))?.code, 'AC_HOOK', `${JSON.stringify(module)} at place ${j}`)
  }
  t.equal(good.requests, 0)
  const end = await attack(agent, 1000, [encode({ type: 'open', plan: { ...plan, hooks: { setupClient: { name: 'right.js', sha256 } } } })])
  t.equal(end, null)
  t.ok(good.requests >= 3, 'and that one runs')
})

t.test('plans with an extra key anywhere change no other object', async t => {
  const victim = await serve(t)
  const good = await serve(t)
  const agent = agentOf(t, `127.0.0.1:${good.port}`)
  const random = randomFrom(21)
  const pick = (/** @type {any[]} */ list) => list[Math.floor(random() * list.length)]
  const junk = () => pick([null, undefined, 0, -1, 1e9, NaN, '', 'open', victim.url, `127.0.0.1:${victim.port}`, victim.port, String(victim.port), [], {}, [victim.url], { toString: null }, true, '/var/run/docker.sock',
    { name: 'a.js', sha256: '' }, { $: 'seen', of: 0 }, { host: '127.0.0.1', port: victim.port, kind: 'http', tls: false, resolves: true, shown: 'x', authorization: null, credentials: null }])
  const base = encode({ type: 'open', plan: planOf({ url: good.url, amount: 2, redirects: 1, redirectsAnywhere: true, connectTo: ['::127.0.0.1:'], resolve: [`a.test:${good.port}:127.0.0.1`], requests: [{ path: '/', expect: { status: 200 } }] }) })
  const seed = JSON.stringify(base)
  let opened = 0
  for (let i = 0; i < 20; i++) {
    const order = JSON.parse(seed)
    for (let n = 0; n < 1 + random() * 3; n++) mutate(order.plan, pick, junk, random)
    agent.session.handle({ c: i, m: order })
    const first = await firstOf(agent, i)
    agent.session.handle({ c: i, m: { type: 'start' } })
    await until(() => agent.told.some(({ c, x, m }) => c === i && (x !== undefined || m?.type === 'end')), 60)
    agent.session.handle({ c: i, close: true })
    opened += first?.m?.type === 'ready' ? 1 : 0
  }
  t.equal(victim.connections, 0)
  t.ok(opened > 0, `${opened} of them are run`)
  t.equal(agent.session.ended, false)
})

/**
 * @param {any} value
 * @param {(list: any[]) => any} pick
 * @param {() => any} junk
 * @param {() => number} random
 */
function mutate (value, pick, junk, random) {
  let at = value
  for (;;) {
    const key = pick(Object.keys(at))
    if (typeof at[key] === 'object' && at[key] !== null && Object.keys(at[key]).length > 0 && random() < 0.8) {
      at = at[key]
      continue
    }
    at[key] = junk()
    return
  }
}

/**
 * @param {string | null} key
 * @param {import('../../lib/run/agents/signature').Session} session
 * @param {any[]} messages
 * @returns {any[]} entries of a mailbox, as a sender writes them that believes to be in that session
 */
function entriesOf (key, session, messages) {
  const signature = new Signature(key, session)
  /** @type {any[]} */
  const entries = []
  const link = new Link({ post: entry => entries.push({ ...entry }), deliver () {}, now: () => 0, later: action => action(), signature: { sign: (number, payload) => signature.sign(number, payload), verify: () => true } })
  for (const message of messages) link.send(message)
  return entries
}

t.test('an agent with a key does nothing for who has none, another one, or an old message', async t => {
  const good = await serve(t)
  const messages = [{ c: 0, m: encode({ type: 'open', plan: planOf({ url: good.url, amount: 3 }) }) }, { c: 0, m: { type: 'start' } }]
  /** @param {(nonce: string) => any[]} entriesFor */
  const believes = async entriesFor => {
    const agent = agentOf(t, 'loopback', { key: KEY })
    for (const entry of entriesFor(agent.session.nonce)) agent.session.take(entry)
    const started = agent.session.threads.size
    if (started > 0) await endOf(agent, 0)
    return { started, reason: agent.session.reason?.message ?? null }
  }
  const order = (/** @type {string} */ nonce) => ({ run: 'r1', agent: CARD.id, nonce, direction: /** @type {const} */ ('order') })
  const wrong = 'a message is not signed with the AUTOCANNON_KEY of this side: it has to be the same on both'
  t.strictSame(await believes(nonce => entriesOf(null, order(nonce), messages)), { started: 0, reason: 'this agent has an AUTOCANNON_KEY, and the coordinator has none: set the same on both sides' }, 'without a key')
  t.strictSame(await believes(nonce => entriesOf('another key of that length', order(nonce), messages)), { started: 0, reason: wrong }, 'another key')
  t.strictSame(await believes(() => entriesOf(KEY, order('the nonce of another session'), messages)), { started: 0, reason: wrong }, 'recorded in another session')
  t.strictSame(await believes(nonce => entriesOf(KEY, { ...order(nonce), agent: 'a2' }, messages)), { started: 0, reason: wrong }, 'recorded for another agent')
  t.strictSame(await believes(nonce => entriesOf(KEY, { ...order(nonce), run: 'r2' }, messages)), { started: 0, reason: wrong }, 'recorded in another run')
  t.strictSame(await believes(nonce => entriesOf(KEY, { ...order(nonce), direction: 'report' }, messages)), { started: 0, reason: wrong }, 'of the agent itself')
  const changed = (/** @type {Record<string, any>} */ part) => (/** @type {string} */ nonce) => entriesOf(KEY, order(nonce), messages).map(entry => ({ ...entry, ...part }))
  for (const part of [{ p: '[{"c":0,"m":{"type":"stop"}}]' }, { n: '2' }, { a: '1' }, { f: '+' }, { s: 'A'.repeat(43) }]) t.match(await believes(changed(part)), { started: 0 }, JSON.stringify(part))
  t.equal(good.requests, 0)
  t.strictSame(await believes(nonce => entriesOf(KEY, order(nonce), messages).flatMap(entry => [entry, entry])), { started: 1, reason: null }, 'with the key, once')
  t.equal(good.requests, 3)
})

t.test('what a queue says wrongly is told without what it says', async t => {
  const SECRET = 's3cret'
  for (const entry of [{ n: '1', a: '0', f: '', s: '', p: `[{"m":"${SECRET}` }, { n: '1', a: '0', f: '', s: '', p: `"${SECRET}"` }, { n: '1', a: '0', f: SECRET, s: '', p: SECRET }, { n: '1', a: '0', f: '', s: '', p: `[{"url":"${SECRET}"}]` },
    { n: '1', a: '0', f: '', s: '', p: `[{"c":"${SECRET}"}]` }, { n: '1', a: '0', f: '', s: '', p: `[{"keep":1,"memory":{"bytes":"${SECRET}"}}]` }, { n: '1', a: SECRET, f: '', s: '', p: '' }]) {
    const agent = agentOf(t, 'loopback')
    agent.session.take(entry)
    t.ok(agent.session.reason !== null && !agent.session.reason.message.includes(SECRET), agent.session.reason?.message)
  }
  const agent = agentOf(t, 'loopback')
  for (const [i, m] of [{ type: SECRET }, { $: 'object', of: [[SECRET]] }, { type: 'open', plan: { targets: SECRET } }, { type: 'open', plan: SECRET }].entries()) {
    agent.session.handle({ c: i, m })
    t.notMatch(String((await endOf(agent, i)).message), SECRET)
  }
})
