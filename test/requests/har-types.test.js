'use strict'

const t = require('tap')
const { requestsByOrigin } = require('../../lib/requests/har')

/** @param {Record<string, unknown>} request */
const har = request => ({ log: { entries: [{ request: { method: 'POST', url: 'http://localhost/', ...request } }] } })

t.test('a value of another type is refused, with the number of its entry', async t => {
  for (const [request, reason] of [
    [{ method: null }, 'expected request.method to be a text such as GET, got null'],
    [{ method: 5 }, 'expected request.method to be a text such as GET, got 5'],
    [{ postData: { text: 5 } }, 'expected request.postData.text to be a text, got 5'],
    [{ postData: { text: {} } }, 'expected request.postData.text to be a text'],
    [{ postData: { text: 'aGk=', encoding: ['base64'] } }, 'expected request.postData.encoding to be a text, got an array'],
    [{ postData: { params: [{ name: 'a', value: { b: 1 } }] } }, "expected the value of 'a' in request.postData.params to be a text, got an object"],
    [{ postData: 'x' }, 'expected request.postData to be an object']
  ]) {
    t.throws(() => requestsByOrigin(har(request)), { message: new RegExp(`log.entries\\[0\\] has no valid request: ${reason}`.replace(/[[\]]/g, '\\$&').replace('\\\\[0\\\\]', '\\[0\\]')) }, reason)
  }
  for (const postData of [{ text: null, encoding: null }, { params: [{ name: 'a', value: 5 }, { name: 'b', value: null }] }]) {
    t.doesNotThrow(() => requestsByOrigin(har({ method: undefined, postData })))
  }
})
