'use strict'

// Traces as Azure, Mooncake and BurstGPT publish them, what is said of those that are none, and the prompts that stand for their lengths.

const path = require('node:path')
const t = require('tap')
const fc = require('fast-check')
const { readTrace } = require('../../../lib/shapes/replay/trace')
const { ReplayPace } = require('../../../lib/shapes/replay/replay')
const { Slice } = require('../../../lib/shapes/pace')
const { Rows } = require('../../../lib/templates/rows')

/** @returns {{ times: number[], rows: Array<{ input: number, output: number, prompt: string }> | null }} of a file with this text */
function read (t, text) {
  const { times, rows } = readTrace(path.join(t.testdir({ trace: text }), 'trace'))
  return { times: [...times].map(time => Number(time.toFixed(4))), rows: rows === null ? null : Array.from(rows.starts.keys(), i => ({ ...new Rows(rows).valueOf(i) })) }
}

const lengthsOf = rows => rows.map(({ input, output }) => [input, output])

t.test('a trace of Azure has dates with 100 ns, or with an offset', async t => {
  const one = read(t, 'TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,4808,10\r\n2023-11-16 18:17:04.0319600,3180,8\r\n\r\n2023-11-16 18:17:04.0784490,110,27\r\n')
  t.strictSame(one.times, [0, 52, 98.489])
  t.strictSame(lengthsOf(one.rows), [[4808, 10], [3180, 8], [110, 27]])
  const other = read(t, 'TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,1,2\n2024-05-10 00:00:01.009930+00:00,3,4\n')
  t.strictSame(other.times, [0, 1000])
})

t.test('one of Mooncake has ms', async t => {
  const { times, rows } = read(t, '{"timestamp": 27482, "input_length": 6955, "output_length": 52, "hash_ids": [46, 47]}\n{"timestamp": 30535, "input_length": 1, "output_length": 26, "hash_ids": [1]}')
  t.strictSame(times, [0, 3053])
  t.strictSame(lengthsOf(rows), [[6955, 52], [1, 26]])
})

t.test('one of BurstGPT has seconds, and other columns', async t => {
  const { times, rows } = read(t, 'Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n5,ChatGPT,472,18,490,Conversation log\n45.5,"GPT-4",1087,230,1317,API log\n')
  t.strictSame(times, [0, 40_500])
  t.strictSame(lengthsOf(rows), [[472, 18], [1087, 230]])
})

t.test('a file of times alone has no rows, and lines in another order are sorted with their lengths', async t => {
  t.strictSame(read(t, 'timestamp\n3\n1\n1.25\n'), { times: [0, 250, 2000], rows: null })
  t.strictSame(read(t, '{"timestamp":7}\n{"timestamp":5}\n').times, [0, 2])
  const { times, rows } = read(t, '{"timestamp":9,"input_length":1,"output_length":1}\n{"timestamp":4,"input_length":2,"output_length":2}\n{"timestamp":4,"input_length":3,"output_length":3}\n')
  t.strictSame([times, lengthsOf(rows)], [[0, 0, 5], [[2, 2], [3, 3], [1, 1]]])
})

t.test('a prompt has a word for each token, the same ones in each run, and no two begin alike', async t => {
  const lines = Array.from({ length: 300 }, (_, i) => `{"timestamp":${i},"input_length":${i === 0 ? 0 : 100 + i},"output_length":1}`)
  const { rows } = read(t, lines.join('\n'))
  t.equal(rows[0].prompt, '')
  t.ok(rows.slice(1).every(({ input, prompt }) => prompt.split(' ').length === input && /^[a-z]{4}( [a-z]{4})*$/.test(prompt)))
  t.equal(new Set(rows.slice(1).map(({ prompt }) => prompt.split(' ').slice(0, 16).join(' '))).size, 299, 'blocks of 16 tokens are what servers cache')
  t.strictSame(read(t, lines.join('\n')).rows, rows)
})

