'use strict'

// Owns how the form option becomes a body (RFC 7578).

const { readFileSync } = require('node:fs')
const { basename } = require('node:path')

/**
 * @param {unknown} given an object of fields, JSON of one, or the path of a JSON file
 * @returns {{ body: Buffer, contentType: string }}
 * @throws {TypeError} that says what was expected
 */
function buildForm (given) {
  const fields = typeof given === 'string' ? readFields(given) : given
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw new TypeError('expected an object of fields')
  // Loaded by those who send a form only.
  const FormData = require('form-data')
  const form = new FormData()
  for (const [name, field] of Object.entries(fields)) {
    const { type, value, path, options } = field ?? {}
    if (type === 'text') {
      if (value === undefined) throw new TypeError(`the text field '${name}' has no value`)
      form.append(name, String(value), options)
    } else if (type === 'file') {
      if (typeof path !== 'string') throw new TypeError(`the file field '${name}' has no path`)
      form.append(name, readFile(path, `the file of field '${name}'`), { filename: basename(path), ...options })
    } else {
      throw new TypeError(`the field '${name}' has the type ${JSON.stringify(type)}: expected "text" or "file"`)
    }
  }
  return { body: form.getBuffer(), contentType: form.getHeaders()['content-type'] }
}

/** @param {string} given */
function readFields (given) {
  const json = given.trimStart().startsWith('{') ? given : readFile(given, 'the form').toString()
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new TypeError(`the form is not valid JSON: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * @param {string} path
 * @param {string} what
 */
function readFile (path, what) {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new TypeError(`could not read ${what}: ${/** @type {Error} */ (error).message}`)
  }
}

module.exports = { buildForm }
