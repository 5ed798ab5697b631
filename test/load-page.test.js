'use strict'

// docs/load.md: every command in it is understood, and the picture below a command is that of its load. UPDATE_GOLDEN=1 draws them anew.

const t = require('tap')
const { readFileSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { parseArguments } = require('..')
const { buildPlan } = require('../lib/options/plan')
const { readOptions } = require('../lib/options/read')
const { shapeOf } = require('./helpers/results/shape')

const FILE = path.join(__dirname, '../docs/load.md')

/** A command, and the picture that may stand right below it. */
const SNIPPETS = /^```sh\n([^]*?)^```\n(?:\n```text\n([^]*?)^```\n)?/gm

/**
 * @param {string} command
 * @returns {string[]}
 */
const wordsOf = command => Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word]) => quoted ?? word)

/** @param {string} command of a run */
function planOf (command) {
  const options = parseArguments(wordsOf(command.trim()).slice(1))
  return buildPlan(readOptions(options).values)
}

t.test('the picture below a command is that of its load', async t => {
  const page = readFileSync(FILE, 'utf8')
  const drawn = page.replace(SNIPPETS, (snippet, command, picture) => picture === undefined ? snippet : snippet.replace(picture, shapeOf(planOf(command))))
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(FILE, drawn)
  t.equal(drawn, readFileSync(FILE, 'utf8'))
  const pictures = Array.from(page.matchAll(SNIPPETS)).filter(([, , picture]) => picture !== undefined)
  t.ok(pictures.length >= 8, `${pictures.length} pictures`)
  for (const [, command, picture] of pictures) {
    t.ok(picture.split('\n').every(line => line.length <= 80), command)
    t.equal(command.trim().split('\n').length, 1)
  }
})
