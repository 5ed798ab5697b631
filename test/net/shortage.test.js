'use strict'

const t = require('tap')
const { shortageOf } = require('../../lib/net/shortage')

/**
 * @param {string} code
 * @param {Record<string, any>} [more]
 */
const failure = (code, more) => Object.assign(new Error(code), { code, syscall: 'connect', ...more })

t.test('what this machine has too little of is told from what the server does', async t => {
  /** @type {Array<[title: string, error: any, scarce: boolean, code: string | undefined]>} */
  const cases = [
    ['no file descriptor in the process', failure('EMFILE'), false, 'EMFILE'],
    ['none in the system', failure('ENFILE'), false, 'ENFILE'],
    ['no local port', failure('EADDRNOTAVAIL'), false, 'EADDRNOTAVAIL'],
    ['no port at the local address', failure('EADDRINUSE'), false, 'EADDRINUSE'],
    ['a refusal', failure('ECONNREFUSED'), true, undefined],
    ['a timeout of ours', failure('AC_CONNECT_TIMEOUT', { syscall: undefined }), true, undefined],
    ['an error without a code', new Error('what?'), true, undefined],
    ['an orderly end', null, true, undefined],
    ['of two addresses the second found no descriptor', failure('ECONNREFUSED', { errors: [failure('ECONNREFUSED'), failure('EMFILE')] }), false, 'EMFILE'],
    ['of two addresses one can not be reached from here', failure('EADDRNOTAVAIL', { errors: [failure('EADDRNOTAVAIL'), failure('ECONNREFUSED')] }), false, undefined],
    ['none of two addresses has a port left', failure('EADDRNOTAVAIL', { errors: [failure('EADDRNOTAVAIL'), failure('EADDRNOTAVAIL')] }), false, 'EADDRNOTAVAIL'],
    ['a name that does not exist', failure('ENOTFOUND', { syscall: 'getaddrinfo' }), false, undefined],
    ['a name server that does not answer', failure('EAI_AGAIN', { syscall: 'getaddrinfo' }), false, undefined],
    ['a name that can not be looked up while others wait', failure('ENOTFOUND', { syscall: 'getaddrinfo' }), true, 'EMFILE'],
    ['a look-up that could not open its files', failure('EBUSY', { syscall: 'getaddrinfo' }), false, 'EMFILE']
  ]
  for (const [title, error, scarce, code] of cases) t.equal(/** @type {any} */ (shortageOf(error, scarce))?.code, code, title)
})
