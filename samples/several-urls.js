'use strict'

// Shows how connections are spread over several URLs: they take turns, so that a multiple of the URLs is fair. Run it with
//
//   node samples/several-urls.js

const autocannon = require('..')
const { withServer } = require('./helpers/server')

withServer(async ({ url, seen }) => {
  const { requests } = await autocannon({ url: [`${url}/tea`, `${url}/coffee`, `${url}/milk`], connections: 6, amount: 300 })

  console.log(`${requests.total} responses over 6 connections and 3 URLs`)
  const paths = (await seen()).map(({ path }) => path)
  for (const path of ['/tea', '/coffee', '/milk']) console.log(`${path}: ${paths.filter(one => one === path).length} requests`)
})
