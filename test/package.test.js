'use strict'

// What users get: the package is packed, installed into an empty folder, and used from there.

const t = require('tap')
const { spawn } = require('node:child_process')
const { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const path = require('node:path')
const manifest = require('../package.json')
const { cleanEnv } = require('./helpers/cli')
const { serve } = require('./helpers/http-server')

const ROOT = path.join(__dirname, '..')
const WINDOWS = process.platform === 'win32'

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<string>} what it said on stdout
 */
function run (command, args, cwd) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: cleanEnv({ npm_config_update_notifier: 'false' }), shell: WINDOWS, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', text => { stdout += text })
    child.stderr.setEncoding('utf8').on('data', text => { stderr += text })
    child.once('error', reject)
    child.once('close', code => code === 0 ? resolve(stdout) : reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${stderr}`)))
  })
}

t.test('the packed package', async t => {
  // A folder with a space in its path: users have such.
  const parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'autocannon-package-')))
  t.teardown(() => rmSync(parent, { recursive: true, force: true, maxRetries: 3 }))
  const [packed] = JSON.parse(await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', parent], ROOT))
  /** @type {string[]} */
  const files = packed.files.map((/** @type {{ path: string }} */ file) => file.path)

  t.test('ships what users need and nothing else', async t => {
    const wanted = /^(package\.json|index\.js|index\.d\.ts|README\.md|LICENSE|CHANGELOG\.md|bin\/[^/]+\.js|lib\/.+\.(js|d\.ts)|lib\/report\/html\/style\.css|samples\/.+)$/
    t.strictSame(files.filter(file => !wanted.test(file)), [])
    for (const file of ['package.json', 'index.js', 'index.d.ts', 'README.md', 'LICENSE', 'CHANGELOG.md', 'bin/autocannon.js', 'lib/run/thread-entry.js', 'samples/start.js']) {
      t.ok(files.includes(file), `${file} is there`)
    }
    const libraries = readdirSync(path.join(ROOT, 'lib'), { recursive: true }).map(file => 'lib/' + String(file).replaceAll('\\', '/')).filter(file => file.endsWith('.js'))
    t.strictSame(libraries.filter(file => !files.includes(file)), [], 'all of lib')
    t.ok(files.includes('lib/report/html/style.css'))
    t.equal(packed.name, 'autocannon')
    t.equal(packed.version, manifest.version)
  })

  t.test('works from an empty folder', async t => {
    const folder = path.join(parent, 'a folder')
    mkdirSync(folder)
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }')
    await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', path.join(parent, packed.filename)], folder)

    const server = await serve(t)
    const bin = path.join(folder, 'node_modules', '.bin', WINDOWS ? 'autocannon.cmd' : 'autocannon')

    const [version, result, required, imported] = await Promise.all([
      run(bin, ['--version'], folder),
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
    t.equal(JSON.parse(result)['2xx'], 5, 'the bin')
    t.strictSame(JSON.parse(required), [5, 'function', true], 'require')
    t.strictSame(JSON.parse(imported), [5, 'function', true], 'import')
    t.equal(server.requests.length, 15)
  })
})
