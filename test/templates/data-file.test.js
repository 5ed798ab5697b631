'use strict'

// Rows of data: what is in a file is what a request gets, and a mistake in it is told by its line.

const t = require('tap')
const { writeFileSync } = require('node:fs')
const path = require('node:path')
const fc = require('fast-check')
const { dataOfRows, isDataFile, readDataFile } = require('../../lib/templates/data-file')
const { Rows } = require('../../lib/templates/rows')

const folder = t.testdir({})

/**
 * @param {string} name
 * @param {string | Buffer} content
 * @param {string | undefined} [separator]
 */
function read (name, content, separator = undefined) {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  return readDataFile(file, separator)
}

/** @param {import('../../lib/templates/data-file').Data} data */
function objectsOf ({ rows }) {
  const reader = new Rows(rows)
  return Array.from(rows.starts, (_, row) => {
    const value = reader.valueOf(row)
    return rows.columns === null ? value : { ...value }
  })
}

const SEED = 19

t.test('a CSV gives its cells as they are: quoted or not, CRLF or LF, with or without a byte order mark', async t => {
  const cell = fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.string({ maxLength: 8 }), fc.constantFrom('', '"', ',', '\r\n', '\n', '\r', 'a', '\0', 'é€😀', ' x '))
  const table = fc.integer({ min: 1, max: 4 }).chain(width => fc.array(fc.array(cell.map(text => text.toWellFormed()), { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
  fc.assert(fc.property(table, fc.constantFrom('\r\n', '\n'), fc.boolean(), fc.boolean(), fc.boolean(), (rows, lineEnd, mark, ends, quotesAll) => {
    /** @param {string} text */
    const written = text => quotesAll || text === '' || /["\r\n,]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    const names = rows[0].map((_, i) => `c${i}`)
    const lines = [names, ...rows].map(row => row.map(written).join(','))
    const data = read('a.csv', (mark ? '\ufeff' : '') + lines.join(lineEnd) + (ends ? lineEnd : ''))
    t.strictSame(objectsOf(data), rows.map(row => Object.fromEntries(row.map((text, i) => [`c${i}`, text]))))
    for (const i of names.keys()) t.equal(data.breaks.has(i), rows.some(row => /[\r\n\0]/.test(row[i])), 'it is known which column has a line break')
  }), { seed: SEED, numRuns: 500 })
})

t.test('values are separated by tabs in a TSV, and by what the user says', async t => {
  for (const [name, separator, given] of /** @type {Array<[string, string, string | undefined]>} */ ([['a.tsv', '\t', undefined], ['a.TSV', '\t', undefined], ['a.csv', ';', ';'], ['a.csv', '\t', '\t'], ['a.csv', '|', '|'], ['a.tsv', ',', ','], ['a.csv', '.', '.']])) {
    for (const quoted of [false, true]) {
      const lines = [['id', 'full name'], ['1', 'a b'], ['2', quoted ? `x${separator}y "z"\nw` : 'c'], ['', 'd']].map(cells => cells.map(cell => /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell).join(separator))
      const rows = [{ id: '1', 'full name': 'a b' }, { id: '2', 'full name': quoted ? `x${separator}y "z"\nw` : 'c' }, { id: '', 'full name': 'd' }]
      for (const end of ['\n', '\r\n']) t.strictSame(objectsOf(read(name, lines.join(end), given)), rows, `${name} ${separator}`)
    }
  }
  t.strictSame(objectsOf(read('a.csv', 'a;b\n1;2\n', ',')), [{ 'a;b': '1;2' }], 'one column, where the user says so')
  t.throws(() => read('a.tsv', 'a\tb\n1\n'), { message: /line 2: expected 2 values, as the first line has names, got 1$/ })
  const many = Array.from({ length: 60_000 }, (_, i) => `${i};${i % 7000 === 0 ? `"a;${i}"` : `b,${i}`}`)
  t.strictSame(objectsOf(read('many.csv', `id;text\n${many.join('\n')}\n`, ';')).map(({ text }) => text), many.map((_, i) => i % 7000 === 0 ? `a;${i}` : `b,${i}`))
})

t.test('a first line with one column that has another separator in it is a question', async t => {
  for (const [name, line, used, meant] of [['a.csv', 'id;name', ',', ';'], ['a.csv', 'id|name', ',', '|'], ['a.csv', 'id\tname', ',', '\\t'], ['a.tsv', 'id,name', '\\t', ','], ['a.csv', '"id;name"', ',', ';']]) {
    t.throws(() => read(name, `${line}\n1\n`), { message: `the file '${path.join(folder, name)}': the first line has one column '${line.replaceAll('"', '').replace('\t', '\\t')}': is the separator '${meant}'? Then give separator: '${meant}', or '${used}' if that is one name` })
  }
  for (const line of ['id;x,name', 'id', 'a b']) t.ok(read('a.csv', `${line}\n${line}\n`))
})

t.test('a CSV that is read in many parts', async t => {
  const rows = Array.from({ length: 60_000 }, (_, i) => [`${i}`, i % 5000 < 2 ? `a\n"${i}"\r\n,` : `text ${i}`, 'x'.repeat(i % 97 === 0 ? 300 : 3)])
  const data = read('large.csv', 'id,text,fill\n' + rows.map(([id, text, fill]) => `${id},${/\n/.test(text) ? `"${text.replaceAll('"', '""')}"` : text},${fill}\n`).join(''))
  t.strictSame(objectsOf(data).map(Object.values), rows)
})

t.test('JSON, lines of JSON and an array give the same values', async t => {
  const value = fc.jsonValue({ maxDepth: 2 })
  const rows = fc.array(fc.record({ a: value, 'b.c': fc.string({ unit: 'binary' }).map(text => text.toWellFormed()), __proto__: value }, { noNullPrototype: false }), { minLength: 1, maxLength: 5 })
  fc.assert(fc.property(fc.oneof(rows, fc.array(fc.oneof(fc.integer(), fc.string(), fc.boolean()), { minLength: 1 })), fc.boolean(), (given, spaced) => {
    // As JSON has it: −0 is 0 there.
    const list = JSON.parse(JSON.stringify(given))
    for (const data of [read('a.json', JSON.stringify(list, null, spaced ? 2 : 0)), read('a.ndjson', list.map(row => JSON.stringify(row)).join('\r\n')), dataOfRows(list)]) {
      t.strictSame(JSON.stringify(objectsOf(data)), JSON.stringify(list))
    }
  }), { seed: SEED, numRuns: 300 })
})

t.test('a JSON array that is read in many parts', async t => {
  const list = Array.from({ length: 20_000 }, (_, i) => ({ id: i, text: `a "]} \\" , [{ ${i}`, deep: { list: [i, [']'], {}] } }))
  t.strictSame(objectsOf(read('large.json', JSON.stringify(list))), list)
})

t.test('what is wrong with a file is told by its line', async t => {
  for (const [name, content, expected] of /** @type {Array<[string, string | Buffer, string]>} */ ([
    ['a.csv', '', 'it is empty: expected a line with the names of the columns, and rows below it'],
    ['a.csv', 'a,b\n', 'it has no rows'],
    ['a.csv', 'a,b\n1,2\n3\n', 'line 3: expected 2 values, as the first line has names, got 1'],
    ['a.csv', 'a,b\r\n"1\r\n",2\r\n\r\n3,4,5\r\n', 'line 5: expected 2 values, as the first line has names, got 3'],
    ['a.csv', 'a\n' + '1\n'.repeat(300_000) + '2,3\n', 'line 300002: expected 1 value, as the first line has names, got 2'],
    ['a.csv', 'a\n' + '"1"\n'.repeat(100_000) + '"2",3\n', 'line 100002: expected 1 value, as the first line has names, got 2'],
    ['a.csv', 'a,a\n1,2\n', "line 1: two columns have the name 'a'"],
    ['a.csv', 'email, password\na, b\n', "line 1: the name ' password' begins or ends with a space, and spaces around a separator belong to the values (RFC 4180): omit them, in the rows as well"],
    ['a.csv', 'a,\n1,2\n', 'line 1: expected a name for each column, got none for column 2'],
    ['a.csv', 'a,b\n1,"2\n', 'line 2: the quotation mark that a value begins with here has no end'],
    ['a.csv', 'a,b\n1,x"2"\n', 'line 2: a quotation mark stands inside of a value that begins without one: write "a ""quoted"" word"'],
    ['a.csv', 'a,b\n1,"2"x\n', 'line 2: text after the closing quotation mark of a value: write "a ""quoted"" word"'],
    ['a.csv', Buffer.from('a\n\xe9\n', 'latin1'), 'it is not UTF-8: save it as that'],
    ['a.csv', Buffer.from('\ufeffa\n1\n', 'utf16le'), 'it is not UTF-8: save it as that'],
    ['a.json', '{"a":[1]}', 'expected an array of rows, got an object'],
    ['a.json', '[{"a":1},]', 'it is not valid JSON: unexpected "]", line 1, column 10'],
    ['a.json', '[{"a":1}', 'it is not valid JSON: it ends too early, line 1, column 9'],
    ['a.json', '[]', 'it has no rows'],
    ['a.json', '[{"a":1},{"b":1}]', "entry 2: it has no 'a', which the first row has"],
    ['a.json', '[{"a":1},2]', 'entry 2: expected an object, as the first row is one, got 2'],
    ['a.json', '[1,{}]', 'entry 2: expected a single value, as the first row is one, got an object'],
    ['a.json', '[{}]', 'entry 1: expected an object with names and values, got one without any'],
    ['a.ndjson', '{"a":1}\n\n{"a":}\n', 'it is not valid JSON: unexpected "}", line 3, column 6'],
    ['a.ndjson', '{"a":1}\n\n{"b":1}\n', "line 3: it has no 'a', which the first row has"]
  ])) {
    t.throws(() => read(name, content), { name: 'TypeError', message: `the file '${path.join(folder, name)}': ${expected}` }, expected)
  }
  t.throws(() => readDataFile(path.join(folder, 'nowhere.csv')), { message: /^could not read the file '.*nowhere\.csv': ENOENT: no such file or directory$/ })
  t.throws(() => readDataFile(path.join(folder, 'nowhere.ndjson')), { message: /^could not read the file '.*nowhere\.ndjson': ENOENT: no such file or directory$/ })
  t.throws(() => dataOfRows([1, () => {}]), { message: 'row 2: expected what JSON can have, got a function' })
})

t.test('a file of data is known by its name', async t => {
  t.strictSame(['a.csv', 'a.CSV', 'a.tsv', 'a.json', 'a.ndjson', 'a.jsonl', 'a.txt', '-', 'csv', 'a.csv.gz', 1].map(isDataFile), [true, true, true, true, true, true, false, false, false, false, false])
})
