'use strict'

// What users get: the package is packed, installed into an empty folder, and used from there.
//
// Run first: it takes longer than most.

const t = require('tap')
const ts = require('typescript')
const { spawn } = require('node:child_process')
const { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const manifest = require('../package.json')
const { cleanEnv } = require('./helpers/processes/cli')
const { serve } = require('./helpers/servers/http-server')
const { FILE } = require('../lib/net/sockets/binding')

const ROOT = path.join(__dirname, '..')
const WINDOWS = process.platform === 'win32'
/** Whether this clone has an add-on, which goes into the package. */
const isBuilt = existsSync(FILE)

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} [env]
 * @returns {Promise<string>} what it said on stdout
 */
function run (command, args, cwd, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: cleanEnv({ npm_config_update_notifier: 'false', ...env }), shell: WINDOWS, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', text => { stdout += text })
    child.stderr.setEncoding('utf8').on('data', text => { stderr += text })
    child.once('error', reject)
    child.once('close', code => code === 0 ? resolve(stdout) : reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)))
  })
}

/**
 * Runs what the workflow of docs/ci.md runs, in less time.
 * @param {any} t
 * @param {string} folder where the package is installed
 */
async function recipes (t, folder) {
  const text = readFileSync(path.join(ROOT, 'docs/ci.md'), 'utf8')
  const [, config] = /^```js\n(\/\/ bench\.mjs[^]*?)^```$/m.exec(text) ?? []
  const steps = Array.from(text.matchAll(/^- run: (?:\|\n((?: {4}.*\n)+)|(.*\n))/gm), ([, block, line]) => (block ?? line).trimEnd()).filter(step => step.includes('npx'))
  t.equal(steps.length, 2, 'the run of one version, and the comparison of two')
  // The versions are the same server, so what is compared is noise: any verdict is one.
  const summary = path.join(folder, 'summary.md')
  for (const name of ['server.js', 'base/server.js']) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), "require('node:http').createServer((request, response) => setTimeout(() => response.end('ok'), 5)).listen(0)\n")
  }
  writeFileSync(path.join(folder, 'bench.mjs'), config.replace("'30s'", '1.2').replace('connections: 50', 'connections: 2').replace(/ms'/g, "00ms'").replace(/ {2}url: .*\n/, ''))
  const shorter = steps.map(step => step.replaceAll('-d 10', '-d 0.4 --runs 3'))
  await run('sh', ['-c', `${shorter[0]}; case $? in 0 | 3 | 4) ;; *) false ;; esac`], folder, { GITHUB_STEP_SUMMARY: summary })
  t.match(JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8')), { thresholds: [{}, {}, {}] })
  const compared = await run('sh', ['-c', `${shorter[1]}; case $? in 0 | 3 | 4) ;; *) false ;; esac`], folder, { GITHUB_STEP_SUMMARY: summary })
  t.match(compared, 'p50')
  t.equal(readFileSync(path.join(folder, 'versus-new.json'), 'utf8').trimEnd().split('\n').length, 3, 'each run is a line')
  t.ok(readFileSync(summary, 'utf8').split('p99').length > 3, 'each step has added to the summary')
}

/**
 * What the compiler says of files alone: to check its own libraries takes it 10 s.
 * @param {string} folder
 * @param {string[]} files
 * @param {import('typescript').CompilerOptions} [options]
 * @returns {string[]} of each file
 */
function compiled (folder, files, options) {
  const host = ts.createCompilerHost({})
  host.getCurrentDirectory = () => folder
  const program = ts.createProgram(files, { noEmit: true, strict: true, module: ts.ModuleKind.Node20, target: ts.ScriptTarget.ES2023, ...options }, host)
  const whole = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()]
  return files.map(file => {
    const source = program.getSourceFile(file)
    return ts.formatDiagnostics([...whole, ...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)], host)
  })
}

/**
 * @param {any} t
 * @param {string} folder where the package is installed, without @types/node
 */
function types (t, folder) {
  const [right, wrong] = ['right.mts', 'wrong.mts'].map(name => path.join(folder, name))
  const declarations = path.join(folder, 'node_modules/autocannon/index.d.ts')
  writeFileSync(right, `import autocannon from 'autocannon'
const result = await autocannon({ url: 'http://localhost', connections: 5 })
const count: number = result.requests.total
export { count }
`)
  writeFileSync(wrong, `import autocannon from 'autocannon'
export const run = autocannon({ url: 'http://localhost', connections: 'five' })
`)
  const without = compiled(folder, [right, wrong, declarations])
  t.equal(without[0], '', 'who skips the check of libraries has options and results typed all the same')
  t.match(without[1], "Type 'string' is not assignable to type 'number'")
  t.match(without[2], 'npm i --save-dev @types/node')
  t.strictSame(compiled(folder, [right, declarations], { typeRoots: [path.join(ROOT, 'node_modules/@types')], types: ['node'] }), ['', ''], 'with @types/node nothing is missing')
}

// npm installs it three times.
t.setTimeout(240_000)

