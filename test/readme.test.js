'use strict'

// What the documents tell a newcomer to do: every snippet of README.md and docs/reference.md runs and shows something, every
// link leads to a file, and no command fetches another package.
//
// Run first: it takes longer than most.

const t = require('tap')
const { cpSync, existsSync, readFileSync, readdirSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { Running, cli, shell } = require('./helpers/processes/cli')
const { serve } = require('./helpers/servers/http-server')
const { webSocketServer } = require('./helpers/servers/websocket-server')
const { FIND } = require('../lib/experiments/find/flags')
const { VERSUS } = require('../lib/experiments/versus/flags')
const { TABLE } = require('../lib/options/table')

const ROOT = path.join(__dirname, '..')
const URL = 'http://localhost:3000'

// Dozens of runs, on a machine that may be busy.
t.setTimeout(240_000)
t.jobs = 2

/** @param {string} file from the root */
const read = file => readFileSync(path.join(ROOT, file), 'utf8')

/** @param {string} folder from the root */
const markdown = folder => readdirSync(path.join(ROOT, folder)).filter(name => name.endsWith('.md')).map(name => path.posix.join(folder, name))
const DOCUMENTS = ['.', 'docs', 'samples', 'bench'].flatMap(markdown)

/**
 * @param {string} language
 * @returns {string[]} the snippets in it
 */
const snippets = language => Array.from((read('README.md') + read('docs/reference.md')).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm')), ([, code]) => code)

t.test('every js snippet of the README and the reference shows something', async t => {
  const server = await serve(t, (request, response) => response.end('welcome'))
  const folder = t.testdir({ node_modules: { autocannon: {} } })
  // The package as it is, but for a few requests and against a server of the test.
  writeFileSync(path.join(folder, 'node_modules/autocannon/index.js'), `
const autocannon = require(${JSON.stringify(ROOT)})
module.exports = Object.assign((options, ...rest) => autocannon({ ...options, url: options.url.replace('${URL}', '${server.url}'), duration: undefined, amount: 100 }, ...rest), autocannon)
`)
  const all = snippets('js').filter(code => !code.includes('export default'))
  t.ok(all.length > 2)
  for (const [i, code] of all.entries()) {
    const file = path.join(folder, `snippet-${i}.js`)
    writeFileSync(file, code.replace('p99 < 50ms', 'p99 < 10s'))
    const { code: exit, stdout, stderr } = await new Running(process.execPath, [file], {}).ended
    t.equal(exit, 0, `${code}\n${stderr}`)
    t.match(stdout + stderr, /requests? in|latency/, `${code}\nshows what it measured`)
  }
})

/** Commands that do not run a load, or that other tests have: test/samples.test.js runs npm start, test/package.test.js installs. */
const ELSEWHERE = /^(npm|git) /

t.test('the README has at most 150 lines', async t => {
  t.ok(read('README.md').split('\n').length <= 151)
})

/** What the server sends as Server-Sent Events. @type {Record<string, string>} */
const STREAMS = {
  '/events': 'data: a\n\ndata: b\n\n',
  '/v1/chat/completions': ['{"choices":[{"delta":{"content":"a"}}]}', '{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}]}', '[DONE]'].map(data => `data: ${data}\n\n`).join('')
}

/**
 * A server in place of port 3000 of the documents, and a folder with the files that their commands read.
 * @param {Tap.Test} t
 */
async function prepare (t) {
  const server = await serve(t, (request, response) => {
    request.resume()
    response.setHeader('x-token', 'x')
    const stream = STREAMS[request.url ?? '']
    if (stream !== undefined) return response.setHeader('content-type', 'text/event-stream').end(stream)
    response.end(request.url === '/graphql' ? '{"data":{}}' : 'welcome')
  })
  const { url: webSocket } = await webSocketServer(t)
  const folder = t.testdir()
  cpSync(path.join(__dirname, '../samples/llm/chat.json'), path.join(folder, 'chat.json'))
  cpSync(path.join(__dirname, '../samples/shop'), path.join(folder, 'samples/shop'), { recursive: true })
  for (const place of ['.', 'old', 'new', 'base']) cpSync(path.join(__dirname, 'fixtures/cli/server.js'), path.join(folder, place, 'server.js'))
  writeFileSync(path.join(folder, 'paths.txt'), '/a\n/b\n')
  writeFileSync(path.join(folder, 'urls.txt'), `${server.url}/a\n${server.url}/b\n`)
  writeFileSync(path.join(folder, 'users.csv'), 'name,email\nada,ada@example.org\ngrace,grace@example.org\n')
  const entry = { startedDateTime: '2026-01-01T00:00:00.000Z', request: { method: 'GET', url: `${URL}/a`, headers: [] } }
  writeFileSync(path.join(folder, 'shop.har'), JSON.stringify({ log: { entries: [entry] } }).replace(URL, server.url))
  return { server, webSocket, folder }
}

/**
 * @param {string} command
 * @returns {string[] | null} its words; null where a shell has more to do than to take them apart, so that it needs one
 */
function wordsOf (command) {
  const own = command.replace('$AUTOCANNON', 'autocannon')
  const bare = own.replace(/'[^']*'|"[^"$`\\]*"/g, '')
  const words = own.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []
  return /[|;&<>$`*?(){}\\#~'"]|^\w+=/.test(bare) ? null : words.map(word => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'))
}

t.test('what a shell would make of a command is known, or left to it', async t => {
  t.strictSame(wordsOf("$AUTOCANNON -H 'a: b c' --x=\"it's\" http://localhost:3000"), ['autocannon', '-H', 'a: b c', "--x=it's", 'http://localhost:3000'])
  for (const command of ['a | b', 'a > b', 'a $b', 'a "$b"', 'A=b c', 'a; b', 'a && b', "a 'b", 'a *', 'a # b', 'a \\', 'a `b`', 'a ~']) t.equal(wordsOf(command), null, command)
})

/** Options of runs that can't end by an amount. */
const TIMED = / --(until|skip-first|warmup) /

/**
 * Runs a command of a document against the server of the test, with few requests: a busy machine may send none in half a second.
 * @param {Tap.Test} t
 * @param {string} command
 * @param {{ server: { url: string }, webSocket: string, folder: string }} where
 */
async function runBriefly (t, command, { server, webSocket, folder }) {
  t.match(command, /^autocannon /)
  const run = command.replace('autocannon', '$AUTOCANNON').replace(/http:\/\/(localhost|127\.0\.0\.1):3000/, server.url).replace('ws://localhost:3000/', webSocket).replaceAll(/ -d \S+/g, TIMED.test(command) ? ' -d 1' : command.includes('--rate 20 ') ? ' -a 10' : ' -a 100').replace('versus ', 'versus --runs 3 ').replace('-p 100', '-p 5')
    .replace(/^([^]*?)--on-port/, (found, before) => / -a |--config | run /.test(before) ? found : `${before}-a 100 --on-port`).replaceAll(/p99 < \d+ms/g, 'p99 < 10s').replace('../base', 'base').replace('--on-port / ', '--on-port /path ')
    .replace(/(?<=--stage \S*?)\d+[sm]:/g, '0.2s:').replace('find ', 'find --inconclusive pass --from 200/s --to 300/s --step 0.5 ').replace("'p99 ±5%'", "'p99 ±50%' --inconclusive pass").replace('--skip-first 2s', '--skip-first 0.2s')
    .replace("--fail-if 'p99 +10%'", "--inconclusive pass --fail-if 'p99 +10000%'").replace('--pause 1s-3s', '--pause 10ms-20ms')
  const argv = wordsOf(run)
  const { code, stdout, stderr } = await (argv === null ? shell(run, { cwd: folder }) : cli(argv.slice(1), { cwd: folder }))
  // A busy machine may leave it open whether a threshold is met, and latency that grows fails a step of a search.
  const isOpen = (code === 4 && /inconclusive/i.test(stderr)) || (code === 3 && / find /.test(command) && /latency grew/.test(stderr))
  t.ok(code === 0 || isOpen, `${code}: ${command}\n${stderr}`)
  t.match(stderr + stdout, /requests? in |messages? sent in |req\/s {2}p50 | held$|^\d+(\.\d+)?\n$/m, command)
}

/**
 * @param {string} text of a document
 * @returns {string[]} the commands in its shell snippets
 */
const commandsOf = text => Array.from(text.matchAll(/^```sh\n([^]*?)^```$/gm), ([, code]) => code).flatMap(code => code.split('\n')).filter(line => line !== '' && !ELSEWHERE.test(line))

t.test('every command of the README runs', { buffered: true }, async t => {
  const where = await prepare(t)
  writeFileSync(path.join(where.folder, 'shop.yaml'), snippets('yaml')[0].replace(URL, where.server.url).replace('duration: 5', 'amount: 10 iterations'))
  writeFileSync(path.join(where.folder, 'shop.mjs'), snippets('js').find(code => code.includes('export default')) ?? '')
  const commands = commandsOf(read('README.md') + read('docs/reference.md'))
  t.ok(commands.length > 5)
  for (const command of commands) await runBriefly(t, command, where)
  t.ok(existsSync(path.join(where.folder, 'run.html')))
  t.ok(existsSync(path.join(where.folder, 'run.md')))
})

t.test('every recipe runs', { buffered: true }, async t => {
  const where = await prepare(t)
  const text = read('docs/recipes.md')
  const [, graphql] = /^```js\n(\/\/ graphql\.mjs[^]*?)^```$/m.exec(text) ?? []
  writeFileSync(path.join(where.folder, 'graphql.mjs'), graphql.replace('p95 < 200ms', 'p95 < 10s'))
  const commands = [...commandsOf(text), graphql.split('\n')[0].replace(/^.*?: /, '')]
  t.ok(commands.length > 10)
  for (const command of commands) await runBriefly(t, command, where)
})

t.test('every link of a document leads to a file', async t => {
  for (const file of DOCUMENTS) {
    for (const [, link] of read(file).matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)) {
      if (!/^[a-z]+:/.test(link)) t.ok(existsSync(path.join(ROOT, path.dirname(file), link)), `${file}: ${link}`)
    }
  }
})

t.test('every test, file of lib/ and bench that a document names is there', async t => {
  // The CHANGELOG names what was.
  for (const file of DOCUMENTS.filter(name => name !== 'CHANGELOG.md')) {
    for (const [named] of read(file).matchAll(/(?<![\w./-])(?:test|lib|bench)\/[\w/-]+(?:\.\w+)*/g)) {
      // What npm installs is not there in every checkout.
      if (!named.includes('/node_modules')) t.ok(['', '.js', '.test.js'].some(ending => existsSync(path.join(ROOT, named + ending))), `${file}: ${named}`)
    }
  }
})

t.test('every link to a place in a document leads to a heading', async t => {
  for (const file of DOCUMENTS) {
    for (const [, link, anchor] of read(file).matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)) {
      const target = link === '' ? file : path.posix.join(path.posix.dirname(file), link)
      const headings = Array.from(read(target).matchAll(/^#+ (.*)$/gm), ([, text]) => text.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-'))
      t.ok(headings.includes(anchor), `${file}: ${link}#${anchor}`)
    }
  }
})

