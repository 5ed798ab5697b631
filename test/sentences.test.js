'use strict'

// No code compares or searches a sentence: findings and reasons have codes (docs/findings.md). A sentence is a text of three words or more, as a literal, as a template, or as
// a constant that is one.

const t = require('tap')
const { readFileSync, readdirSync } = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const LIB = path.join(__dirname, '../lib')
const COMPARISONS = new Set([ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken])
const SEARCHES = new Set(['startsWith', 'endsWith', 'includes', 'indexOf', 'match', 'matchAll', 'search', 'replace', 'replaceAll', 'test', 'exec', 'split'])

/** Where sentences are ours: others read messages of the system and of libraries, which have no code. */
const FOLDERS = /^(?:cli|core|engine|experiments|figures|findings|follow|instruments|judge|machine|options|record|report|shapes|users|words)\//

/** Messages of the YAML library, and the code of Node.js. */
const EXCEPT = new Set(['Excessive alias count', 'SEQUENCE_AS_KEY'])

/** Where what was found is data. What instruments show in a report is no part of it, nor is the form of a reason, with its sentence. */
const DATA = /^(?:engine|figures|findings|instruments|judge|record)\//
const SHOWN = /\/report\.js$/

/** What a sentence would be called there. */
const CALLED = new Set(['cause', 'because', 'note', 'predicate', 'reason', 'sentence'])

/** @param {string} text */
const isSentence = text => /[a-z]+,? [a-z]+,? [a-z]+/i.test(text) && !EXCEPT.has(text)

/** @param {import('typescript').Node} node */
const textOf = node => ts.isStringLiteralLike(node) ? node.text : ts.isTemplateExpression(node) ? node.getText() : node.kind === ts.SyntaxKind.RegularExpressionLiteral ? node.getText() : ''

const trees = readdirSync(LIB, { recursive: true }).map(String).map(file => file.replaceAll(path.sep, '/')).filter(file => file.endsWith('.js') && FOLDERS.test(file)).sort()
  .map(file => ({ file, tree: ts.createSourceFile(file, readFileSync(path.join(LIB, file), 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS) }))

/**
 * @param {import('typescript').Node} tree
 * @param {(node: import('typescript').Node) => void} visit
 */
function walk (tree, visit) {
  visit(tree)
  ts.forEachChild(tree, node => walk(node, visit))
}

/**
 * @param {import('typescript').Node} tree
 * @returns {Set<string>} names of variables that are sentences
 */
function namedIn (tree) {
  /** @type {Set<string>} */
  const names = new Set()
  walk(tree, node => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer && isSentence(textOf(node.initializer)) && node.initializer.kind !== ts.SyntaxKind.RegularExpressionLiteral && !EXCEPT.has(node.name.text)) names.add(node.name.text)
  })
  return names
}

/** Names of constants that are sentences, in any file. */
const constants = new Set(trees.flatMap(({ tree }) => [...namedIn(tree)]).filter(name => name === name.toUpperCase()))

/** @param {import('typescript').SourceFile} tree */
function comparedIn (tree) {
  const own = namedIn(tree)
  /** @param {import('typescript').Node} node */
  const isNamed = node => ts.isIdentifier(node) && (constants.has(node.text) || own.has(node.text))
  /** @param {import('typescript').Node} node */
  const says = node => isSentence(textOf(node)) || isNamed(node) || (ts.isTemplateExpression(node) && node.templateSpans.some(({ expression }) => isNamed(expression)))
  /** @type {string[]} */
  const found = []
  walk(tree, node => {
    if (ts.isBinaryExpression(node) && COMPARISONS.has(node.operatorToken.kind) && (says(node.left) || says(node.right))) found.push(node.getText())
    if (ts.isCaseClause(node) && says(node.expression)) found.push(node.expression.getText())
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || !SEARCHES.has(node.expression.name.text)) return
    const [what] = node.arguments
    if ((what !== undefined && says(what)) || (['test', 'exec'].includes(node.expression.name.text) && says(node.expression.expression))) found.push(node.getText())
  })
  return found
}

t.test('a comparison with a sentence is found', async t => {
  const of = (/** @type {string} */ text) => comparedIn(ts.createSourceFile('x.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)).length
  for (const text of ["note.startsWith('the rounds were interrupted')", "reason === 'nothing was measured yet'", '/not kept waiting for/.test(note)']) t.equal(of(text), 1, text)
  for (const text of ["verdict === 'no difference'", "name.startsWith('AC_')", "lines.push('the rounds were interrupted')"]) t.equal(of(text), 0, text)
})

/**
 * @param {import('typescript').SourceFile} tree
 * @returns {string[]} what is a sentence where a code and facts are to be
 */
function saidIn (tree) {
  /** @type {string[]} */
  const found = []
  walk(tree, node => {
    if (!ts.isPropertyAssignment(node) || !(ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) return
    const { name: { text: name }, initializer } = node
    if (CALLED.has(name) && isSentence(textOf(initializer))) found.push(node.getText())
    // A fact that is called as one may be one.
    if (name === 'facts') walk(initializer, inner => { if (ts.isPropertyAssignment(inner) && (['sentence', 'text', 'note'].includes(inner.name.getText()) || isSentence(textOf(inner.initializer)))) found.push(inner.getText()) })
    if (name === 'facts') walk(initializer, inner => { if (ts.isShorthandPropertyAssignment(inner) && ['sentence', 'text', 'note', 'cause'].includes(inner.name.text)) found.push(inner.getText()) })
  })
  return found
}

t.test('a sentence in the place of data is found, and one by the name of a variable', async t => {
  const treeOf = (/** @type {string} */ text) => ts.createSourceFile('x.js', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  for (const text of ["a = { predicate: 'had a high CPU wait' }", 'tell({ reason: `From ${at} s on, requests were sent` })', "b = { code: 'x', facts: { sentence: trouble.reason } }", 'c = { facts: { verdict, cause } }']) t.equal(saidIn(treeOf(text)).length, 1, text) // eslint-disable-line no-template-curly-in-string
  for (const text of ["a = { reason: 'cpu-wait' }", "b = { code: 'x', facts: { reason, ms } }", "said = { text: 'had a high CPU wait' }"]) t.strictSame(saidIn(treeOf(text)), [], text)
  t.equal(comparedIn(treeOf('function f (a) { const before = `the config of ${a}, line `; return a.startsWith(before) }')).length, 1) // eslint-disable-line no-template-curly-in-string
})

t.test('what was found is codes and facts, without sentences', async t => {
  t.strictSame(trees.filter(({ file }) => (DATA.test(file) && !SHOWN.test(file)) || file.startsWith('experiments/')).flatMap(({ file, tree }) => saidIn(tree).map(found => `${file}: ${found}`)), [])
})

t.test('no code does so', async t => {
  t.strictSame(trees.flatMap(({ file, tree }) => comparedIn(tree).map(found => `${file}: ${found}`)), [])
})
