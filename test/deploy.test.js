'use strict'

// What deploy/ says is held to what there is: schemas of Kubernetes, of Compose and of Dockerfiles, this command's own options, the names
// of our environment variables, and a real Redis. Checks that need a cluster or a Docker daemon are left out.

const t = require('tap')
const ts = require('typescript')
const Ajv = require('ajv')
const { parse, parseAllDocuments } = require('yaml')
const { DockerfileParser } = require('dockerfile-ast')
const { validate } = require('dockerfile-utils')
const { execFileSync, spawn, spawnSync } = require('node:child_process')
const { cpSync, readFileSync, readdirSync } = require('node:fs')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const manifest = require('../package.json')
const { Running, cleanEnv, cli } = require('./helpers/processes/cli')
const { noCompiler } = require('./helpers/add-on')
const { closedPort, serve } = require('./helpers/servers/http-server')
const { missing } = require('./helpers/missing')

const ROOT = path.join(__dirname, '..')
const DEPLOY = path.join(ROOT, 'deploy')
/** @param {string} file below deploy/ */
const read = file => readFileSync(path.join(DEPLOY, file), 'utf8')

const WINDOWS = process.platform === 'win32' && 'deploy/ is for Linux'
const IMAGE = `autocannon:${manifest.version}`
const DOCUMENTS = readdirSync(path.join(DEPLOY, 'kubernetes')).flatMap(name => parseAllDocuments(read(`kubernetes/${name}`)).map(document => ({ name, document })))
const OBJECTS = DOCUMENTS.map(({ name, document }) => ({ name, object: document.toJS() }))
const COMPOSE = parse(read('compose.yaml'), { merge: true })

/** Each pod of the manifests, with the labels that it has. */
const PODS = OBJECTS.filter(({ object }) => object.spec.template !== undefined).map(({ name, object }) => ({ name, labels: object.spec.template.metadata.labels, spec: object.spec.template.spec, owner: object }))
/** @type {Array<{ where: string, image: string, command: string[], env: string[] }>} */
const CONTAINERS = [
  ...PODS.flatMap(({ name, spec }) => spec.containers.map((/** @type {any} */ one) => ({ where: `kubernetes/${name}`, image: one.image, command: [...one.command ?? [], ...one.args ?? []], env: one.env.map((/** @type {any} */ { name }) => name) }))),
  ...Object.entries(COMPOSE.services).map(([name, one]) => ({ where: `compose.yaml: ${name}`, image: one.image, command: one.command, env: Object.keys(one.environment) }))
]

/** What a secret has, by name. */
const SECRETS = WINDOWS ? {} : Object.fromEntries(execFileSync('sh', [path.join(DEPLOY, 'secrets.sh')], { encoding: 'utf8' }).trimEnd().split('\n').map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))

/**
 * @param {any[]} objects
 * @returns {string[]} what the types of Kubernetes' own schemas say against each: fields that there are not, or that lack, and values of another type
 */
function mistakes (objects) {
  const types = path.dirname(require.resolve('kubernetes-types/package.json'))
  const folders = /** @type {Record<string, string>} */ ({ v1: 'core/v1', 'networking.k8s.io/v1': 'networking/v1' })
  const name = path.join(ROOT, 'manifests.ts')
  const text = objects.map(object => `{ const object: import(${JSON.stringify(path.join(types, folders[object.apiVersion] ?? object.apiVersion))}).${object.kind} = ${JSON.stringify(object)} }`).join('\n')
  const host = ts.createCompilerHost({})
  const { getSourceFile, fileExists, readFile } = host
  host.getSourceFile = (file, ...rest) => file === name ? ts.createSourceFile(file, text, ts.ScriptTarget.ES2023) : getSourceFile(file, ...rest)
  host.fileExists = file => file === name || fileExists(file)
  host.readFile = file => file === name ? text : readFile(file)
  const program = ts.createProgram([name], { noEmit: true, strict: true, types: [], lib: ['lib.es5.d.ts'], module: ts.ModuleKind.Node20, target: ts.ScriptTarget.ES2023 }, host)
  const source = /** @type {import('typescript').SourceFile} */ (program.getSourceFile(name))
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}

