'use strict'

// Converts the option `form` to a body (RFC 7578).

const { existsSync } = require('node:fs')
const { basename } = require('node:path')
const { isRecord, show } = require('../core/foreign-text')
const { readFile } = require('./file')
const { isFieldValue } = require('./headers')
const { parseJsonWithBigInts } = require('./json')

const FIELD_KEYS = ['type', 'value', 'path', 'options']

/** A form with the content of its files. */
class Form {
  /** @param {Buffer} body @param {string} contentType */
  constructor (body, contentType) {
    this.body = body
    this.contentType = contentType
  }
}

/**
 * @param {unknown} given an object of fields, its JSON, or the path of a JSON file; or the result of an earlier call,
 *   because a pipe cannot be read twice
 * @throws {TypeError} with what was expected
 */
function buildForm (given) {
  if (given instanceof Form) return given
  const fields = typeof given === 'string' ? readFields(given) : given
  if (!isRecord(fields)) throw new TypeError(`expected an object of fields, got ${show(fields)}`)
  const FormData = require('form-data')
  const form = new FormData()
  for (const [name, field] of Object.entries(fields)) {
    if (!isRecord(field)) {
      throw new TypeError(`the field ${show(name)} has to be an object with a type, got ${show(field)}`)
    }
    const { type, value, path, options } = /** @type {Record<string, any>} */ (field)
    // Unknown keys are errors in a form file only: an object of a program may have keys for other purposes.
    const strange = typeof given === 'string' ? Object.keys(field).find(key => !FIELD_KEYS.includes(key)) : undefined
    if (strange !== undefined) {
      throw new TypeError(
        `the field ${show(name)} has an unknown key ${show(strange)}: expected ${FIELD_KEYS.join(', ')}`
      )
    }
    checkPart(name, options)
    if (type === 'text') {
      if (value === undefined || value === null) throw new TypeError(`the text field ${show(name)} has no value`)
      if (typeof value === 'object' || typeof value === 'function') {
        throw new TypeError(`the text field ${show(name)} has ${show(value)} as value: expected a string`)
      }
      form.append(name, String(value), options)
    } else if (type === 'file') {
      if (typeof path !== 'string') throw new TypeError(`the file field ${show(name)} has no path`)
      form.append(name, readFile(path, `the file of field ${show(name)}`), { filename: basename(path), ...options })
    } else {
      throw new TypeError(`the field ${show(name)} has the type ${show(type)}: expected "text" or "file"`)
    }
  }
  return new Form(form.getBuffer(), form.getHeaders()['content-type'])
}

/**
 * The head of a part consists of lines: a value must not add a line.
 * @param {string} name of the field
 * @param {unknown} options
 */
function checkPart (name, options) {
  // form-data encodes line breaks and quotes in the name.
  if (name.includes('\0')) throw new TypeError(`the field ${show(name)} has a NUL in its name`)
  if (options === undefined || options === null) return
  if (!isRecord(options)) {
    throw new TypeError(`the options of the field ${show(name)} have to be an object, got ${show(options)}`)
  }
  const { header, ...others } = options
  const strings = [...Object.entries(others), ...isRecord(header) ? Object.entries(header).flat() : [header]].flat()
  if (strings.some(one => typeof one === 'string' && !isFieldValue(one))) {
    throw new TypeError(`the options of the field ${show(name)} have a line break or a NUL in them`)
  }
}

/** @param {string} given */
function readFields (given) {
  const [, name] = /^([\w-]+)=[^/\\]*$/.exec(given) ?? []
  if (name !== undefined && !existsSync(given)) {
    throw new TypeError(`expected JSON or the path of a JSON file, got ${show(given)}: a field is written as { ` +
      `"${name}": { "type": "text", "value": "…" } }`)
  }
  return parseJsonWithBigInts(
    given.trimStart().startsWith('{') ? given : readFile(given, 'the form').toString(),
    'the form'
  )
}

module.exports = { FIELD_KEYS, buildForm }
