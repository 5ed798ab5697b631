'use strict'

/** @type {import('../table').Topic} */
module.exports = {
  topic: 'tls',
  title: 'TLS',
  page: 'docs/connections.md',
  options: [
    {
      name: 'servername', short: 's', type: 'text', arg: 'NAME',
      help: 'The server name for TLS (SNI). Default: the host of the URL unless it is an address.',
      example: '-s example.com https://10.0.0.7'
    },
    {
      name: 'insecure', short: 'k', type: 'flag',
      help: 'Do not verify the certificate of the server, also with --ca; --no-insecure verifies it, with the ' +
        'authorities of --ca or Node.js. By default it is verified only with --ca.',
      example: '--no-insecure https://localhost:3000'
    },
    {
      name: 'cert', type: 'file', where: 'cli', arg: 'FILE', becomes: 'tlsOptions',
      help: 'A client certificate chain in PEM.', example: '--cert client.pem --key client.key https://localhost:3000'
    },
    {
      name: 'key', type: 'file', where: 'cli', arg: 'FILE', becomes: 'tlsOptions',
      help: 'The private key of the certificate in PEM.',
      example: '--cert client.pem --key client.key https://localhost:3000'
    },
    {
      name: 'ca', type: 'files', where: 'cli', arg: 'FILE', becomes: 'tlsOptions',
      help: 'A trusted certificate in PEM; repeat it for more. It enables verification of the server.',
      example: '--ca ca.pem https://localhost:3000'
    },
    {
      name: 'tlsMin', aliases: ['tls-min'], type: 'tlsVersion', arg: 'VERSION',
      help: 'The lowest TLS version to offer: 1.0, 1.1, 1.2 or 1.3. Default: 1.2, or 1.0 when --tls-max is below that.',
      example: '--tls-min 1.3 https://localhost:3000'
    },
    {
      name: 'tlsMax', aliases: ['tls-max'], type: 'tlsVersion', arg: 'VERSION',
      help: 'The highest TLS version to offer. Default: 1.3.', example: '--tls-max 1.2 https://localhost:3000'
    },
    {
      name: 'ciphers', type: 'text', arg: 'LIST',
      help: 'Ciphers to offer, by OpenSSL name, separated by :, with suites of TLS 1.3: ' +
        'ECDHE-RSA-AES128-GCM-SHA256:TLS_AES_128_GCM_SHA256. A list without one of these offers no TLS 1.3, a list ' +
        'of these alone nothing else.',
      example: '--ciphers TLS_AES_128_GCM_SHA256 https://localhost:3000'
    },
    {
      name: 'alpn', type: 'alpn', arg: 'LIST',
      help: 'ALPN protocols to offer, separated by commas; none offers nothing. Default: http/1.1, or h2 with HTTP/2.',
      example: '--alpn http/1.1 https://localhost:3000'
    },
    {
      name: 'tlsSessionReuse', aliases: ['tls-session-reuse'], type: 'flag', default: false,
      help: 'Each connection after the first resumes the last TLS session of its server, per thread. Without it, ' +
        'every handshake is a full one.',
      example: '--tls-session-reuse --disable-keepalive https://localhost:3000'
    },
    {
      name: 'tlsOptions',
      type: 'object',
      where: 'api',
      help: 'Passed to tls.connect; overrides tlsMin, tlsMax, ' +
        'ciphers and alpn. Certificates are verified only if rejectUnauthorized or ca is given.'
    }
  ]
}
