'use strict'

// Servers that others have written, each as a process of its own that ends with the test: nginx, nghttpd, Apache httpd. They
// serve the files of a folder on 127.0.0.1, over TLS by ALPN and in plain, and take no other place on this machine.

const { spawn, spawnSync } = require('node:child_process')
const { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } = require('node:fs')
const net = require('node:net')
const { userInfo } = require('node:os')
const path = require('node:path')
const { setTimeout: sleep } = require('node:timers/promises')
const { closedPort } = require('./http-server')
const { missing } = require('../missing')

const [CERT, KEY] = ['cert', 'key'].map(name => path.join(__dirname, `../../fixtures/tls/${name}.pem`))

/** What is served, by path. */
const FILES = { empty: '', byte: 'x', small: 'hello world\n', mega: 'm'.repeat(2 ** 20) }

/** Where Debian has programs that are for administrators. */
const PLACES = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` }

/** @type {Record<string, { flag: string, from: string }>} by their programs: how a program says its version, and its package in Debian */
const PROGRAMS = {
  nginx: { flag: '-v', from: 'nginx' },
  nghttpd: { flag: '--version', from: 'nghttp2-server' },
  apache2: { flag: '-v', from: 'apache2-bin' },
  prometheus: { flag: '--version', from: 'prometheus' }
}

/** What a test that ends badly leaves behind. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.on('exit', () => { for (const child of running) child.kill('SIGTERM') })

/**
 * @param {string} name
 * @returns {string | false} for the `skip` of a test
 */
function absent (name) {
  const { flag, from } = PROGRAMS[name]
  return spawnSync(name, [flag], { env: PLACES }).error !== undefined && missing(`there is no ${name}: install it (Debian: apt-get install ${from})`)
}

/**
 * @typedef {object} RealServer
 * @property {string} tls its URL, with no path
 * @property {string} plain
 * @property {string} folder of its files and sockets
 * @property {(signal: NodeJS.Signals) => void} signal
 */

/**
 * @param {any} t
 * @param {(ports: { tls: number, plain: number }, folder: string) => Array<string[]>} commands of the processes that together are the server; may write files
 * @returns {Promise<RealServer>}
 */
async function start (t, commands) {
  // Paths of sockets are short, which t.testdir() is not. Servers that drop root must reach it: a TMPDIR may be closed to other users.
  const folder = mkdtempSync('/tmp/ac-real-')
  chmodSync(folder, 0o755)
  mkdirSync(path.join(folder, 'put'))
  chmodSync(path.join(folder, 'put'), 0o777)
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text)
  const ports = { tls: await closedPort(), plain: await closedPort() }
  let said = ''
  const children = commands(ports, folder).map(([command, ...args]) => {
    const child = spawn(command, args, { env: PLACES, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.on('data', data => { said += data })
    running.add(child)
    child.once('exit', () => running.delete(child))
    return child
  })
  t.teardown(async () => {
    await Promise.all(children.map(child => child.exitCode !== null || child.signalCode !== null ? null : new Promise(resolve => child.once('exit', resolve).kill('SIGTERM'))))
    rmSync(folder, { recursive: true, force: true })
  })
  for (const port of Object.values(ports)) {
    for (let attempt = 0; !await accepts(port); attempt++) {
      if (attempt === 200 || children.some(({ exitCode }) => exitCode !== null)) throw new Error(`a server does not listen: ${said}`)
      await sleep(50)
    }
  }
  return {
    tls: `https://127.0.0.1:${ports.tls}`,
    plain: `http://127.0.0.1:${ports.plain}`,
    folder,
    signal: signal => { for (const child of children) child.kill(signal) }
  }
}

/** @param {number} port */
function accepts (port) {
  return new Promise(resolve => {
    const socket = net.connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })
}

/**
 * @param {any} t
 * @param {string} [settings] of its http block
 */
function nginx (t, settings = '') {
  return start(t, ({ tls, plain }, folder) => {
    writeFileSync(path.join(folder, 'nginx.conf'), `
      daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
      ${process.getuid?.() === 0 ? `user ${userInfo().username};` : ''}
      events { worker_connections 1024; }
      http {
        access_log off; client_max_body_size 0; ${settings}
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
        uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        ssl_certificate ${CERT}; ssl_certificate_key ${KEY};
        server {
          listen 127.0.0.1:${tls} ssl http2; listen 127.0.0.1:${plain} http2; listen unix:${folder}/socket http2;
          root ${folder};
          location = /none { return 204; }
          location = /early { return 200 "early"; }
          location /put/ { dav_methods PUT; }
        }
      }`)
    return [['nginx', '-p', folder, '-e', `${folder}/error.log`, '-c', path.join(folder, 'nginx.conf')]]
  })
}

/**
 * @param {any} t
 * @param {string[]} [flags]
 */
function nghttpd (t, flags = []) {
  return start(t, ({ tls, plain }, folder) => [
    ['nghttpd', '-a', '127.0.0.1', '-d', folder, ...flags, String(tls), KEY, CERT],
    ['nghttpd', '-a', '127.0.0.1', '-d', folder, ...flags, '--no-tls', String(plain)]
  ])
}

/**
 * @param {any} t
 * @param {string} [settings]
 */
function apache (t, settings = '') {
  return start(t, ({ tls, plain }, folder) => {
    const modules = ['mpm_event', 'authz_core', 'ssl', 'http2', 'alias'].map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
    writeFileSync(path.join(folder, 'httpd.conf'), `
      ServerRoot ${folder}
      ServerName localhost
      DefaultRuntimeDir ${folder}
      PidFile ${folder}/pid
      ErrorLog ${folder}/error.log
      ${modules.join('\n')}
      ${process.getuid?.() === 0 ? 'User #65534\nGroup #65534' : ''}
      StartServers 1
      ServerLimit 8
      ThreadsPerChild 16
      MaxRequestWorkers 64
      Listen 127.0.0.1:${plain}
      Listen 127.0.0.1:${tls}
      Protocols h2 h2c http/1.1
      DocumentRoot ${folder}
      RedirectMatch 204 ^/none$
      ${settings}
      <VirtualHost 127.0.0.1:${tls}>
        SSLEngine on
        SSLCertificateFile ${CERT}
        SSLCertificateKeyFile ${KEY}
        Protocols h2 http/1.1
      </VirtualHost>`)
    return [['apache2', '-DFOREGROUND', '-f', path.join(folder, 'httpd.conf')]]
  })
}

module.exports = { FILES, absent, accepts, apache, nghttpd, nginx }
