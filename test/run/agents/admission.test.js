'use strict'

// What an agent makes of a plan from a queue, before anything of it runs.

const t = require('tap')
const { createHash } = require('node:crypto')
const { isIP } = require('node:net')
const path = require('node:path')
const { decode, encode } = require('../../../lib/run/codec')
const { admit, checkSize } = require('../../../lib/run/agents/admission')
const { buildPlan } = require('../../../lib/options/plan')
const { validate } = require('../../../lib/options/validate')
const { AutocannonError } = require('../../../lib/core/errors')
const { DEFAULT, parseAllowed } = require('../../../lib/net/allowed')

/** @param {Record<string, any>} opts @returns {any} a plan as it comes from a queue */
const planOf = opts => decode(JSON.parse(JSON.stringify(encode(buildPlan(validate({ url: 'http://127.0.0.1', ...opts }).values)))))

/** @type {Record<string, string[]>} */
const NAMES = { 'app.test': ['10.0.0.7'], 'shop.test': ['203.0.113.7', '203.0.113.8'], 'half.test': ['203.0.113.7', '10.0.0.7'], 'cloud.test': ['169.254.169.254'] }

/** @type {any} of the agent */
const lookup = (/** @type {string} */ host, /** @type {any} */ options, /** @type {any} */ callback) => {
  const addresses = isIP(host) === 0 ? NAMES[host] : [host]
  if (addresses === undefined) setImmediate(callback, Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }))
  else setImmediate(callback, null, addresses.map(address => ({ address, family: isIP(address) })))
}

const terms = (/** @type {string} */ allow = DEFAULT.join(), /** @type {string | null} */ modules = null) => ({ allow: parseAllowed(allow), modules, lookup })

t.test('a plan is the same, but that its connections are held to what is allowed', async t => {
  for (const opts of [{}, { url: 'http://localhost' }, { url: 'http://app.test' }, { url: 'http://half.test' }, { url: ['http://10.0.0.1', 'https://[fd00::1]:8443'] }, { url: 'http://unknown.test' }, { localAddress: '127.0.0.2' }]) {
    const plan = planOf(opts)
    const { network, ...rest } = await admit(plan, terms())
    t.strictSame(rest, (({ network, ...rest }) => rest)(plan))
    t.strictSame(network?.allow, parseAllowed('private,loopback'))
    t.strictSame(network?.localAddresses, opts.localAddress === undefined ? [] : ['127.0.0.2'])
  }
})

t.test('what is not allowed is one sentence that says what to do', async t => {
  const no = (/** @type {string} */ what, port = 80, allow = 'private, loopback', asked = what.replace(/ .*/, '')) => `this agent sends no load to ${what}, port ${port}: it allows ${allow}. Start it with --allow ${asked} to change that`
  for (const [opts, message, allow] of [
    [{ url: 'http://203.0.113.7' }, no('203.0.113.7')],
    [{ url: 'https://shop.test/a?token=secret' }, no('shop.test (203.0.113.7)', 443)],
    [{ url: 'http://user:secret@shop.test' }, no('shop.test (203.0.113.7)')],
    [{ url: ['http://app.test', 'http://shop.test:8080'] }, no('shop.test (203.0.113.7)', 8080)],
    [{ url: 'http://cloud.test' }, no('cloud.test (169.254.169.254)', 80, '*.test', '169.254.169.254'), '*.test'],
    [{ url: 'http://app.test', connectTo: ['::203.0.113.7:'] }, no('203.0.113.7')],
    [{ url: 'http://app.test', resolve: ['app.test:80:203.0.113.7'] }, no('app.test (203.0.113.7)', 80, 'app.test', '203.0.113.7'), 'app.test'],
    [{ url: 'http://app.test', proxy: 'http://shop.test:3128' }, no('shop.test (203.0.113.7)', 3128, 'app.test'), 'app.test'],
    [{ url: 'http://app.test', proxy: 'http://10.0.0.2:3128' }, no('app.test')],
    [{ url: 'http://shop.test', proxy: 'socks5://10.0.0.2' }, no('shop.test (203.0.113.7)')],
    [{ url: 'http://app.test', proxy: 'socks5h://10.0.0.2' }, no('app.test')],
    [{ url: 'http://localhost', socketPath: '/run/docker.sock' }, 'this agent sends no load to unix:/run/docker.sock: it allows all. Start it with --allow unix:/run/docker.sock to change that', 'all']
  ]) await t.rejects(admit(planOf(/** @type {any} */ (opts)), terms(/** @type {any} */ (allow))), { code: 'AC_NOT_ALLOWED', message }, JSON.stringify(opts))
})

