'use strict'

const t = require('tap')
const { grammarOf, readFlags } = require('../../lib/cli/args')
const { COMMANDS, WORDS } = require('../../lib/cli/commands/index')
const FOREIGN = require('../../lib/cli/config/foreign-flags.json')
const { allHelp } = require('../../lib/cli/help')
const { parseArguments } = require('../../lib/cli/main')
const { validate } = require('../../lib/options/validate')
const { GROUPS, TABLE, flags } = require('../../lib/options/table')

const URL = 'http://localhost:3000'

/**
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} [env]
 */
const raw = (argv, env = {}) => {
  const { raw, command, problems } = readFlags(argv, env)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  return command.length > 0 ? { ...raw, command } : raw
}

/**
 * All that the command line would complain about.
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
function problemsOf (argv, env) {
  const { raw, problems, labels } = readFlags(argv, env, undefined, grammarOf(TABLE, 'url', WORDS))
  try {
    validate(raw, option => labels[option.name] ?? (option.name === 'url' ? 'URL' : flags(option)), problems)
    return []
  } catch (error) {
    return error.problems
  }
}

t.test('reads flags in every form', async t => {
  /** @type {Array<[argv: string[], raw: Record<string, any>]>} */
  const cases = [
    [[], {}],
    [[URL], { url: [URL] }],
    [[URL, 'http://b'], { url: [URL, 'http://b'] }],
    [['-c', '5', URL], { connections: '5', url: [URL] }],
    [['-c5', URL], { connections: '5', url: [URL] }],
    [['-c=5', URL], { connections: '5', url: [URL] }],
    [['--connections', '5', URL], { connections: '5', url: [URL] }],
    [['--connections=5', URL], { connections: '5', url: [URL] }],
    [[URL, '-c', '5'], { url: [URL], connections: '5' }],
    [['-c', '5', '-c', '6'], { connections: '6' }],
    [['--watch', '1', '--watch', '2,3'], { watch: ['1', '2,3'] }],
    [['-jl'], { json: true, latency: true }],
    [['-jlc', '5'], { json: true, latency: true, connections: '5' }],
    [['--json=true'], { json: true }],
    [['--json=false'], { json: false }],
    [['--no-json'], { json: false }],
    [['--no-json=false'], { json: true }],
    [['--help=true'], { help: true }],
    [['-n'], { progress: false }],
    [['-x=false'], { excludeErrorStats: false }],
    [['-x=true'], { excludeErrorStats: true }],
    [['-xj=false'], { excludeErrorStats: true, json: false }],
    [['-n=false'], { progress: true }],
    [['-b', '-x=false'], { body: '-x=false' }],
    [['-jc=5'], { json: true, connections: '5' }],
    [['-jb', 'true'], { json: true, body: 'true' }],
    [['-lj', 'false'], { latency: true, json: false }],
    [['-d', '-5'], { duration: '-5' }],
    [['-d-5'], { duration: '-5' }],
    [['-d=-5'], { duration: '-5' }],
    [['--duration=-5'], { duration: '-5' }],
    [['--warmup=[ -c 1 ]', URL], { warmup: { connections: '1' }, url: [URL] }],
    [['-W=[ -c 1 -d 2 ]', URL], { warmup: { connections: '1', duration: '2' }, url: [URL] }],
    [['-W=[', '-c', '1', ']', URL], { warmup: { connections: '1' }, url: [URL] }],
    [['--no-progress'], { progress: false }],
    [['--progress'], { progress: true }],
    [['-V'], { verbose: true }],
    [['--no-verbose'], { verbose: false }],
    [['-b', '-5'], { body: '-5' }],
    [['-b', '=x'], { body: '=x' }],
    [['-b=x'], { body: 'x' }],
    [['-b', ''], { body: '' }],
    [['--body='], { body: '' }],
    [['--body', '--json'], { body: '--json' }],
    [['--body=a=b'], { body: 'a=b' }],
    [['-b', '[ 1, 2 ]'], { body: '[ 1, 2 ]' }],
    [['-H', 'a=b'], { headers: ['a=b'] }],
    [['-H', 'a=b', '-H', 'a: c', '--header', 'd=e', '--headers=f=g'], { headers: ['a=b', 'a: c', 'd=e', 'f=g'] }],
    [['-Ha=b'], { headers: ['a=b'] }],
    [['--expect-status', '200', '--expect-status=2xx'], { expectStatus: ['200', '2xx'] }],
    [['--expect-header', 'a', '--expect-header', 'b=c'], { expectHeader: ['a', 'b=c'] }],
    [['--expect-json', 'a=1', '--expectJson', 'b=2'], { expectJson: ['a=1', 'b=2'] }],
    [['--expect-includes', 'a', '--expect-includes', 'b'], { expectIncludes: ['a', 'b'] }],
    [['--by-request'], { byRequest: true }],
    [['--latency', 'false', URL], { latency: false, url: [URL] }],
    [['-n', '--progress'], { progress: true }],
    [['--progress', '-jn'], { json: true, progress: false }],
    [['-b', '1e3', '-T', '0x10', '-b5'], { body: '5', title: '0x10' }],
    [['--body', '--no-json', '-H', '--x: y'], { body: '--no-json', headers: ['--x: y'] }],
    [['--on-port', '--', 'npm', '--json', '--', '-c', '5'], { onPort: true, url: ['http://localhost/'], command: ['npm', '--json', '--', '-c', '5'] }]
  ]
  for (const [argv, expected] of cases) t.strictSame(raw(argv), expected, argv.join(' ') || 'no arguments')
})