t.test('Kubernetes knows each object and all its fields', async t => {
  for (const { name, document } of DOCUMENTS) t.strictSame([...document.errors, ...document.warnings], [], name)
  t.strictSame(mistakes(OBJECTS.map(({ object }) => object)), [])

  const agents = OBJECTS.find(({ object }) => object.kind === 'Deployment')?.object
  /** @param {(spec: any) => void} change */
  const changed = change => {
    const copy = structuredClone(agents)
    change(copy.spec)
    return mistakes([copy]).join()
  }
  t.match(changed(spec => { spec.template.spec.terminationGracePeriod = 5 }), /terminationGracePeriod\W+ does not exist/, 'a field that there is not')
  t.match(changed(spec => { delete spec.selector }), "Property 'selector' is missing")
  t.match(changed(spec => { spec.replicas = '4' }), "Type 'string' is not assignable to type 'number'")
})

t.test('Compose knows the services and all their fields', async t => {
  // The schema of the Compose Specification, which the linter brings.
  const schema = JSON.parse(readFileSync(path.join(path.dirname(require.resolve('dclint/package.json')), 'schemas/compose.schema.json'), 'utf8'))
  delete schema.$schema
  const holds = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
  holds(COMPOSE)
  t.strictSame(holds.errors, null)
  t.notOk(holds({ services: { redis: { image: 'redis', port: [] } } }), 'a field that there is not')
})

const docker = spawnSync('docker', ['compose', 'version']).status === 0
t.test('docker compose reads compose.yaml', { skip: !docker && 'there is no docker compose' }, async t => {
  const config = ['compose', '-f', path.join(DEPLOY, 'compose.yaml'), '--profile', 'run', 'config', '--quiet']
  t.equal(spawnSync('docker', config, { env: { ...process.env, ...SECRETS } }).status, 0)
  const { status, stderr } = spawnSync('docker', config, { encoding: 'utf8', env: { PATH: process.env.PATH } })
  t.not(status, 0)
  t.match(stderr, 'write deploy/.env first')
})

t.test('pods have the labels that they are selected by', async t => {
  /**
   * @param {any} selector
   * @param {Record<string, string>} labels
   */
  const selects = ({ matchLabels = {}, matchExpressions = [] }, labels) =>
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every((/** @type {any} */ { key, operator, values }) => operator === 'In' && values.includes(labels[key]))
  const of = (/** @type {string} */ kind) => OBJECTS.filter(({ object }) => object.kind === kind).map(({ object }) => object)

  for (const { spec } of of('Deployment')) t.ok(selects(spec.selector, spec.template.metadata.labels))
  for (const { metadata, spec } of of('Service')) {
    t.strictSame(PODS.filter(({ labels }) => selects({ matchLabels: spec.selector }, labels)).map(({ owner }) => owner.metadata.name), [metadata.name])
    t.match(SECRETS.AUTOCANNON_REDIS ?? '', WINDOWS ? '' : new RegExp(`^redis://:${SECRETS.REDIS_PASSWORD}@${metadata.name}:${spec.ports[0].port}$`))
  }
  const policies = of('NetworkPolicy')
  for (const { name, labels, spec } of PODS) {
    const own = policies.filter(policy => selects(policy.spec.podSelector, labels))
    t.equal(own.length, 1, `${name} has a policy`)
    t.strictSame(own[0].spec.policyTypes, ['Ingress', 'Egress'])
    for (const { labelSelector } of spec.topologySpreadConstraints ?? []) t.ok(selects(labelSelector, labels))
  }
  const [load, redis] = ['autocannon-load', 'autocannon-redis'].map(name => policies.find(({ metadata }) => metadata.name === name).spec)
  t.strictSame(redis.egress, [], 'Redis connects to no host')
  t.strictSame(load.ingress, [], 'agents accept no connections')
  const mayReach = PODS.filter(({ labels }) => load.egress.some((/** @type {any} */ { to }) => to.some((/** @type {any} */ one) => one.namespaceSelector === undefined && selects(one.podSelector, labels))))
  t.strictSame(mayReach.map(({ owner }) => owner.metadata.name), ['autocannon-redis'], 'agents reach Redis, and none of each other')
  const mayAsk = PODS.filter(({ labels }) => redis.ingress.some((/** @type {any} */ { from }) => from.some((/** @type {any} */ { podSelector }) => selects(podSelector, labels))))
  t.strictSame(mayAsk.map(({ name }) => name).sort(), ['agents-job.yaml', 'agents.yaml', 'run.yaml'], 'agents and coordinators are let in at Redis')

  // The namespace under test is one word in three files.
  const target = load.egress.flatMap((/** @type {any} */ { to }) => to).map((/** @type {any} */ { namespaceSelector }) => namespaceSelector?.matchLabels['kubernetes.io/metadata.name']).filter((/** @type {string} */ name) => name !== undefined && name !== 'kube-system')
  t.equal(target.length, 1)
  const [url] = CONTAINERS.flatMap(({ command }) => command).filter(arg => arg.startsWith('http:'))
  t.equal(new URL(url).hostname.split('.')[1], target[0])
  for (const { spec } of PODS.filter(({ spec }) => spec.affinity !== undefined)) {
    t.strictSame(spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm.namespaceSelector.matchLabels, { 'kubernetes.io/metadata.name': target[0] })
  }
})

