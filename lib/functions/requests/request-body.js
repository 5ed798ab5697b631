'use strict'

// The body of a request of a user function: one of the options body, json, form and multipart.

const { types } = require('node:util')
const { isRecord, show } = require('../../core/foreign-text')
const { within } = require('../../requests/place')
const { parseBody } = require('../../requests/request')
const { BODIES } = require('./request-options')

const JSON_TYPE = 'application/json'
const NO_BODY = Object.freeze({ body: null, type: null })

/**
 * @param {import('./request-options').RequestOptions} options
 * @returns {{ body: string | Uint8Array | null, type: string | null }}
 */
function bodyOf (options) {
  if (options.bodies === 0) return NO_BODY
  if (options.bodies === 1 && isPlainData(options.json)) return { body: jsonOf(options.json), type: JSON_TYPE }
  const kinds = BODIES.filter(key => options[key] !== undefined && options[key] !== null)
  if (kinds.length > 1) throw new TypeError(`${kinds.join(' and ')} each give a body: use one of them`)
  switch (kinds[0]) {
    case 'body':
      if (isPlainData(options.body)) {
        throw new TypeError(`body: expected a string or a Buffer, got ${show(options.body)}: JSON is json, as in ` +
          '{ json: { … } }, and fields of a form are form')
      }
      return { body: within('body', () => parseBody(options.body)), type: null }
    case 'json': return { body: jsonOf(options.json), type: JSON_TYPE }
    case 'form': return {
      body: new URLSearchParams(pairsOf(options.form, 'form')).toString(), type: 'application/x-www-form-urlencoded'
    }
    case 'multipart': {
      const { body, contentType } = within('multipart', () =>
        require('../../requests/multipart').buildForm(fieldsOf(options.multipart)))
      return { body, type: contentType }
    }
    default: return NO_BODY
  }
}

/** @param {unknown} value */
function isPlainData (value) {
  return Array.isArray(value) || (isRecord(value) && !types.isUint8Array(value))
}

/** @param {unknown} value */
function jsonOf (value) {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`json: expected a value that JSON has, got ${show(value)}`)
  return text
}

/** A text is a field with that text. @type {(given: any) => any} */
function fieldsOf (given) {
  if (!isRecord(given)) return given
  return Object.fromEntries(Object.entries(given).map(([name, field]) =>
    [name, isRecord(field) ? field : { type: 'text', value: field }]))
}

/** @type {(given: any, what: string) => Array<[string, string]>} */
function pairsOf (given, what) {
  if (given === undefined || given === null) return []
  if (typeof given === 'string' || given instanceof URLSearchParams) return [...new URLSearchParams(given)]
  if (!isRecord(given)) throw new TypeError(`${what}: expected an object of names and values, got ${show(given)}`)
  return Object.entries(given).flatMap(([name, value]) =>
    [value].flat().filter(one => one !== undefined && one !== null)
      .map(one => /** @type {[string, string]} */ ([name, String(one)])))
}

module.exports = { JSON_TYPE, bodyOf, isPlainData, jsonOf, pairsOf }
