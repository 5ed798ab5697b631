'use strict'

module.exports = {
  place: 'times',
  // Native sockets are not expected over TLS, through undici, or if the user chose those of Node.js.
  isIn: (/** @type {import('../index').Plan} */ { sockets, targets }) =>
    sockets === 'native' && targets.some(({ tls }) => !tls),
  begin: () => new (require('./record').NodeSockets)(),
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { sockets }) => sockets !== undefined,
  findings: () => require('./findings')
}