t.test('every container is bounded and has no rights', async t => {
  for (const { name, spec } of PODS) {
    t.match(spec, { automountServiceAccountToken: false, enableServiceLinks: false, securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } }, name)
    t.ok(spec.securityContext.runAsUser > 0)
    for (const { securityContext, resources } of spec.containers) {
      t.strictSame(securityContext, { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } }, name)
      for (const bound of ['requests', 'limits']) t.strictSame(Object.keys(resources[bound]), ['cpu', 'memory'], `${name}: ${bound}`)
    }
  }
  for (const [name, service] of Object.entries(COMPOSE.services)) {
    t.match(service, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], mem_limit: /^\d+m$/ }, name)
    t.notOk('ports' in service, `${name} publishes no port`)
  }
  t.strictSame(COMPOSE.services['autocannon-redis'].networks, ['control'])
  t.ok(COMPOSE.networks.control.internal)
})

t.test('secrets come from the environment, by names that the code reads', { skip: WINDOWS }, async t => {
  const code = readdirSync(path.join(ROOT, 'lib'), { recursive: true }).map(String).filter(file => file.endsWith('.js')).map(file => readFileSync(path.join(ROOT, 'lib', file), 'utf8')).join()
  const ours = CONTAINERS.filter(({ image }) => image === IMAGE)
  t.equal(ours.length, 5)
  for (const { where, env } of ours) {
    const names = env.filter(name => name.startsWith('AUTOCANNON_'))
    t.strictSame(names, ['AUTOCANNON_REDIS', 'AUTOCANNON_KEY'], where)
    for (const name of names) t.match(code, new RegExp(`\\b${name}\\b`))
  }
  for (const { where, command } of CONTAINERS) t.notMatch(command.join(' '), /--redis\b|AUTOCANNON_KEY|rediss?:\/\//, `${where} has none in its command`)
  for (const { spec } of PODS) {
    for (const { env } of spec.containers) {
      for (const { valueFrom: { secretKeyRef } = {} } of env) {
        if (secretKeyRef === undefined) continue
        t.equal(secretKeyRef.name, 'autocannon')
        t.ok(secretKeyRef.key in SECRETS, secretKeyRef.key)
      }
    }
  }
  t.match(read('.gitignore'), /^\.env$/m)
  t.not(SECRETS.REDIS_PASSWORD, SECRETS.AUTOCANNON_KEY)
  t.match(SECRETS.AUTOCANNON_KEY, /^[0-9a-f]{64}$/)
})

t.test('images are the same everywhere, and pinned', async t => {
  const images = new Set(CONTAINERS.map(({ image }) => image))
  t.equal(images.size, 2, [...images].join())
  t.ok(images.has(IMAGE), 'the version of this package')
  for (const image of images) t.match(image, /:\d+\.\d+\.\d+/)
  for (const [image] of read('Dockerfile').matchAll(/autocannon:[\d.]+/g)) t.equal(image, IMAGE)
  for (const [image] of read('README.md').matchAll(/autocannon:\d[\d.]*/g)) t.equal(image, IMAGE)
})

t.test('every command line is one that this command takes', async t => {
  const lines = Array.from([read('compose.yaml'), read('README.md')].join('\n').matchAll(/coordinator (--.*)$/gm), ([, line]) => line)
  t.ok(lines.length > 1)
  // A line of a shell, and the same as it is in a container.
  const given = lines.map(line => execFileSync('sh', ['-c', `printf '%s\\n' ${line}`], { encoding: 'utf8', cwd: path.join(ROOT, 'samples') }).trimEnd().split('\n'))
  const commands = CONTAINERS.filter(({ image, command }) => image === IMAGE && command[0] !== '--help')
  for (const command of [...given, ...commands.filter(({ command }) => command[0] !== 'agent').map(({ command }) => command)]) {
    const { code, stdout, stderr } = await cli([...command, '--print-config'], { env: { AUTOCANNON_REDIS: 'redis://localhost' } })
    t.equal(code, 0, `${command.join(' ')}\n${stderr}`)
    t.match(stdout, /agents/)
  }
  // One that is understood asks for Redis; $(NAME) is what Kubernetes puts there.
  const agents = commands.filter(({ command }) => command[0] === 'agent')
  t.equal(agents.length, 3)
  const redis = `redis://127.0.0.1:${await closedPort()}`
  for (const { where, command, env } of agents) {
    const values = command.map(arg => arg.replace(/\$\((\w+)\)/g, (found, name) => env.includes(name) ? '1' : found))
    t.notMatch(values.join(' '), '$(', `${where}: what stands in the command is a variable of the container`)
    t.match(await cli(values, { env: { AUTOCANNON_REDIS: redis } }), { code: 1, stderr: /ECONNREFUSED/ }, where)
  }
  for (const command of [['--agents=4', '--conections=400', 'http://localhost', '--print-config'], ['agent', '--onse']]) t.equal((await cli(command, { env: { AUTOCANNON_REDIS: redis } })).code, 2, 'a flag that there is not')
})

t.test('Redis takes its configuration, rejects clients without the password, and no process shows it', { skip: WINDOWS || (spawnSync('redis-server', ['--version']).error !== undefined && missing('there is no redis-server: install it (Debian: apt-get install redis-server)')) }, async t => {
  const scripts = CONTAINERS.filter(({ image }) => image.startsWith('redis:')).map(({ command }) => command)
  t.equal(scripts.length, 2)
  // In a Compose file a $ that is no variable of Compose is written twice.
  const [kubernetes, compose] = scripts.map(command => command.join('\n').replaceAll('$$', '$'))
  t.equal(kubernetes, compose)
  const port = await closedPort()
  const [shell, flag, script] = scripts[0]
  const server = spawn(shell, [flag, script.replaceAll('$$', '$').replace('<<END\n', `<<END\nbind 127.0.0.1\nport ${port}\n`)], { env: { ...cleanEnv(), REDIS_PASSWORD: 'correct' }, stdio: 'ignore', cwd: t.testdir() })
  const ended = new Promise(resolve => server.once('exit', resolve))
  t.teardown(() => { server.kill('SIGKILL') })
  const [command, ...args] = COMPOSE.services['autocannon-redis'].healthcheck.test.slice(1)
  t.strictSame(PODS.find(({ name }) => name === 'redis.yaml')?.spec.containers[0].readinessProbe.exec.command, [command, ...args])
  /** @param {string} password */
  const probe = password => spawnSync(command, ['-p', String(port), ...args], { env: { ...cleanEnv(), REDISCLI_AUTH: password } }).status
  for (let attempt = 0; probe('correct') !== 0 && attempt < 100; attempt++) await sleep(50)
  t.equal(probe('correct'), 0, 'it is ready')
  t.not(probe(''), 0)
  t.not(probe('wrong'), 0)
  const config = execFileSync('redis-cli', ['-p', String(port), 'config', 'get', 'maxmemory-policy'], { encoding: 'utf8', env: { ...cleanEnv(), REDISCLI_AUTH: 'correct' } })
  t.match(config, 'noeviction')
  t.notMatch(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8'), 'correct')
  server.kill('SIGTERM')
  t.equal(await ended, 0, 'the shell has become Redis, which hears the signal')
})

const instructions = DockerfileParser.parse(read('Dockerfile')).getInstructions()
const stages = /** @type {Array<typeof instructions>} */ ([])
for (const one of instructions) one.getKeyword() === 'FROM' ? stages.push([one]) : stages.at(-1)?.push(one)
/** What becomes the image. */
const IMAGE_STAGE = stages[stages.length - 1]
/**
 * @param {typeof instructions} stage
 * @param {string} keyword
 */
const valuesOf = (stage, keyword) => stage.filter(one => one.getKeyword() === keyword).map(one => one.getArguments().map(String))

t.test('Docker knows each instruction, and the image is of one Node.js, for a user who is not root', async t => {
  t.strictSame(validate(read('Dockerfile')).map(({ message }) => message), [])
  const [base, ...others] = stages.map(stage => stage[0].getArguments().map(String)[0])
  for (const other of others) t.equal(other, base)
  t.match(base, /^node:\d+\.\d+\.\d+-/)
  t.match(valuesOf(IMAGE_STAGE, 'USER').at(-1)?.join(''), /^[1-9]\d*:[1-9]\d*$/)
  const ids = PODS.filter(({ name }) => name !== 'redis.yaml').map(({ spec: { securityContext } }) => `${securityContext.runAsUser}:${securityContext.runAsGroup}`)
  for (const id of ids) t.equal(id, valuesOf(IMAGE_STAGE, 'USER')[0][0])
  t.strictSame(JSON.parse(valuesOf(IMAGE_STAGE, 'ENTRYPOINT')[0].join(' ')), ['node', '/app/bin/autocannon.js'])
})

/** Parts of the package that no process reads while it runs, and the add-on, which is built for the image. */
const PAPER = ['samples/', 'docs/', 'deploy/', 'bench/README.md', 'index.d.ts', 'prebuilds/', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']

t.test('the image has what the package has, and runs: its steps are taken in a folder', { skip: WINDOWS }, async t => {
  const copied = stages.map(stage => stage.filter(one => one.getKeyword() === 'COPY' && !one.toString().includes('--from=')).flatMap(one => one.getArguments().map(String).slice(0, -1)))
  t.strictSame([...copied[copied.length - 1], ...PAPER.map(name => name.replace(/\/$/, ''))].sort(), [...manifest.files.map(name => name.replace(/\/$/, '')), 'package.json'].filter(name => !name.startsWith('!')).sort())
  const let_ = read('Dockerfile.dockerignore').split('\n').filter(line => line.startsWith('!')).map(line => line.slice(1))
  t.strictSame(let_.sort(), [...new Set(copied.flat())].sort(), 'the builder is given this and nothing else')

  const folder = t.testdir({ app: {}, work: {} })
  const app = path.join(folder, 'app')
  for (const file of new Set(copied.flat())) cpSync(path.join(ROOT, file), path.join(app, file), { recursive: true })
  // The headers are those of the image's Node.js there. What is installed from Debian is here already, or is not.
  const env = cleanEnv({ npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false', npm_config_cache: process.env.npm_config_cache ?? path.join(process.env.HOME ?? folder, '.npm'), NODE_PATH: path.join(ROOT, 'node_modules') })
  const steps = stages.flat().filter(one => one.getKeyword() === 'RUN').map(one => one.getArgumentsContent() ?? '').filter(step => !step.startsWith('apt-get') && !(noCompiler() && step.includes('native/')))
  t.equal(steps.length, noCompiler() ? 1 : 2)
  for (const step of steps) execFileSync('sh', ['-c', step], { cwd: app, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const locked = require('../package-lock.json').packages
  for (const name of ['bullmq', 'ioredis', 'undici']) t.equal(JSON.parse(readFileSync(path.join(app, 'node_modules', name, 'package.json'), 'utf8')).version, locked[`node_modules/${name}`].version, `${name} is that of the lock file`)
  t.notOk(readdirSync(path.join(app, 'node_modules')).includes('tap'))

  const server = await serve(t)
  /** @param {...string} args */
  const run = (...args) => new Running(process.execPath, [path.join(app, 'bin/autocannon.js'), ...args], { cwd: path.join(folder, 'work') }).ended
  t.match(await run('--version', '--verbose'), { code: 0, stdout: noCompiler() ? `autocannon v${manifest.version}` : /\nsockets: native \(prebuilds\/linux-/ })
  t.match(await run('-c', '1', '-a', '5', '-o', 'run.html', '-o', 'run.md', '--http2', server.url), { code: 0 })
  t.equal(server.requests.length, 5)
})