t.test('reads every flag of the table by its long and its short name', async t => {
  for (const option of TABLE) {
    if (option.where === 'api') continue
    const isFlag = option.type === 'flag'
    const names = [flags(option).replace(/^.*\//, ''), ...option.aliases?.map(name => (name.length === 1 ? '-' : '--') + name) ?? []]
    if (option.short !== undefined) names.push('-' + option.short)
    for (const name of names) {
      const given = readFlags(isFlag ? [name, URL] : [name, 'x', URL], {}).raw[option.name]
      const expected = isFlag ? !(option.negated && /^(-.$|--no-)/.test(name)) : [].concat(given).length === 1 ? given : undefined
      t.strictSame(given, expected, name)
      t.not(given, undefined, `${name} reaches ${option.name}`)
    }
  }
})

t.test('reads what a path stands for', async t => {
  t.strictSame(raw(['/a'], { PORT: '80' }), { url: ['http://localhost:80/a'] })
  t.strictSame(raw(['/a', '/b', URL], { PORT: '80' }), { url: ['http://localhost:80/a', 'http://localhost:80/b', URL] })
  t.strictSame(raw([URL], { PORT: '80' }), { url: [URL] })
})

t.test('reads the command after --', async t => {
  const local = ['http://localhost/']
  t.strictSame(raw(['--on-port', '--', 'npm', 'start']), { onPort: true, url: local, command: ['npm', 'start'] })
  t.strictSame(raw(['--onPort=true', '--', 'npm', 'start']), { onPort: true, url: local, command: ['npm', 'start'] })
  t.strictSame(raw(['--', 'node', 'a.js', '-c', '1', '--json']), { onPort: true, url: local, command: ['node', 'a.js', '-c', '1', '--json'] }, 'the flags of the command are its own')
  t.strictSame(raw(['-c', '2', '/path', '--', '/usr/bin/node', 'a.js'], { PORT: '80' }),
    { connections: '2', onPort: true, url: ['http://localhost/path'], command: ['/usr/bin/node', 'a.js'] }, 'PORT is for a server that runs')
  t.strictSame(raw(['--', 'C:\\nodejs\\node.exe', 'a.js']).onPort, true)
  for (const words of [['PORT=1', 'node', 'a.js'], ['env', 'PORT=1', 'A=', '/usr/bin/node', 'a.js'], ['A=b', 'env', 'node']]) {
    t.match(raw(['--', ...words]), { onPort: true, command: words }, words.join(' '))
  }
  for (const options of [['-u', 'FOO'], ['-uFOO'], ['-iu', 'FOO'], ['--unset=FOO'], ['--unset', 'FOO'], ['-i'], ['-'], ['--ignore-environment', 'A=b'], ['--'], ['-i', '--', 'x.y=1'],
    ['-C', 'dir'], ['--chdir=dir'], ['-0', '-v'], ['--block-signal=INT'], ['-S', '-i A="b c"'], ['-a', 'name', 'env', '-i']]) {
    t.equal(raw(['--', 'env', ...options, 'node', 'a.js']).onPort, true, `env ${options.join(' ')}`)
    t.equal(readFlags([URL, '--', 'env', ...options, 'python3', 'node'], {}).problems.length, 1, `env ${options.join(' ')} python3`)
  }
  for (const split of [['-S', 'node a.js'], ['-Snode a.js'], ['-vS', "A='b c' node", 'a.js'], ['--split-string=/usr/bin/node a.js']]) {
    t.equal(raw(['--', 'env', ...split]).onPort, true, `env ${split.join(' ')}`)
  }
  for (const none of [[], ['-u'], ['-u', 'node'], ['-S'], ['A=b']]) t.equal(readFlags([URL, '--', 'env', ...none], {}).problems.length, 1, `env ${none.join(' ')}`)
  t.strictSame(raw(['--on-port', 'http://example.org/x', '--', 'deno', 'run', 'a.ts']).url, ['http://example.org/x'])
})

t.test('reads the flags of curl, hey and oha that mean one thing here', async t => {
  /** @type {Array<[argv: string[], raw: Record<string, any>]>} */
  const cases = [
    [['-X', 'PUT'], { method: 'PUT' }],
    [['-XPUT'], { method: 'PUT' }],
    [['--request', 'PUT'], { method: 'PUT' }],
    [['-X', 'GET', '-X', 'PUT'], { method: 'PUT' }],
    [['-m', 'PUT', '-X', 'PUT'], { method: 'PUT' }],
    [['-c', '5', '--connections', '5'], { connections: '5' }],
    [['-k'], { insecure: true }],
    [['--insecure'], { insecure: true }],
    [['-jk'], { json: true, insecure: true }],
    ...[['--no-insecure'], ['--insecure=false'], ['--insecure', 'false'], ['-k=false']].map(argv => [argv, { insecure: false }]),
    [['--http1.1'], { http1: true }],
    [['-u', 'a:b'], { user: 'a:b' }],
    [['-ua:b'], { user: 'a:b' }],
    [['--user=a:b:c'], { user: 'a:b:c' }],
    [['-A', 'me/1'], { userAgent: 'me/1' }],
    [['--user-agent', 'me/1'], { userAgent: 'me/1' }],
    [['--disable-keepalive'], { disableKeepalive: true }],
    [['--data', 'a=1', '--data', '@b'], { data: ['a=1', '@b'] }],
    [['-b', '@a/b.json'], { input: 'a/b.json' }],
    [['--body=@b.json'], { input: 'b.json' }],
    [['-b', '@-'], { input: '-' }],
    [['-i', '-'], { input: '-' }],
    [['--body-raw', '@b'], { bodyRaw: '@b' }],
    [['-E', '@b'], { expectBody: '@b' }],
    [['-t4'], { timeout: '4' }]
  ]
  for (const [argv, expected] of cases) t.strictSame(raw([...argv, URL]), { ...expected, url: [URL] }, argv.join(' '))
})

t.test('-k does not verify a certificate, also with --ca', async t => {
  t.match(parseArguments(['-k', URL]), { insecure: true })
  t.match(parseArguments(['--insecure', '--ca', __filename, URL]), { insecure: true, tlsOptions: { ca: [Buffer] } })
})

t.test('-t4, with which wrk asks for threads, is the timeout that it is in autocannon 9, and a note says what threads are', async t => {
  const note = '-t4 is a timeout of 4 s; for 4 threads, as in wrk, use -w 4'
  t.strictSame(readFlags(['-t4', '-c100', '-d30s', URL], {}).notes, [note])
  for (const argv of [['-t', '4'], ['-t4s'], ['--timeout=4'], ['-t=4']]) t.strictSame(readFlags([...argv, URL], {}).notes, [], argv.join(' '))
})

t.test('a word that is no host with a dot, localhost, an address, host:port or a path is questioned', async t => {
  for (const word of ['localhost', 'LOCALHOST', 'localhost/path', 'example.org', 'a.b/c?d', 'api:3000', 'api:3000/x', 'http://api', 'https://x', '127.0.0.1', '[::1]', '[::1]:80', 'u:p@example.org', 'u:p@localhost']) {
    t.strictSame(problemsOf([word], {}), [], word)
  }
  const host = (/** @type {string} */ word, name = word) => `'${word}' is not a URL: a host has a dot or a port, or is localhost; a host of that name is http://${name}/`
  for (const [argv, expected] of /** @type {Array<[string[], string[]]>} */ ([
    [['-H', 'X-A:', 'b', URL], ['the word after -H X-A: is not a URL: put a header with blanks in quotes, as in -H "X-Name: value"']],
    [['-H', 'Accept:', 'text/html', URL], ['the word after -H Accept: is not a URL: put a header with blanks in quotes, as in -H "X-Name: value"']],
    [['-H', 'Authorization:', 'Bearer', 'secret', URL], ['the word after -H Authorization: is not a URL: put a header with blanks in quotes, as in -H "X-Name: value"']],
    [['-b', '{a:', '1}', URL], ["'1}' is not a URL: does it belong to -b '{a:'? Put a value with blanks or quotes in quotes, as in -b '{\"a\": 1}'"]],
    [['-b', '{a:', '1,', 'b:', '2}', URL], ["'1,' is not a URL: does it belong to -b '{a:'? Put a value with blanks or quotes in quotes, as in -b '{\"a\": 1}'"]],
    [['-T', 'my', 'run', URL], ["'run' is not a URL: does it belong to -T my? Put a value with blanks or quotes in quotes, as in -T '{\"a\": 1}'"]],
    [['-d', '1', 'unix:/tmp/s.sock', URL], ["'unix:/tmp/s.sock' is no URL: for a server on a Unix socket, use -S /tmp/s.sock http://localhost/"]],
    [['-d', '2', 'node', 'old.js', URL], ["'node' is no URL: a command that starts a server follows --, as in autocannon --on-port / -- node server.js"]],
    [['myhost', URL], [host('myhost')]],
    [['backend', URL], [host('backend')]],
    [['api/users', URL], [host('api/users', 'name')]],
    [['myhost'], [host('myhost')]],
    [['-n', 'find', 'http://a'], ["'find' is a command and must come first: autocannon find …"]],
    [['compair', 'a', 'b'], ["'compair' is neither a URL nor a command, did you mean 'compare'? A host of that name is http://compair/"]],
    [['agnet'], ["'agnet' is neither a URL nor a command, did you mean 'agent'? A host of that name is http://agnet/"]],
    [['-c', '5', 'vs', URL, URL], ["'vs' is a command and must come first: autocannon vs …"]],
    [['\u2013c', '5', URL], ["'\u2013c' begins with the dash \u2013, not with a hyphen: type it as -c"]],
    [['\u2014rate', '5', URL], ["'\u2014rate' begins with the dash \u2014, not with a hyphen: type it as --rate"]],
    [['-W', '[', '-c', '1', URL], ['-W [ has no ] after it: expected something like --warmup [ -c 1 -d 3 ]']],
    [['--socket-pth', '/x', URL], ['unknown flag --socket-pth, did you mean --socketPath?']],
    [['--statusCodes', URL], ['unknown flag --statusCodes: the status codes of the responses are shown by --renderStatusCodes']]
  ])) t.strictSame(problemsOf(argv, {}), expected, argv.join(' '))
})

t.test('what is said of flags of other tools are flags of ours', async t => {
  const known = new Set(TABLE.filter(({ where }) => where !== 'api').flatMap(({ name, aliases = [], short }) => [name, ...aliases, short]))
  t.strictSame(FOREIGN.flatMap(({ flags }) => flags).filter(name => known.has(name)), [])
  t.equal(new Set(FOREIGN.flatMap(({ flags }) => flags)).size, FOREIGN.flatMap(({ flags }) => flags).length, 'each has one hint')
  const named = FOREIGN.flatMap(({ hint }) => Array.from(hint.matchAll(/--([a-z][\w.-]*)/gi), ([, flag]) => flag))
  t.strictSame([...new Set(named.filter(flag => !known.has(flag.replace(/^no-/, ''))))], ['runs'], 'that of versus alone is none of a run')
})

t.test('a port for a URL is answered with the URL, once', async t => {
  for (const [argv, word, url] of /** @type {Array<[string[], string, string]>} */ ([
    [['3000'], '3000', 'http://localhost:3000'],
    [[':7101'], ':7101', 'http://localhost:7101'],
    [[':7101/a?b'], ':7101/a?b', 'http://localhost:7101/a?b'],
    [['-c', '10', '3000'], '3000', 'http://localhost:3000'],
    [['-d', '10s', ':3000'], ':3000', 'http://localhost:3000'],
    [['127.0.0.1', '3000'], '3000', 'http://localhost:3000']
  ])) t.strictSame(problemsOf(argv, {}), [`'${word}' is not a URL: that port of this machine is ${url}`], argv.join(' '))
  t.match(problemsOf(['99999'], {}), [/^'99999' is not a URL: a host has a dot or a port/], 'no port has that number')
})

t.test('-x with a proxy behind it, as in curl, hey and oha, is no second target', async t => {
  const problem = '-x takes no value here, it is --excludeErrorStats; a proxy is --proxy URL; to load two URLs, put -x after them'
  for (const argv of [['-x', 'http://proxy:3128', URL], ['-x', 'proxy:3128', '-c', '5', URL]]) t.strictSame(problemsOf(argv, {}), [problem], argv.join(' '))
  for (const argv of [['-x', URL], [URL, 'http://b', '-x'], ['--excludeErrorStats', 'http://a', URL], ['-b', '-x', 'http://a', URL], ['-x', '-c', '5', 'http://a', URL]]) {
    t.strictSame(problemsOf(argv, {}), [], argv.join(' '))
  }
})

t.test('two flags that give one option different values are refused', async t => {
  for (const [first, second] of [['-X', '-m'], ['-m', '-X'], ['--method', '--request'], ['-X', '--method']]) {
    t.strictSame(problemsOf([first, 'PUT', second, 'POST', URL], {}), [`${first} and ${second} each give the method: use one of them`], `${first} ${second}`)
  }
  for (const argv of [['-X', 'PUT', '--request', 'POST'], ['-c', '5', '--connections', '6'], ['-A', 'a', '--user-agent', 'b'], ['--json', '--no-json', '-n', '--progress']]) {
    t.strictSame(problemsOf([...argv, URL], {}), [], `${argv.join(' ')}: of one flag the last value counts`)
  }
})

t.test('two flags that give one header are refused', async t => {
  for (const [argv, expected] of /** @type {Array<[string[], string[]]>} */ ([
    [['-u', 'a:b', '-H', 'Authorization: zzz'], ['-u/--user and -H/--headers each give the header authorization: use one of them']],
    [['-A', 'ua', '-H', 'USER-AGENT=x'], ['-A/--user-agent and -H/--headers each give the header user-agent: use one of them']],
    [['-A', 'ua', '-u', 'a:b', '-H', 'lonely'], ["-H/--headers: expected name=value or \"name: value\", got 'lonely'"]]
  ])) {
    t.throws(() => parseArguments([...argv, URL]), { problems: expected }, argv.join(' '))
  }
  t.match(parseArguments(['-u', 'a:b', '-H', 'accept: x', URL]).headers, { authorization: 'Basic YTpi', accept: 'x' })
})

t.test('-d with a body, as in curl, names the flags of a body', async t => {
  for (const [flag, ...bodies] of [['-b', 'a=1', '@file', '"x"', '<a/>'], ['--json-body', '{"a":1}', '[1]', ' { }']]) {
    for (const body of bodies) t.strictSame(problemsOf(['-X', 'POST', '-d', body, URL], {}), [`-d/--duration: expected seconds or a time such as 1m30s, got '${body}'; a body is given by ${flag} or --data`], body)
  }
})

t.test('flags that are known from other tools name what does the same here', async t => {
  for (const [argv, ...expected] of /** @type {Array<[string[], ...string[]]>} */ ([
    [['-n', '100'], '-n takes no number, it is --no-progress: for 100 requests use -a 100'],
    [['-n100'], '-n takes no number, it is --no-progress: for 100 requests use -a 100'],
    [['-sk'], "-sk is the server name 'k', by -s: omit the s, -n disables the progress bar, and give -k alone; that server name is --servername k"],
    [['-sS'], "-sS is the server name 'S', by -s: omit the s, -n disables the progress bar; that server name is --servername S"],
    [['-z', '10s'], 'unknown flag -z: a duration (hey, oha) is -d, as in -d 10s'],
    [['-z10s'], 'unknown flag -z: a duration (hey, oha) is -d, as in -d 10s'],
    [['-q', '50'], 'unknown flag -q: requests per second (hey, oha) are --rate 50, in total'],
    [['--rps', '50'], 'unknown flag --rps: requests per second are --rate 50, in total'],
    [['--qps=50'], 'unknown flag --qps: requests per second are --rate 50, in total'],
    [['--vus', '10'], 'unknown flag --vus: virtual users are connections here: -c 10'],
    [['--vus=7'], 'unknown flag --vus: virtual users are connections here: -c 7'],
    [['--vus'], 'unknown flag --vus: virtual users are connections here: -c NUM'],
    [['--users', '10'], 'unknown flag --users: virtual users are connections here: -c 10'],
    [['--spawn-rate', '10'], 'unknown flag --spawn-rate: users that start one after another are a stage, as in --stage 30s:200'],
    [['--burst-delay', '2s'], 'unknown flag --burst-delay: a number of requests at once, repeated at an interval (oha), is --burst, as in --burst 100/5s'],
    [['--max-workers', '9'], 'unknown flag --max-workers: connections are -c 9'],
    [['--concurrency', '10'], 'unknown flag --concurrency: connections are -c 10'],
    [['--iterations', '10'], "unknown flag --iterations: a number of iterations is -a '10 iterations'; to try a script of user functions once, use -c 1 -a '1 iteration'"],
    [['--requests', '10'], 'unknown flag --requests: the number of requests is -a 10'],
    [['--threads', '4'], 'unknown flag --threads: threads are -w 4'],
    [['-cpus', '2'], 'unknown flag -cpus: worker threads are --workers 2'],
    [['-cpus=2'], 'unknown flag -cpus: worker threads are --workers 2'],
    [['-max-workers=8'], 'unknown flag -max-workers: connections are -c 8'],
    [['-max-workers'], 'unknown flag -max-workers: connections are -c NUM'],
    [['--metrics', '9464'], 'unknown flag --metrics: metrics are --metrics-listen, as in --metrics-listen :9464, or --otlp URL'],
    [['--report', 'x.html'], 'unknown flag --report: a report as a page is -o report.html'],
    [['--ui-port', '8080'], 'unknown flag --ui-port: the address of the live page is --ui ADDR:PORT'],
    [['-name', 'x'], 'unknown flag -name: the title of a run is --title'],
    [['-chunked'], 'unknown flag -chunked: omit it: bodies are sent with their length'],
    [['-max-body', '3'], 'unknown flag -max-body: omit it: bodies of responses are always read to their end'],
    [['--target', 'x'], 'unknown flag --target: give the URL without a flag; a file of requests is --targets FILE'],
    [['--stop-timeout', '3'], 'unknown flag --stop-timeout: omit it: a run by duration ends without waiting for requests in flight'],
    [['--request-rate', '4'], 'unknown flag --request-rate: requests per second are --rate 4'],
    [['--expect-workers=3'], 'unknown flag --expect-workers: the number of machines to wait for is --agents 3'],
    [['--data-raw', 'x'], 'unknown flag --data-raw: unchanged text is --body-raw; give the method by -X, and a Content-Type by -H'],
    [['--http3'], 'unknown flag --http3: there is HTTP/1.1, and HTTP/2 with --http2'],
    [['-n', '100', '-z', '10s', '-q', '50'], '-n takes no number, it is --no-progress: for 100 requests use -a 100', 'unknown flag -z: a duration (hey, oha) is -d, as in -d 10s', 'unknown flag -q: requests per second (hey, oha) are --rate 50, in total']
  ])) t.strictSame(problemsOf([...argv, URL], {}), expected, argv.join(' '))
  t.strictSame(readFlags(['-n', '100', URL], {}).raw.url, [URL], '100 is no URL')
})

t.test('says what is wrong', async t => {
  /** @type {Array<[title: string, argv: string[], problems: Array<string | RegExp>, env?: Record<string, string>]>} */
  const cases = [
    ['nothing is wrong', [URL], []],
    ['no URL', [], ['a URL is required: give the address of the server, such as http://localhost:3000']],
    ['a short flag that is not known, with a value', ['-y=5', URL], ['unknown flag -y']],
    ['no flag before the =', ['-=5', URL], ['unknown flag -=']],
    ['a long flag with one dash', ['-json', URL], ['unknown flag -json, did you mean --json?']],
    ['a long flag with one dash and a value', ['-connections=5', URL], ['unknown flag -connections, did you mean --connections?']],
    ['the value of an unknown flag is no URL', ['--rps', '50', URL], [/^unknown flag --rps/]],
    ['a value that is missing at the end', [URL, '-p', '10', '-d'], ['-d needs a value']],
    ['a flag where a choice is expected', ['--stream', '-c', '5', URL], ['--stream needs a value: sse or ndjson or chunks or openai']],
    ['a body may look like a flag', ['-b', '-c', URL], []],
    ['the number of hyperfine behind --warmup', ['--warmup', '3', URL], ['--warmup 3: a warm-up has its options in brackets, as in --warmup [ -d 3 ], and --skip-first 3s leaves the first seconds of the run out of its figures']],
    ['the variables of k6', ['-e', 'TOKEN=abc', URL], [/^unknown flag -e: set the variable before the command, as in NAME=value autocannon …; .* and process\.env\.NAME in user functions$/]],
    ['the flags of Locust', ['--headless', '--run-time', '10s', URL], ['unknown flag --headless: omit it: a run shows a page only with --ui', 'unknown flag --run-time: the length of a run (Locust) is -d, as in -d 10']],
    ['a command for a URL', ['node a.js'], ["'node a.js' is not a URL: a command that starts a server follows -- without quotes, as in autocannon --on-port / -- node server.js"]],
    ['a number for a URL', ['--json', '5', URL], [/^'5' is not a URL: /]],
    ['a URL behind --', ['-d', '1', '--', URL], []],
    ['the word help after a command line', ['-d', '1', 'help'], [/^'help' is a command and must come first: autocannon help …$/, /a URL is required/]],
    ['the version as a command', ['version'], ["there is no command 'version': use autocannon --version"]],
    ['the flag of curl for redirects', ['-L', URL], ['-L takes no URL: it is --sampleInt, the length of a sample in ms; redirects are followed by --redirects 5']],
    ['the command of vegeta', ['attack', '-d', '5', URL], ["there is no command 'attack' (vegeta): omit it, and give the file of targets with --targets FILE and the requests per second with --rate N"]],
    ['a file behind --json', ['--json', 'out.json', URL], ['--json takes no file: it prints, as into > out.json; -o out.json writes the result beside the report']],
    ['a file for a URL', [URL, 'bench.json'], ["'bench.json' is a file, not a server: --config bench.json reads options from it, -o bench.json writes a result to it"]],
    ['files after that of -o', ['-o', 'run.html', 'run.md', URL], ["'run.md' is a file, not a server: -o takes one file and may be repeated, as in -o run.html -o run.md; a host of that name is http://run.md/"]],
    ['files of a folder after that of -o', ['-o', 'out/run.html', 'out/run.md', './run.csv', URL], ["'out/run.md' is a file, not a server: -o takes one file and may be repeated, as in -o out/run.html -o out/run.md"]],
    ['a URL without a scheme after a file', ['-o', 'run.html', 'example.com/index.html'], []],
    ['a page after a result in Markdown', ['--output', 'run.md', 'run.html', URL], ["'run.html' is a file, not a server: --output takes one file and may be repeated, as in --output run.md --output run.html"]],
    ['a script after the file of -o', ['-o', 'run.html', 'server.js'], [/^'server\.js' is a file, not a server: --on-port \/ -- node server\.js starts it/]],
    ['a host of Moldova after a file', ['-o', 'run.html', 'http://run.md'], []],
    ['a page for a URL', ['run.html'], ["'run.html' is a file, not a server: -o run.html writes a result to it"]],
    ['rows for a URL', ['users.csv'], ["'users.csv' is a file, not a server: --data NAME=users.csv reads rows from it, -o users.csv writes a result to it"]],
    ['a script of Locust for a URL', ['-f', 'locustfile.py', URL], [/^-f is --forever, and 'locustfile\.py' is a file, not a server: .* docs\/user-functions\.md$/]],
    ['a script of Locust in a folder', ['load/locustfile.py'], [/^'load\/locustfile\.py' is a file, not a server: /]],
    ['a script of wrk for a URL', ['a.lua', URL], [/^'a\.lua' is a file, not a server: .* docs\/recipes\.md$/]],
    ['a plan of JMeter for a URL', ['test.jmx'], [/^'test\.jmx' is a file, not a server: .* for --har$/]],
    ['a file that is there, after an unknown flag', ['--cacert', 'LICENSE', URL], ['unknown flag --cacert: an authority is --ca']],
    ['a file that is there', ['LICENSE'], [/^'LICENSE' is a file, not a server: --targets LICENSE sends the requests in it, .* http:\/\/LICENSE$/]],
    ['a module that is there, in a folder', ['-c', '5', 'samples/shop/shop.mjs'], [/^'samples\/shop\/shop\.mjs' is a file, not a server: .* autocannon run samples/, /a URL is required/]],
    ['a command in Python', ['python app/x.py'], [/a command that starts a server follows -- without quotes/]],
    ['paths of hosts that end like a script', ['example.com/cgi/x.py', 'localhost/x.lua', 'localhost:3000/x.py', '10.0.0.1/x.py'], []],
    ['a path of the server', ['/cgi/x.py'], [], { PORT: '3000' }],
    ['a host whose end is that of a script', ['http://example.py', 'http://a.test/x.lua'], []],
    ['a config for a URL', ['c.yaml'], ["'c.yaml' is a file, not a server: --config c.yaml reads options from it"]],
    ['a file after a switch', ['--cookies', 'jar.txt', URL], ["'jar.txt' is a file, not a server: --targets jar.txt sends the requests in it"]],
    ['a HAR after a switch', ['--compressed', 'shop.har', URL], ["'shop.har' is a file, not a server: --har shop.har sends its requests"]],
    ['a module for a URL', ['./shop/buy.mjs', 'http://localhost:3000'], ["'./shop/buy.mjs' is a file, not a server: --on-port / -- node ./shop/buy.mjs starts it as a server, --config ./shop/buy.mjs reads options from it, autocannon run ./shop/buy.mjs URL runs its user function"]],
    ['a module in TypeScript for a URL', ['buy.ts'], ["'buy.ts' is a file, not a server: autocannon run buy.ts URL runs its user function, --config buy.ts reads options from it"]],
    ['a number of iterations, as k6 has it', ['-i', '5', 'http://localhost:3000'], ["-i 5: -i is the file of a body; 5 requests are -a 5, and iterations (k6) are -a '5 iterations'"]],
    ['a script for a URL', ['server.js'], ["'server.js' is a file, not a server: --on-port / -- node server.js starts it as a server, --config server.js reads options from it, autocannon run server.js URL runs its user function"]],
    ['a number after a switch', ['-l', '99.9', URL], ["'99.9' is a number, not a URL: -l takes no value"]],
    ['a host that ends as a file', ['files.json.example', URL], []],
    ['two warm-ups', ['-W', '[ -c 1 ]', '--warmup', '[ -c 2 ]', URL], ['--warmup is given twice: use one of them']],
    ['a password in what is no URL', ['ftp://me:secret@a'], ["URL: 'ftp://***@a' has the protocol ftp: expected http, https, ws or wss"]],
    ['a header without a name', ['-H', 'Bearer secret', URL], ['-H/--headers: expected name=value or "name: value", got \'Bearer…\'']],
    ['a path without PORT', ['/path'], [/^'\/path' is a path without a server: set the environment variable PORT/]],
    ['a path and a PORT that is none', ['/x'], [/^URL: 'http:\/\/localhost:no\/x' is not a URL/], { PORT: 'no' }],
    ['an unknown flag and the nearest known one', ['--durtion', URL], ['unknown flag --durtion, did you mean --duration?']],
    ['two letters that are swapped', ['--hlep'], ['unknown flag --hlep, did you mean --help?']],
    ['a short flag like no other', ['--foo', URL], ['unknown flag --foo']],
    ['an unknown flag in another case', ['--Connections', '3', URL], ['unknown flag --Connections, did you mean --connections?']],
    ['an unknown flag like a negated one', ['--no-progres', URL], ['unknown flag --no-progres, did you mean --no-progress?']],
    ['an unknown flag with a dash in it', ['--on-prot', URL], ['unknown flag --on-prot, did you mean --on-port?']],
    ['an unknown flag with a value', ['--timout=3', URL], ['unknown flag --timout, did you mean --timeout?']],
    ['an unknown flag like no other', ['--xylophone', URL], ['unknown flag --xylophone']],
    ['an unknown short flag', ['-Z', URL], [/^unknown flag -Z/]],
    ['a missing value', [URL, '-c'], ['-c needs a value']],
    ['a missing value of a long flag', [URL, '--headers'], ['--headers needs a value']],
    ['an empty number', ['--connections=', URL], [/^-c\/--connections: expected a whole number, at least 1 and at most [\d,]+, got ''$/]],
    ['a word for a number', ['-c', 'ten', URL], [/^-c\/--connections: expected a whole number, .*, got 'ten'$/]],
    ['a flag for a number', ['-c', '-j', URL], ['-c needs a value']],
    ['a fraction', ['-p', '1.5', URL], [/^-p\/--pipelining: expected a whole number, .*, got '1.5'$/]],
    ['a negative number', ['-a', '-1', URL], [/^-a\/--amount: expected a whole number, .*, got '-1'$/]],
    ['a time that is none', ['-d', 'soon', URL], [/^-d\/--duration: expected seconds or a time such as 1m30s, .*, got 'soon'$/]],
    ['a timeout of nothing', ['-t', '0', URL], [/^-t\/--timeout: expected seconds .*more than 0.*, got '0'$/]],
    ['a value for a flag that has none', ['--json=maybe', URL], ["-j/--json: expected true or false, got 'maybe'"]],
    ['a value for a letter that has none', ['-x=maybe', URL], ["-x/--excludeErrorStats: expected true or false, got 'maybe'"]],
    ['an empty value for a letter that has none', ['-jx=', URL], ["-x/--excludeErrorStats: expected true or false, got ''"]],
    ['what each object has', ['--__proto__=x', '--constructor', '--toString=5', '--hasOwnProperty', URL], ['unknown flag --__proto__', 'unknown flag --constructor', 'unknown flag --toString', 'unknown flag --hasOwnProperty']],
    ['what would be an object', ['--constructor.prototype.x=1', '--__proto__.x', '--headers.a=b', '--http1.2', '--a.b', URL],
      ['unknown flag --constructor.prototype.x', 'unknown flag --__proto__.x', 'unknown flag --headers.a, did you mean --headers?', 'unknown flag --http1.2, did you mean --http1.1?', 'unknown flag --a.b']],
    ['the negative of a flag with a value', ['--no-connections', URL], [/^unknown flag --no-connections/]],
    ['what other tools call the ways to a server', ['-m', '10', '--socks5', 'a', '--proxy-user', 'a:b', '--sni', 'a', '--tls1.2', URL],
      [/^-m 10: expected a method .* -p 10/, /^unknown flag --socks5: .*--proxy socks5:/, /^unknown flag --proxy-user: .*--proxy http:/, /^unknown flag --sni: .*--servername/, /^unknown flag --tls1\.2: .*--tls-min 1\.2 --tls-max 1\.2/]],
    ['switches that are off anyway, and that have a likely meaning', ['--no-http1.1', '--http1=false', '-4=false', '--no-ipv6', URL],
      ['--no-http1.1 changes nothing: HTTP/2 is --http2', '--http1=false changes nothing: HTTP/2 is --http2', '-4=false changes nothing: IPv6 alone is -6', '--no-ipv6 changes nothing: IPv4 alone is -4']],
    ['what other tools call versions, proxies and TLS', ['--preproxy', 'a', '--h1', '--npn-list=h2', '--disable-compression', '--latency-correction', '--http-version', '2', '--proxy-cacert', 'a', '--no-check-certificate', '-p', 'h2c', URL],
      [/^unknown flag --preproxy: /, /^unknown flag --h1: HTTP\/1\.1 /, /^unknown flag --npn-list: .*--alpn$/, /^unknown flag --disable-compression: .*--compressed$/, /^unknown flag --latency-correction: .*-C /, /^unknown flag --http-version: .*--http auto$/, /^unknown flag --proxy-cacert: .*--proxy https:/, /^unknown flag --no-check-certificate: .*--no-insecure/, /^-p h2c: .*--http2/]],
    ['words with one dash, as tools in Go have them', ['-keepalive=false', '-h2', '-laddr', 'a', '-host', 'a', '-insecure', URL],
      [/^unknown flag -keepalive: .*--disable-keepalive$/, 'unknown flag -h2: HTTP/2 is --http2', /^unknown flag -laddr: .*--local-address$/, /^unknown flag -host: .*-H "host: NAME"$/, 'unknown flag -insecure, did you mean --insecure?']],
    ['a password that is hidden', ['--proxy', 'http://***@a:1', URL], [/has \*\*\* for its user and password/]],
    ['both versions of HTTP', ['--http1.1', '--http2', URL], ['--http1.1 and --http2: expected one of them']],
    ['an authority that is none', ['--ca', __filename, 'https://a'], [/^--ca: expected a file with certificates in PEM/]],
    ['a method that is none', ['-m', 'GET /', URL], ["-m/--method: expected an HTTP method such as GET or POST, got 'GET /'"]],
    ['a header without a value', ['-H', 'lonely', URL], ["-H/--headers: expected name=value or \"name: value\", got 'lonely'"]],
    ['a header that would end itself', ['-H', 'a=b\r\nx: y', URL], ['-H/--headers: the value of a has a line break or a NUL in it']],
    ['a file that is not there', ['-i', '/nowhere/body', URL], [/^-i\/--input: could not read the file '\/nowhere\/body': ENOENT/]],
    ['a file that is a folder', ['-i', __dirname, URL], [/^-i\/--input: could not read the file '.*': EISDIR/]],
    ['two bodies', ['-b', 'x', '-i', __filename, URL], [/^-b\/--body and -i\/--input .* a body: use one of them$/]],
    ['two files for the body', ['-i', __filename, '-b', '@x', URL], [/^-i .* and -b @x each give a body: use one of them$/]],
    ['a text and a file for the body', ['-b', 'x', '-b', '@' + __filename, URL], [`-b/--body and ${`-b @${__filename}`.slice(0, 60)} each give a body: use one of them`]],
    ['a file for the body that is not there', ['-b', '@missing.txt', URL], [/^-b @missing\.txt: could not read the file 'missing\.txt': ENOENT/]],
    ['a file for the body that is not there, by the long flag', ['--body=@missing.txt', URL], [/^--body @missing\.txt: could not read the file 'missing\.txt': ENOENT/]],
    ['no file for the body', ['-b', '@', URL], ['-b @: expected the path of a file after the @, or - for standard input, got none; the text @ is --body-raw @']],
    ['a separator with a misspelt key', ['--data', 'u=x.csv,seperator=;', URL], ["--data: expected u=x.csv,separator=;, got 'u=x.csv,seperator=;'; send this text by --body"]],
    ['a separator by another name', ['--data', 'u=x.csv,delimiter=;', URL], ["--data: expected u=x.csv,separator=;, got 'u=x.csv,delimiter=;'; send this text by --body"]],
    ['a separator of a text file', ['--data', 'u=x.txt,separator=;', URL], ["--data: expected a file that ends in .csv or .tsv, got 'x.txt': rename it, or send this text by --body"]],
    ['a separator and another key', ['--data', 'u=x.csv,separator=;,pick=random', URL], ["--data: expected a separator alone, such as ;, got ';,pick=random': pick is a key of data in a config, as in data: { u: { file: x.csv, … } }"]],
    ['another key of data', ['--data', 'u=x.csv,pick=random', URL], ['--data: pick is a key of data in a config, as in data: { u: { file: x.csv, pick: random } }; send this text by --body']],
    ['a config in a folder for a URL', ['./shop/c.yaml'], ["'./shop/c.yaml' is a file, not a server: --config ./shop/c.yaml reads options from it"]],
    ['a separator of no character', ['--data', 'u=x.csv,separator=', URL], ["--data.u.separator: expected one character such as ';', '\\t' or '|', got ''"]],
    ['a table of another format', ['--data', 'u=x.psv', URL], ["--data: expected a file that ends in .csv, .tsv, .json, .ndjson or .jsonl, got 'x.psv': convert it, or send this text by --body"]],
    ['no file for data', ['--data', '@', URL], ['--data: expected the path of a file after the @, or - for standard input, got none']],
    ['a body and data', ['--body-raw', 'x', '--data', 'y', URL], ['--body-raw and --data each give a body: use one of them']],
    ['data from a file that is not there', ['--data', '@/nowhere/x', URL], [/^--data: could not read the file '\/nowhere\/x': ENOENT/]],
    ['a number of users', ['-u', '100', URL], ['-u/--user: expected user:password, got something without a colon or a user: virtual users (Locust) are connections here: -c 100']],
    ['a user without a password', ['-u', 's3cret', URL], ['-u/--user: expected user:password, got something without a colon or a user']],
    ['keep-alive and not', ['-D', '5', '--disable-keepalive', URL], ['-D/--reconnectRate and --disable-keepalive each set when a connection is reopened: use one of them']],
    ['another protocol', ['ftp://localhost'], ["URL: 'ftp://localhost' has the protocol ftp: expected http, https, ws or wss"]],
    ['a URL that is none', ['http://a b'], [/^URL: 'http:\/\/a b' is not a URL: expected something like /]],
    ['port 0', ['http://localhost:0'], ["URL: 'http://localhost:0' has port 0: expected 1 to 65535"]],
    ['--on-port without a command', ['--on-port', '/'], [/^--on-port needs a command after --, such as: /]],
    ['a command without --on-port', [URL, '--', 'python3', 'server.py'], ['a command stands after --, but --on-port is not given: add --on-port to start it and measure the port that it listens on']],
    ['node after --no-on-port', [URL, '--no-on-port', '--', 'node', 'server.js'], ['a command stands after --, but --on-port is not given: add --on-port to start it and measure the port that it listens on']],
    ['several at once', ['--nonsense', '-a', '0', '-c', '0', '-d', 'x', 'foo://', '-H'], [
      'unknown flag --nonsense',
      '-H needs a value',
      /^URL: 'foo:\/\/' /,
      /^-c\/--connections: .* got '0'$/,
      /^-d\/--duration: .* got 'x'$/,
      /^-a\/--amount: .* got '0'$/
    ]]
  ]
  for (const [title, argv, expected, env = {}] of cases) {
    const problems = problemsOf(argv, env)
    t.equal(problems.length, expected.length, `${title}: ${problems.join(' | ')}`)
    for (const [i, one] of expected.entries()) {
      if (typeof one === 'string') t.equal(problems[i], one, title)
      else t.match(problems[i], one, title)
    }
    t.ok(problems.every(problem => !problem.includes('\n')), 'one line each')
  }
})

t.test('flags of other tools name what does the same here', async t => {
  for (const flag of ['-e', '--env', '--csv', '--html', '--output-format', '--no-color', '--quiet', '--auth', '--think-time', '--max-vus', '--correction']) {
    t.match(problemsOf([flag, URL], {}), [/^unknown flag \S+: [a-z]/], flag)
  }
  t.strictSame(readFlags(['-T', 'application/json', URL], {}).notes, ['-T application/json is the title of the run; a Content-Type, as -T is in hey, is -H "content-type: application/json"'])
  t.strictSame(readFlags(['-T', 'my title', URL], {}).notes, [])
})

t.test('a flag of autocannon among the words of a server has a notice', async t => {
  const notice = (/** @type {string} */ flag) => `${flag} is passed to the server, not to autocannon: place it before the first --`
  for (const [words, flags] of /** @type {Array<[string[], string[]]>} */ ([
    [['--threshold', 'p99 < 5ms', '--threshold', 'rps > 5'], ['--threshold']],
    [['--fail-if=p99 +10%', '--github-summary'], ['--fail-if', '--github-summary']],
    [['--junit', 'x.xml'], ['--junit']],
    [['-o', 'x.html', '--port', '3000', '--threshold-file', 'x'], []]
  ])) {
    t.strictSame(readFlags(['--on-port', '/', '--', 'node', 'a.js', ...words], {}).notes, flags.map(notice), words.join(' '))
    t.strictSame(readFlags(['--on-port', '/', '--', 'node', 'a.js', '--', 'node', 'b.js', ...words], {}).notes, flags.map(notice), `versus ${words.join(' ')}`)
  }
})

t.test('the help', async t => {
  const text = allHelp(COMMANDS)
  t.ok(text.endsWith('\n') && !text.endsWith('\n\n'))
  t.strictSame(text.split('\n').filter(line => line.length > 80), [], 'fits a terminal')
  for (const { title } of GROUPS) t.ok(text.includes(`\n\n${title}:\n  -`), 'is grouped')
  for (const option of TABLE) {
    const head = `  ${flags(option)}${option.arg === undefined ? '' : ' ' + option.arg}\n`
    t.equal(text.includes(head), option.where !== 'api', `${option.name} ${option.where}`)
  }
  for (const code of ['0', '1', '2', '130']) t.match(text, new RegExp(`^  ${code} +\\S`, 'm'), `documents exit code ${code}`)
})
