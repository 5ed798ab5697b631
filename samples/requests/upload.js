'use strict'

// Shows how to upload a form with a text and a file (multipart/form-data). The form is made once, so each upload has the
// same boundary. Run it with
//
//   node samples/requests/upload.js

const autocannon = require('../..')
const { withServer } = require('../helpers/server')

withServer(async ({ url, seen }) => {
  const result = await autocannon({
    url: `${url}/upload`,
    method: 'POST',
    connections: 2,
    amount: 20,
    form: {
      title: { type: 'text', value: 'a sample' },
      source: { type: 'file', path: __filename, options: { filename: 'sample.js', contentType: 'text/javascript' } }
    }
  })

  const [{ headers, body }] = await seen()
  console.log(`${result['2xx']} uploads of ${headers['content-length']} bytes as ${headers['content-type'].split(';')[0]}`)
  for (const line of body.split('\r\n').filter(line => line.startsWith('Content-'))) console.log(line)
})
