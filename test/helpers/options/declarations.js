'use strict'

// What index.d.ts declares, for tests that hold other places to it.

const { readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const FILE = path.join(__dirname, '../../../index.d.ts')

const parse = () => ts.createSourceFile(FILE, readFileSync(FILE, 'utf8'), ts.ScriptTarget.Latest, true)

/** @param {ts.SourceFile} tree */
const statementsOf = tree => tree.statements.filter(ts.isModuleDeclaration).flatMap(({ body }) => body !== undefined && ts.isModuleBlock(body) ? [...body.statements] : [])

const declared = statementsOf(parse())

/** @typedef {{ optional: boolean, type: string | undefined, default: string | undefined, comment: string }} Member */

/**
 * @param {string} name of an interface in namespace autocannon
 * @returns {Map<string, Member>} its members, by name
 */
function membersOf (name) {
  return new Map(interfaceOf(name).members.filter(member => member.name !== undefined).map(member => {
    const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default')
    const value = tag === undefined ? undefined : String(ts.getTextOfJSDocComment(tag.comment) ?? '').trim().replace(/^(['"`])(.*)\1$/, '$2')
    const comment = ts.getJSDocCommentsAndTags(member).map(doc => ts.isJSDoc(doc) ? ts.getTextOfJSDocComment(doc.comment) ?? '' : '').join('')
    return [member.name.text, { optional: member.questionToken !== undefined, type: member.type?.getText(), default: value, comment }]
  }))
}

/** @param {string} name */
function interfaceOf (name, statements = declared) {
  const found = statements.filter(ts.isInterfaceDeclaration).find(one => one.name.text === name)
  if (found === undefined) throw new Error(`index.d.ts declares no interface ${name}`)
  return found
}

/**
 * Writes the types of the members of an interface, and members that are missing at its end.
 * @param {string} name of it
 * @param {Array<{ name: string, type: string, optional?: boolean, default: unknown, comment: string }>} members
 */
function declare (name, members) {
  const tree = parse()
  const { members: declared } = interfaceOf(name, statementsOf(tree))
  const missing = members.filter(({ name }) => !declared.some(member => member.name?.text === name))
  const added = missing.map(({ name, type, optional = true, default: fallback, comment }) => `
    /**
${fold(comment).map(line => `     * ${line}\n`).join('')}${fallback === undefined ? '' : `     * @default ${fallback}\n`}     */
    ${name}${optional ? '?' : ''}: ${type}`).join('')
  const types = declared.flatMap(({ name, type }) => {
    const member = members.find(one => one.name === name?.text)
    return member === undefined ? [] : [{ from: type.getStart(), to: type.end, text: member.type }]
  })
  const edits = [...types, { from: declared.end, to: declared.end, text: added }]
  writeFileSync(FILE, edits.reduceRight((text, { from, to, text: written }) => text.slice(0, from) + written + text.slice(to), tree.text))
}

/** @param {string} name of a type @param {string[]} texts that it is one of */
function declareUnion (name, texts) {
  const union = texts.map(text => `'${text}'`).join(' | ')
  writeFileSync(FILE, readFileSync(FILE, 'utf8').replace(new RegExp(`(?<=\\n  type ${name} = ).*`), union))
}

/** @param {string} text @returns {string[]} lines of at most 110 characters */
const fold = text => Array.from(text.matchAll(/\S.{0,108}\S?(?=\s|$)/g), ([line]) => line)

/**
 * @param {string} name of a union of object types in namespace autocannon
 * @returns {string[][]} the keys of each
 */
function keysOfUnion (name) {
  const union = declared.filter(ts.isTypeAliasDeclaration).find(one => one.name.text === name)
  return union.type.types.map(({ members }) => members.map(member => member.name.text))
}

/** @returns {string[]} the names of the functions in namespace autocannon */
function functionsOf () {
  return declared.filter(ts.isFunctionDeclaration).map(({ name }) => name.text)
}

module.exports = { declare, declareUnion, functionsOf, keysOfUnion, membersOf }
