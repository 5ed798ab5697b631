'use strict'

// Owns the list of parts: all that a run can be made of, a line for each. Nothing else requires a part by its file. Nothing is loaded here before it is used.

/**
 * When requests are due: what each is, `shapes/shape` says.
 * @type {Readonly<Record<string, { doc: string, load: () => import('./shapes/shape').Shape }>>}
 */
const SHAPES = Object.freeze({
  constant: { doc: 'at even distances', load: () => require('./shapes/constant') },
  staged: { doc: 'a rate that changes in lines, stage by stage', load: () => require('./shapes/staged/staged') },
  burst: { doc: 'many at once, again and again', load: () => require('./shapes/burst') }
})

/**
 * How requests arrive around the times at which a shape has them due, by the value of `arrivals`; even when nobody asks.
 * @type {Readonly<Record<string, { doc: string, load: () => import('./shapes/shape').Arrivals }>>}
 */
const ARRIVALS = Object.freeze({
  poisson: { doc: 'at random, as from users who do not know of each other', load: () => require('./shapes/poisson') }
})

/**
 * What is spoken with servers, by the value of an option that asks for it; of several that are asked for the last. What each is, `protocols/protocol` says.
 * @type {Readonly<Record<string, { doc: string, asked: Readonly<Record<string, string>>, load: () => import('./protocols/protocol').Traits }>>}
 */
const PROTOCOLS = Object.freeze({
  http1: { doc: 'HTTP/1.1, with pipelining', asked: { http: '1.1' }, load: () => require('./protocols/http1/http1') },
  http2: { doc: 'HTTP/2, whose streams share a connection', asked: { http: '2' }, load: () => require('./protocols/http2/http2') },
  undici: { doc: 'HTTP/1.1 or HTTP/2 through undici', asked: { client: 'undici' }, load: () => require('./protocols/undici/undici') }
})

module.exports = { ARRIVALS, PROTOCOLS, SHAPES }