t.test('prompts that begin with the same hash_ids begin with the same blocks of 512 words, in any trace', async t => {
  const line = (time, length, ids) => JSON.stringify({ timestamp: time, input_length: length, output_length: 1, hash_ids: ids })
  const { rows } = read(t, [line(0, 1300, [7, 8, 9]), line(1, 1536, [7, 8, 10]), line(2, 1100, [7, 11]), line(3, 600, [12, 13]), line(4, 20, []), line(5, 20, [0]), line(6, 100, [7, 8])].join('\n'))
  const words = rows.map(({ prompt }) => prompt.split(' '))
  t.ok(rows.every(({ input, prompt }, i) => words[i].length === input && /^[a-z]{4}( [a-z]{4})*$/.test(prompt)))
  const common = (a, b) => words[a].findIndex((word, i) => word !== words[b][i])
  const near = (n, blocks) => n >= 512 * blocks && n < 512 * blocks + 8
  t.ok(near(common(0, 1), 2), `${common(0, 1)} words`)
  t.ok(near(common(0, 2), 1) && near(common(1, 2), 1), `${common(0, 2)} words`)
  for (const [a, b] of [[0, 3], [2, 3], [0, 4], [3, 4], [4, 5]]) t.ok(near(common(a, b), 0), `${a} and ${b} share ${common(a, b)} words`)
  t.strictSame(words[6], words[0].slice(0, 100), 'a prompt that is shorter than its blocks')
  const other = read(t, [line(5, 1000, [1]), line(9, 1024, [7, 8])].join('\n')).rows
  t.equal(other[1].prompt, words[0].slice(0, 1024).join(' '))
  const many = read(t, Array.from({ length: 3000 }, (_, i) => line(i, 16, [i < 2000 ? i : 2 ** 40 + i])).join('\n')).rows
  t.ok(new Set(many.map(({ prompt }) => prompt)).size >= 2950)
})

t.test('what is no trace is told in a line, with the line of the file', async t => {
  const azure = 'TIMESTAMP,ContextTokens,GeneratedTokens\n'
  for (const [text, message] of [
    ['', /'.*trace': it has no requests$/],
    [azure, /it has no requests$/],
    ['a,b\n1,2\n', /line 1: expected the columns TIMESTAMP, ContextTokens and GeneratedTokens, or TIMESTAMP alone, or a JSON object in each line, got 'a,b'$/],
    ['TIMESTAMP,ContextTokens\n1,2\n', /line 1: expected the columns/],
    [`${azure}1,2,3\n2,2\n`, /line 3: expected 3 values, as the first line has names, got 2$/],
    [`${azure}1,2,3\nsoon,2,3\n`, /line 3: expected a time such as 2023-11-16 18:17:03.979 or a number of seconds, got 'soon'$/],
    [`${azure}2023-13-16 18:17:03,2,3\n`, /line 2: expected a time/],
    [`${azure}1,2,3\n\n2,2.5,3\n`, /line 4: expected a number of tokens from 0 to 1,000,000, got '2.5'$/],
    [`${azure}1,-2,3\n`, /line 2: expected a number of tokens/],
    [`${azure}0,1,1\n2000001,1,1\n`, /expected at most 2,000,000 s from the first arrival to the last, got 2,000,001 s$/],
    ['{"timestamp":1,"input_length":1,"output_length":1}\n{"timestamp":2}\n', /line 2: expected a number of tokens from 0 to 1,000,000, got undefined$/],
    ['{"timestamp":1}\n{"timestamp":2,"input_length":1,"output_length":1}\n', /line 2: it has numbers of tokens, which the lines before it do not have$/],
    ['{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":"a"}\n', /line 1: expected a list of whole numbers as hash_ids, got 'a'$/],
    ['{"timestamp":1,"input_length":1,"output_length":1,"hash_ids":[1,-1]}\n', /line 1: expected a list of whole numbers as hash_ids/],
    ['{"timestamp":1}\n[2]\n', /line 2: expected an object/],
    ['{"timestamp":1}\n{"timestamp":\n', /it is not valid JSON: it ends too early, line 2/],
    ['{"time":1}\n', /line 1: expected a time such as .* or a number of ms, got undefined$/]
  ]) t.throws(() => read(t, text), { name: 'TypeError', message }, text)
  t.throws(() => readTrace('/no/such/file'), { message: /^could not read the file '\/no\/such\/file': / })
  const many = 'timestamp\n' + '1\n'.repeat(1_000_001)
  t.throws(() => read(t, many), { message: /it has more than 1,000,000 requests: take a part of it, as with head -n$/ })
})

t.test('a pace of a trace has what is due by any time, in any order, also in slices', async t => {
  fc.assert(fc.property(fc.array(fc.nat(50), { minLength: 1 }), fc.nat(60), fc.array(fc.integer({ min: -5, max: 60 })), (list, end, asked) => {
    const times = Float64Array.from(list).sort()
    const pace = new ReplayPace(times, end)
    const within = [...times].filter(time => time < end)
    const slices = [0, 1, 2].map(i => new Slice(new ReplayPace(times, end), i, 3))
    return pace.total === within.length && pace.dueAt(within.length) === Infinity && within.every((time, n) => pace.dueAt(n) === time) &&
      asked.every(at => pace.dueBy(at) === within.filter(time => time <= at).length && slices.reduce((sum, slice) => sum + slice.dueBy(at), 0) === pace.dueBy(at))
  }), { seed: 40, numRuns: 300 })
})
