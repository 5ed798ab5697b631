'use strict'

// The sentences on exhausted resources of the load generator's machine, with advice.

const { formatInteger } = require('../core/units')
const { whole } = require('./sentence')

/** @type {Record<string, import('./findings').Words>} */
module.exports = {
  'open-files': ({ limit }) => whole('This process ran out of file descriptors' +
    (limit === null ? '' : `, ${formatInteger(limit)} at most (ulimit -n)`) +
    '; each connection needs one, and those that got none waited for it. ' +
    'Use fewer connections, or raise the hard limit (Node.js goes up to it by itself): ulimit -Hn as root, ' +
    'LimitNOFILE= in systemd, --ulimit nofile= in Docker.'),
  'open-files-of-system': () =>
    whole('The whole system ran out of file descriptors: use fewer connections, or raise sysctl fs.file-max.'),
  'local-ports': ({ connected }) => whole(connected
    ? 'This machine ran out of local ports: one stays taken for a minute after its connection was closed. ' +
      'Reconnect less often (a higher --reconnectRate, a server that keeps connections open), ' +
      'use several source addresses (--local-address), or widen sysctl net.ipv4.ip_local_port_range.'
    : 'No local address or port was free (EADDRNOTAVAIL): others, or a run a minute ago, took all ports, ' +
      'or the server has an IPv6 address where there is no IPv6.')
}
