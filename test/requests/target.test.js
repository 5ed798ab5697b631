'use strict'

const t = require('tap')
const { parseTarget } = require('../../lib/requests/target')

const base64 = text => Buffer.from(text).toString('base64')

t.test('what a URL means', async t => {
  for (const [input, expected] of [
    ['http://localhost', { tls: false, host: 'localhost', port: 80, authority: 'localhost', path: '/', servername: 'localhost', authorization: undefined, socketPath: undefined }],
    ['http://localhost:3000', { port: 3000, authority: 'localhost:3000', path: '/' }],
    ['http://localhost:80/', { port: 80, authority: 'localhost' }],
    ['https://example.org', { tls: true, host: 'example.org', port: 443, authority: 'example.org', servername: 'example.org' }],
    ['https://example.org:443/', { port: 443, authority: 'example.org' }],
    ['https://example.org:80/', { port: 80, authority: 'example.org:80' }],
    ['http://example.org:443/', { tls: false, port: 443, authority: 'example.org:443' }],
    ['HTTPS://EXAMPLE.org/A', { tls: true, host: 'example.org', path: '/A' }],
    ['http://localhost:65535/', { port: 65535 }],

    ['localhost', { url: 'http://localhost', tls: false, host: 'localhost', port: 80, path: '/' }],
    ['localhost:3000', { url: 'http://localhost:3000', host: 'localhost', port: 3000 }],
    ['localhost:3000/a?b=c', { host: 'localhost', port: 3000, path: '/a?b=c' }],
    ['127.0.0.1:8080', { host: '127.0.0.1', port: 8080, authority: '127.0.0.1:8080' }],
    ['example.org?x=http://other/', { host: 'example.org', path: '/?x=http://other/' }],

    ['http://127.0.0.1/', { host: '127.0.0.1', authority: '127.0.0.1', servername: undefined }],
    ['http://[::1]/', { host: '::1', port: 80, authority: '[::1]', servername: undefined }],
    ['https://[2001:DB8::1]:8443/x', { tls: true, host: '2001:db8::1', port: 8443, authority: '[2001:db8::1]:8443', path: '/x', servername: undefined }],
    ['[::1]:3000', { host: '::1', port: 3000, authority: '[::1]:3000' }],
    ['http://0x7f.1/', { host: '127.0.0.1', servername: undefined }],

    ['http://localhost/a/../b/./c', { path: '/b/c' }],
    ['http://localhost/?', { path: '/' }],
    ['http://localhost?a=b', { path: '/?a=b' }],
    ['http://localhost/a#fragment', { path: '/a' }],
    ['http://localhost/a%20b/%2F?c=%26', { path: '/a%20b/%2F?c=%26' }],
    ['http://localhost/a b', { path: '/a%20b' }],
    ['http://localhost/ü?ö=ß', { path: '/%C3%BC?%C3%B6=%C3%9F' }],
    ['http://münchen.example/', { host: 'xn--mnchen-3ya.example', authority: 'xn--mnchen-3ya.example' }],
    ['http://localhost//double//', { path: '//double//' }],

    ['http://user:secret@localhost/', { host: 'localhost', authority: 'localhost', path: '/', authorization: `Basic ${base64('user:secret')}` }],
    ['http://user@localhost/', { authorization: `Basic ${base64('user:')}` }],
    ['http://:secret@localhost/', { authorization: `Basic ${base64(':secret')}` }],
    ['http://a%40b:c%3Ad@localhost:81/', { authority: 'localhost:81', authorization: `Basic ${base64('a@b:c:d')}` }],
    ['http://ü:ß@localhost/', { authorization: `Basic ${base64('ü:ß')}` }],
    ['user:secret@localhost:3000', { host: 'localhost', port: 3000, authorization: `Basic ${base64('user:secret')}` }]
  ]) {
    t.match(parseTarget(input), expected, input)
  }
})

t.test('a socket path comes beside the URL, which keeps its say in the Host and the path', async t => {
  t.match(parseTarget('http://example.org:81/x', { socketPath: '/run/x.sock' }), { authority: 'example.org:81', path: '/x', socketPath: '/run/x.sock' })
})

t.test('what is no URL is refused with what was given', async t => {
  for (const [input, expected] of [
    ['', /'' is not a URL/],
    ['http://', /'http:\/\/' is not a URL: expected something like http/],
    ['http://a b/', /is not a URL/],
    ['http://localhost:99999/', /has port 99999: expected 1 to 65535/],
    ['http://localhost:-1/', /is not a URL/],
    ['http://localhost:http/', /is not a URL/],
    ['http://[::1/', /is not a URL/],
    ['http://[::g]/', /is not a URL/],
    ['http://1.2.3.456/', /is not a URL/],
    ['http://localhost:0/', /has port 0: expected 1 to 65535/],
    ['ftp://localhost/', /has the protocol ftp: expected http or https/],
    ['ws://localhost/', /has the protocol ws/],
    ['file:///etc/passwd', /has the protocol file/],
    ['http://user:100%@localhost/', /%25/]
  ]) {
    t.throws(() => parseTarget(input), { name: 'TypeError', message: expected }, input)
  }
})
