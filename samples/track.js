'use strict'

// Shows how to follow a run: a progress bar of your own, a line per sample, and the tables at the end. Run it with
//
//   node samples/track.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

withServer(async ({ url }) => {
  const instance = autocannon({ url, title: 'a run that is followed', connections: 10, rate: 500, duration: 1, sampleInt: 250 })

  // The bar is shown at a terminal only; the tables go to stderr unless told otherwise.
  autocannon.track(instance, {
    outputStream: process.stdout,
    progressBarString: 'under fire [:bar] :percent, :eta s to go',
    renderLatencyTable: true,
    renderStatusCodes: true
  })

  instance.on('start', () => console.log('connections are being opened'))
  instance.on('tick', ({ counter, bytes, length, p99 }) => {
    console.log(`${counter} requests and ${bytes} bytes in ${Math.round(length)} ms; p99 so far ${p99} ms`)
  })
  instance.on('done', ({ title, samples }) => console.log(`${title}: ${samples} samples`))
  await instance
})