t.test('every flag that a table gives for one of another tool, or for an aim, is known', async t => {
  const known = new Set([...TABLE, ...FIND, ...VERSUS].flatMap(({ name, aliases = [] }) => [name, ...aliases]).flatMap(name => [`--${name}`, `--no-${name}`]))
  let count = 0
  for (const file of DOCUMENTS.filter(name => name !== 'CHANGELOG.md')) {
    for (const [, rows] of read(file).matchAll(/^\|.*\| *(?:here|flags?|equivalent) *\|\n\|[-| :]+\n((?:\|.*\n)+)/gim)) {
      for (const row of rows.trimEnd().split('\n')) {
        const [, cell] = /.*(?<!\\)\|(.+)\|$/.exec(row) ?? []
        for (const [, code] of cell.matchAll(/`([^`]*)`/g)) {
          for (const [flag] of code.matchAll(/(?<![\w-])--[a-z][\w-]*/gi)) {
            count++
            t.ok(known.has(flag), `${file}: ${flag}`)
          }
        }
      }
    }
  }
  t.ok(count > 50, `${count} flags are found`)
})

t.test('no document says a bare npx autocannon, which fetches another package', async t => {
  const bare = /npx (?!--no -- )(?:-\S+ )*autocannon\b.*|npm exec (?!--no -- )(?:-\S+ )*autocannon\b.*|npm (?:i|install|add) (?:-\S+ )*autocannon(?![\w.-]).*/g
  for (const trap of ['npx autocannon -c 1', 'npx --yes autocannon', 'npx --no autocannon', 'npm exec autocannon', 'npm i -g autocannon', 'npm install --save-dev autocannon']) {
    t.match(trap, new RegExp(bare.source), `${trap} is found`)
  }
  const samples = readdirSync(path.join(ROOT, 'samples'), { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js')).map(name => `samples/${name}`)
  for (const file of [...DOCUMENTS, ...samples, 'lib/cli/help.js', 'package.json']) {
    t.strictSame(read(file).match(bare) ?? [], [], file)
  }
})
