'use strict'

// Values that break the code that reads them: a function of the user may throw or return them.

/** @returns {any} every access throws */
function throwingProxy () {
  return new Proxy({}, new Proxy({}, { get: () => () => { throw new Error('from the proxy') } }))
}

/** @returns {any} */
function revokedProxy () {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** Promises that are none: to follow one leads into trouble. @returns {Array<[string, any]>} what it does, and itself */
function strangePromises () {
  return [
    ['then throws', { then () { throw new Error('from then') } }],
    ['then is an async function that throws', { async then () { throw new Error('from then') } }],
    ['then throws a null object', { then () { throw Object.create(null) } }],
    ['then can not be looked at', { get then () { throw new Error('from then') } }],
    ['then calls back twice', { then (/** @type {any} */ resolve, /** @type {any} */ reject) { reject(new Error('from then')); reject(new Error('again')) } }],
    ['then calls back and throws', { then (/** @type {any} */ resolve, /** @type {any} */ reject) { reject(new Error('from then')); throw new Error('again') } }],
    ['it throws whatever is done', throwingProxy()],
    ['it is revoked', revokedProxy()]
  ]
}

/** Errors that can't say what they are, and the like. @returns {any[]} */
function strangeThings () {
  return [
    Object.create(null),
    Object.assign(new Error('x'), { message: { a: 1 } }),
    Object.defineProperty(new Error('x'), 'message', { get () { throw new Error('no') } }),
    Object.defineProperty(new Error('x'), 'name', { get () { throw new Error('no') } }),
    { toString () { throw new Error('no') } },
    { [Symbol.toPrimitive] () { throw new Error('no') } },
    { get [Symbol.toStringTag] () { throw new Error('no') } },
    throwingProxy(),
    revokedProxy(),
    new Proxy(new Error('x'), {}),
    Symbol('s'),
    undefined
  ]
}

module.exports = { throwingProxy, revokedProxy, strangePromises, strangeThings }
