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
const FOLDERS = /^(?:cli|experiments|figures|findings|follow|instruments|judge|report|words)\//

/** Messages of the YAML library, and a problem that is in its list once. */
const EXCEPT = new Set(['Excessive alias count', 'SEQUENCE_AS_KEY', 'NOT_PROXY'])

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

/** Names of constants that are sentences. @type {Set<string>} */
const constants = new Set()
for (const { tree } of trees) {
  walk(tree, node => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === node.name.text.toUpperCase() && node.initializer && isSentence(textOf(node.initializer)) && node.initializer.kind !== ts.SyntaxKind.RegularExpressionLiteral && !EXCEPT.has(node.name.text)) constants.add(node.name.text)
  })
}

/** @param {import('typescript').Node} node */
const says = node => isSentence(textOf(node)) || (ts.isIdentifier(node) && constants.has(node.text)) || (ts.isTemplateExpression(node) && node.templateSpans.some(({ expression }) => ts.isIdentifier(expression) && constants.has(expression.text)))

/** @param {import('typescript').SourceFile} tree */
function comparedIn (tree) {
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

t.test('no code does so', async t => {
  t.strictSame(trees.flatMap(({ file, tree }) => comparedIn(tree).map(found => `${file}: ${found}`)), [])
})