t.test('what is allowed by its name, its port, or in another way', async t => {
  for (const [opts, allow] of [
    [{ url: 'http://shop.test' }, 'shop.test'],
    [{ url: 'http://shop.test' }, '*.test:80'],
    [{ url: 'http://shop.test' }, '203.0.113.0/24'],
    [{ url: 'http://shop.test', proxy: 'http://10.0.0.2:3128' }, 'private,shop.test'],
    [{ url: 'http://shop.test', proxy: 'socks5://10.0.0.2' }, 'private,203.0.113.7'],
    [{ url: 'http://localhost', socketPath: '/run/app.sock' }, 'unix:/run/app.sock'],
    [{ url: 'http://cloud.test' }, '169.254.169.254']
  ]) await t.resolves(admit(planOf(/** @type {any} */ (opts)), terms(/** @type {any} */ (allow))), JSON.stringify(opts))
})

t.test('modules are those of the agent, and a dispatcher connects without checks', async t => {
  const code = 'module.exports = () => {}'
  const dir = t.testdir({ 'a.js': code })
  const sha256 = createHash('sha256').update(code).digest('hex')
  const plan = { ...planOf({}), hooks: { setupClient: { name: 'a.js', sha256 } } }
  t.equal(/** @type {any} */ (await admit(plan, terms('loopback', dir))).hooks.setupClient, path.join(dir, 'a.js'))
  await t.rejects(admit(plan, terms()), { code: 'AC_HOOK', message: /this agent runs none: start it with --modules DIR/ })
  const dispatched = { ...planOf({ client: 'undici' }), dispatcher: { name: 'a.js', sha256 } }
  for (const allow of ['loopback', 'all:80', '0.0.0.0/0']) {
    await t.rejects(admit(dispatched, terms(allow, dir)), { code: 'AC_HOOK', message: 'dispatcher: it opens its own connections, which this agent cannot check against --allow: omit it, or start the agent with --allow all' })
  }
  t.equal((await admit(dispatched, terms('all', dir))).dispatcher, path.join(dir, 'a.js'))
})

t.test('TLS options are values alone: no engine is loaded, no other socket opened, nothing written to stderr', async t => {
  const plan = planOf({ url: 'https://127.0.0.1', tlsOptions: { ca: 'x', servername: 'a.test', ciphers: 'DEFAULT', minVersion: 'TLSv1.2' } })
  await t.resolves(admit(plan, terms()))
  for (const name of ['path', 'socket', 'host', 'port', 'fd', 'lookup', 'privateKeyEngine', 'privateKeyIdentifier', 'clientCertEngine', 'enableTrace', 'secureContext', 'localAddress', 'pskCallback', '__proto__', 'x\n']) {
    const [target] = plan.targets
    const evil = { ...plan, targets: [target, { ...target, tlsOptions: JSON.parse(`{ ${JSON.stringify(name)}: "x" }`) }] }
    await t.rejects(admit(evil, terms()), { code: 'AC_OPTIONS', message: `tlsOptions: an agent takes no '${name.replace('\n', '\\n')}': omit it` }, name)
  }
})

t.test('what is no plan is refused in a sentence that shows nothing of it', async t => {
  const plan = planOf({})
  const [target] = plan.targets
  for (const evil of [undefined, null, 5, 'plan', [], {}, { targets: [] }, { ...plan, targets: null }, { ...plan, targets: [null] }, { ...plan, targets: 'http://a' }, { ...plan, scenarios: null }, { ...plan, scenarios: [{ steps: [null], iterations: null }] },
    { ...plan, hooks: null }, { ...plan, network: { connectTo: 5 } }, { ...plan, network: { proxies: { http: 5 } } }]) {
    const error = await admit(evil, terms()).then(() => null, error => error)
    t.ok(error instanceof AutocannonError && error.message.length < 200 && !error.message.includes('\n'), `${JSON.stringify(evil)}: ${error}`)
  }
  // A rule that came with the plan is none.
  for (const allow of [parseAllowed('all'), null, undefined]) t.strictSame((await admit({ ...plan, network: { allow } }, terms())).network?.allow, parseAllowed('private,loopback'))
  for (const host of [['127.0.0.1'], { toString: 'x' }, 5, null, undefined]) {
    await t.rejects(admit({ ...plan, targets: [{ ...target, host }] }, terms('10.0.0.1')), { code: /^AC_/ }, JSON.stringify(host))
  }
})

t.test('names without a response of DNS do not delay a run', async t => {
  const silent = /** @type {any} */ () => {}
  await t.resolves(admit(planOf({ url: 'http://app.test' }), { ...terms(), lookup: silent }))
})

t.test('a plan has a size', async t => {
  checkSize(128 * 1024 * 1024)
  t.throws(() => checkSize(200.5 * 1024 * 1024), { code: 'AC_OPTIONS', message: 'agents: requests, bodies and data travel to each agent, and may have 128 MiB: got 201 MiB; use smaller files, or fewer URLs with bodies of their own' })
})
