'use strict'

const { choicesOf } = require('../../protocols/protocol')

const CLIENTS = ['autocannon', ...choicesOf('client')]

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'network',
  title: 'Connections, HTTP version, proxies, DNS',
  page: 'docs/connections.md',
  options: [
    {
      name: 'http', type: 'choice', choices: [...choicesOf('http'), 'auto'], default: '1.1',
      arg: 'VERSION',
      help: 'HTTP version: 1.1, 2, or auto, which the server selects over TLS (ALPN); for http:// that is 1.1. With ' +
        '2, -p is the number of streams per connection.',
      example: '--http auto https://localhost:3000'
    },
    {
      name: 'http2', type: 'flag', default: false, means: { http: '2' }, help: 'The same as --http 2.',
      example: '--http2 https://localhost:3000'
    },
    {
      name: 'http1', aliases: ['http1.1'], shown: 'http1.1', type: 'flag', where: 'cli', default: false,
      means: { http: '1.1' }, help: 'Use HTTP/1.1, the default: the same as --http 1.1.',
      example: '--http1.1 http://localhost:3000'
    },
    {
      name: 'reconnectRate', short: 'D', type: 'integer', min: 1, max: 1e12, arg: 'NUM',
      help: 'Reconnect after this number of requests.', example: '-D 1000 http://localhost:3000'
    },
    {
      name: 'disableKeepalive', aliases: ['disable-keepalive'], type: 'flag', where: 'cli', default: false,
      becomes: 'reconnectRate', help: 'Open a new connection for each request: the same as -D 1.',
      example: '--disable-keepalive http://localhost:3000'
    },
    {
      name: 'socketPath', short: 'S', type: 'socket', arg: 'PATH',
      help: 'Connect to this Unix socket or Windows named pipe; on Linux @name is an abstract socket (and ./@name a ' +
        'file). The URL still gives the Host header and the path.',
      example: '-S /run/app.sock http://localhost/users'
    },
    {
      name: 'proxy', type: 'proxy', arg: 'URL', ofRoute: true,
      help: 'Connect through this proxy: http://, https://, socks5:// (names are resolved here) or socks5h:// (by ' +
        'the proxy), with user:password@ if required. env reads http_proxy, https_proxy, all_proxy and no_proxy, as ' +
        'curl does; otherwise they are ignored.',
      example: '--proxy http://proxy:3128 http://server:3000'
    },
    {
      name: 'connectTo', aliases: ['connect-to'], type: 'connectTo', arg: 'HOST:PORT:ADDR:PORT',
      ofRoute: true,
      help: 'Connect to that address and port instead of a host and port, as curl does: the Host header, the server ' +
        'name for TLS and the URL stay. Parts may be empty, for any host or port or for the same; an IPv6 address ' +
        'needs brackets. Repeat it for more.',
      example: '--connect-to example.com:443:10.0.0.7:8443 https://example.com'
    },
    {
      name: 'resolve', type: 'resolve', arg: 'HOST:PORT:ADDR', ofRoute: true,
      help: 'Use these addresses, separated by commas, for a host name and port, without a name server; * is any ' +
        'host. Repeat it for more.',
      example: '--resolve example.com:443:10.0.0.7 https://example.com'
    },
    {
      name: 'ipv4', short: '4', type: 'flag', default: false, ofRoute: true,
      help: 'Use IPv4 addresses only.', example: '-4 http://example.com'
    },
    {
      name: 'ipv6', short: '6', type: 'flag', default: false, ofRoute: true,
      help: 'Use IPv6 addresses only.', example: '-6 http://example.com'
    },
    {
      name: 'dns', type: 'choice', choices: ['once', 'each'], default: 'once', arg: 'once|each',
      ofRoute: true,
      help: 'Resolve a host name once per run and thread, or for each connection. Connections use its addresses ' +
        'round-robin.',
      example: '--dns each http://example.com'
    },
    {
      name: 'localAddress', aliases: ['local-address'], type: 'addresses', arg: 'ADDR', ofRoute: true,
      help: 'Connect from this address of this machine. Several, separated by commas, are used round-robin: each has ' +
        'about 28,000 ports per server.',
      example: '--local-address 10.0.0.5,10.0.0.6 http://server:3000'
    },
    {
      name: 'connectTimeout', aliases: ['connect-timeout'], type: 'seconds', above: 0, max: 2_000_000,
      arg: 'SEC', help: 'Time limit of an attempt to connect, TLS included. Default: the timeout.',
      example: '--connect-timeout 2 http://localhost:3000'
    },
    {
      name: 'client', type: 'choice', choices: CLIENTS, default: 'autocannon', arg: CLIENTS.join('|'),
      help: 'The HTTP client that sends the requests: the built-in client, or undici, to measure what a Node.js ' +
        'service would see.',
      example: '--client undici http://localhost:3000'
    },
    {
      name: 'dispatcher',
      type: 'dispatcher',
      where: 'api',
      help: 'The dispatcher of undici that sends the requests, ' +
        'with its interceptors, proxies and TLS settings; a function that creates one; or the absolute path of a ' +
        'module that exports one of these (required with workers).'
    }
  ]
}
