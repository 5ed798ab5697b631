'use strict'

// What index.d.ts declares, for tests that hold other places to it.

const { readFileSync } = require('node:fs')
const path = require('node:path')
const ts = require('typescript')

const FILE = path.join(__dirname, '../../index.d.ts')
const tree = ts.createSourceFile(FILE, readFileSync(FILE, 'utf8'), ts.ScriptTarget.Latest, true)
const declared = tree.statements.filter(ts.isModuleDeclaration).flatMap(({ body }) => body !== undefined && ts.isModuleBlock(body) ? [...body.statements] : [])

/** @typedef {{ optional: boolean, default: string | undefined, comment: string }} Member */

/**
 * @param {string} name of an interface in namespace autocannon
 * @returns {Map<string, Member>} its members, by name
 */
function membersOf (name) {
  const found = declared.filter(ts.isInterfaceDeclaration).find(one => one.name.text === name)
  if (found === undefined) throw new Error(`index.d.ts declares no interface ${name}`)
  return new Map(found.members.filter(member => member.name !== undefined).map(member => {
    const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default')
    const value = tag === undefined ? undefined : String(ts.getTextOfJSDocComment(tag.comment) ?? '').trim().replace(/^(['"`])(.*)\1$/, '$2')
    const comment = ts.getJSDocCommentsAndTags(member).map(doc => ts.isJSDoc(doc) ? ts.getTextOfJSDocComment(doc.comment) ?? '' : '').join('')
    return [member.name.text, { optional: member.questionToken !== undefined, default: value, comment }]
  }))
}

/** @returns {string[]} the names of the functions in namespace autocannon */
function functionsOf () {
  return declared.filter(ts.isFunctionDeclaration).map(({ name }) => name.text)
}

module.exports = { membersOf, functionsOf }
