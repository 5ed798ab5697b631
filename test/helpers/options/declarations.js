'use strict'

// What index.d.ts declares, for tests that hold other places to it.

const { readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const FILE = path.join(__dirname, '../../../index.d.ts')
const tree = ts.createSourceFile(FILE, readFileSync(FILE, 'utf8'), ts.ScriptTarget.Latest, true)
const declared = tree.statements.filter(ts.isModuleDeclaration).flatMap(({ body }) => body !== undefined && ts.isModuleBlock(body) ? [...body.statements] : [])

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
function interfaceOf (name) {
  const found = declared.filter(ts.isInterfaceDeclaration).find(one => one.name.text === name)
  if (found === undefined) throw new Error(`index.d.ts declares no interface ${name}`)
  return found
}

/**
 * Writes members that are missing at the end of an interface.
 * @param {string} name of it
 * @param {Array<{ name: string, type: string, default: unknown, comment: string }>} members
 */
function declare (name, members) {
  if (members.length === 0) return
  const at = interfaceOf(name).members.end
  const text = members.map(({ name, type, default: fallback, comment }) => `
    /**
${fold(comment).map(line => `     * ${line}\n`).join('')}${fallback === undefined ? '' : `     * @default ${fallback}\n`}     */
    ${name}?: ${type}`).join('')
  writeFileSync(FILE, tree.text.slice(0, at) + text + tree.text.slice(at))
}

/** @param {string} text @returns {string[]} lines of at most 110 characters */
const fold = text => Array.from(text.matchAll(/\S.{0,108}\S?(?=\s|$)/g), ([line]) => line)

/** @returns {string[]} the names of the functions in namespace autocannon */
function functionsOf () {
  return declared.filter(ts.isFunctionDeclaration).map(({ name }) => name.text)
}

module.exports = { declare, membersOf, functionsOf }