t.test('the packed package', async t => {
  // A folder with a space in its path: users have such.
  const parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'autocannon-package-')))
  t.teardown(() => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }))
  const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', parent], ROOT))
  /** @type {string[]} */
  const files = packed.files.map((/** @type {{ path: string }} */ file) => file.path)

  t.test('ships what users need and nothing else', async t => {
    const wanted = /^(package\.json|index\.js|index\.d\.ts|LICENSE|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|docs\/[^/]+\.(md|json|png|svg)|bench\/README\.md|bin\/[^/]+\.js|prebuilds\/[^/]+\/sockets\.node|lib\/.+\.(js|d\.ts)|lib\/(cli\/config\/foreign-(flags|options)|core\/error-codes)\.json|lib\/report\/html\/style\.css|samples\/.+|deploy\/(?!\.env$).+)$/
    t.strictSame(files.filter(file => !wanted.test(file)), [])
    for (const file of ['package.json', 'index.js', 'index.d.ts', 'README.md', 'LICENSE', 'CHANGELOG.md', 'bin/autocannon.js', 'lib/run/thread-entry.js', 'samples/start.js']) {
      t.ok(files.includes(file), `${file} is there`)
    }
    const libraries = readdirSync(path.join(ROOT, 'lib'), { recursive: true }).map(file => 'lib/' + String(file).replaceAll('\\', '/')).filter(file => file.endsWith('.js'))
    t.strictSame(libraries.filter(file => !files.includes(file)), [], 'all of lib')
    t.ok(files.includes('lib/report/html/style.css'))
    if (isBuilt) t.ok(files.includes(`prebuilds/linux-${process.arch}/sockets.node`), 'the add-on of the platform on which it was packed')
    t.equal(packed.name, 'autocannon')
    const [, megabytes] = /writes autocannon-[\d.]+tgz, ([\d.]+) MB/.exec(readFileSync(path.join(ROOT, 'docs/ci.md'), 'utf8')) ?? []
    t.ok(Math.abs(packed.size / 1e6 - Number(megabytes)) < 0.1, `the tarball has ${packed.size} bytes, docs/ci.md says ${megabytes} MB`)
    t.equal(packed.version, manifest.version)
  })

  t.test('has what its documents link to', async t => {
    for (const file of files.filter(file => file.endsWith('.md'))) {
      for (const [, link] of readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)) {
        if (/^[a-z]+:/.test(link)) continue
        const target = path.posix.join(path.posix.dirname(file), link)
        t.ok(files.some(one => one === target || one.startsWith(target.replace(/\/?$/, '/'))), `${file}: ${link}`)
      }
    }
  })

  t.test('npm i -g --install-links . in a clone makes a command that needs the clone no more', async t => {
    const prefix = path.join(parent, 'global')
    await run('npm', ['install', '--global', '--install-links', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund', '.'], ROOT)
    const modules = path.join(prefix, WINDOWS ? '' : 'lib', 'node_modules')
    t.equal(realpathSync(path.join(modules, 'autocannon')), path.join(modules, 'autocannon'), 'no link')
    const server = await serve(t)
    t.equal(JSON.parse(await run(path.join(prefix, WINDOWS ? 'autocannon.cmd' : 'bin/autocannon'), ['--json', '-c', '1', '-a', '5', server.url], parent))['2xx'], 5)
  })

  t.test('npx --no -- fetches no other package where this one is not installed', async t => {
    const folder = path.join(parent, 'without')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
    await t.rejects(run('npx', ['--no', '--', 'autocannon', '--version'], folder), { message: /npx canceled due to missing packages/ })
  })

  t.test('works from an empty folder', async t => {
    const folder = path.join(parent, 'a folder')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', path.join(parent, packed.filename)], folder)

    const server = await serve(t)
    const bin = path.join(folder, 'node_modules', '.bin', WINDOWS ? 'autocannon.cmd' : 'autocannon')

    const [version, result, required, imported] = await Promise.all([
      run(bin, ['--version', '--verbose'], folder),
      run(bin, ['--json', '-c', '1', '-a', '5', server.url], folder),
      run('node', ['-e', `
        const autocannon = require('autocannon')
        autocannon({ url: '${server.url}', amount: 5, connections: 1 }).then(result => {
          const text = autocannon.printResult(result)
          const page = autocannon.formatResult(result, 'html')
          console.log(JSON.stringify([result['2xx'], typeof autocannon.track, text.includes('5 requests in') && page.includes('uPlot') && page.length < 200_000]))
        })`], folder),
      run('node', ['--input-type=module', '-e', `
        import autocannon, { track, printResult } from 'autocannon'
        const instance = autocannon({ url: '${server.url}', amount: 5, connections: 1 })
        track(instance, { renderProgressBar: false })
        const result = await instance
        console.log(JSON.stringify([result['2xx'], typeof track, printResult(result).includes('5 requests in')]))`], folder)
    ])
    t.equal(version.split('\n')[0], `autocannon v${manifest.version}`)
    t.match(version, isBuilt ? `sockets: native (prebuilds/linux-${process.arch}/sockets.node)` : 'sockets: node (', 'no compiler and no install script is needed')
    t.equal(JSON.parse(result)['2xx'], 5, 'the bin')
    t.strictSame(JSON.parse(required), [5, 'function', true], 'require')
    t.strictSame(JSON.parse(imported), [5, 'function', true], 'import')
    t.equal(server.requests.length, 15)

    t.equal((await run('npx', ['--no', '--', 'autocannon', '--version'], folder)).split('\n')[0], `autocannon v${manifest.version}`)
    await t.test('the recipes for CI run in it', { skip: WINDOWS && 'no shell' }, t => recipes(t, folder))
    await t.test('its types build on @types/node, and the compiler says so', async t => types(t, folder))
  })
})
