'use strict'

module.exports = {
  place: 'times',
  // Over TLS and through undici, and where the user chose those of Node.js, no native socket is missing.
  isIn: (/** @type {import('../index').Plan} */ { sockets, targets }) =>
    sockets === 'native' && targets.some(({ tls }) => !tls),
  begin: () => new (require('./record').NodeSockets)(),
  record: () => require('./record'),
  check: () => require('./check'),
  result: () => require('./result'),
  isShown: (/** @type {Record<string, any>} */ { sockets }) => sockets !== undefined,
  findings: () => require('./findings')
}
