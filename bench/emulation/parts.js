'use strict'

// Owns what the emulated machine is made of: a kernel and a first program from Debian's packages, and the two C files of this
// folder, compiled. They are made once and lie in `.cache`.

const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const CACHE = path.join(__dirname, '.cache')
const INITRD = path.join(CACHE, 'initrd')

/** What mounts the host's files needs these; a kernel has some of them built in. */
const MODULES = ['virtio', 'virtio_ring', 'virtio_pci_legacy_dev', 'virtio_pci_modern_dev', 'virtio_pci', '9pnet', '9pnet_virtio', 'netfs', 'fscache', '9p']

/** The commands that are needed, and the Debian packages that have them. */
const COMMANDS = { 'qemu-system-x86_64': 'qemu-system-x86', gcc: 'gcc libc6-dev', busybox: 'busybox-static' }

/** What is missing on this machine, told so that a user can help. */
class Missing extends Error {}

/**
 * @typedef {object} Parts files
 * @property {string} kernel
 * @property {string} initrd
 * @property {string} plugin counts instructions (count.c)
 * @property {string} preload slows a program's time (slow.c)
 *
 * @returns {Parts}
 * @throws {Missing}
 */
function makeParts () {
  const missing = Object.keys(COMMANDS).filter(command => spawnSync('which', [command]).status !== 0)
  if (missing.length > 0) {
    throw new Missing(`${missing.join(', ')} not found; on Debian: apt-get install ${missing.map(command => COMMANDS[command]).join(' ')}`)
  }
  if (spawnSync('ldd', ['/bin/busybox']).status === 0) throw new Missing('busybox needs libraries here; on Debian: apt-get install busybox-static')
  fs.mkdirSync(CACHE, { recursive: true })
  const api = Number(/version (\d+)/.exec(run('qemu-system-x86_64', ['--version']))?.[1]) < 9 ? 1 : 2
  return { ...makeKernel(), plugin: compile('count', `count-${api}`, [`-DPLUGIN_API=${api}`]), preload: compile('slow', 'slow') }
}

/**
 * @param {string} name of the C file
 * @param {string} as name of the library
 * @param {string[]} [flags]
 * @returns {string} the shared library
 */
function compile (name, as, flags = []) {
  const source = path.join(__dirname, `${name}.c`)
  const library = path.join(CACHE, `${as}.so`)
  if (!isNewer(library, source)) run('gcc', ['-O2', '-Wall', '-Wextra', '-fPIC', '-shared', ...flags, '-o', library, source, '-ldl'])
  return library
}

/** @returns {{ kernel: string, initrd: string }} */
function makeKernel () {
  const kernel = path.join(CACHE, 'vmlinuz')
  if (fs.existsSync(kernel) && isNewer(INITRD, path.join(__dirname, 'init'))) return { kernel, initrd: INITRD }
  const folder = fs.mkdtempSync(path.join(CACHE, 'kernel-'))
  try {
    const root = installedKernel() === null ? downloadKernel(folder) : '/'
    const version = installedKernel(root)
    if (version === null) throw new Missing(`the kernel's package in ${root} has no modules`)
    makeInitrd(path.join(folder, 'initrd'), path.join(root, 'lib/modules', version))
    fs.copyFileSync(path.join(root, 'boot', `vmlinuz-${version}`), kernel)
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
  return { kernel, initrd: INITRD }
}

/**
 * @param {string} [root]
 * @returns {string | null} the version of the newest kernel that can be read and has its modules
 */
function installedKernel (root = '/') {
  const folder = path.join(root, 'boot')
  const versions = (fs.existsSync(folder) ? fs.readdirSync(folder) : [])
    .map(file => /^vmlinuz-(.+(-amd64|-generic|x86_64))$/.exec(file)?.[1])
    .filter(version => version !== undefined && fs.existsSync(path.join(root, 'lib/modules', version, 'kernel')) && canRead(path.join(folder, `vmlinuz-${version}`)))
  return versions.sort(new Intl.Collator('en', { numeric: true }).compare).at(-1) ?? null
}

/**
 * @param {string} folder
 * @returns {string} where Debian's newest kernel is unpacked
 */
function downloadKernel (folder) {
  const package_ = /Depends: (linux-image-\S+)/.exec(run('apt-cache', ['depends', 'linux-image-amd64']))?.[1]
  if (package_ === undefined) throw new Missing('no kernel in /boot, and apt knows none; on Debian: apt-get update, or apt-get install linux-image-amd64')
  process.stderr.write(`Downloading ${package_}\n`)
  run('apt-get', ['download', '-q', package_], folder)
  const [file] = fs.readdirSync(folder).filter(name => name.endsWith('.deb'))
  const root = path.join(folder, 'root')
  run('dpkg-deb', ['-x', path.join(folder, file), root])
  return root
}

/**
 * @param {string} folder where to gather the files
 * @param {string} modules the kernel's
 */
function makeInitrd (folder, modules) {
  for (const name of ['bin', 'modules']) fs.mkdirSync(path.join(folder, name), { recursive: true })
  fs.copyFileSync(path.join(__dirname, 'init'), path.join(folder, 'init'))
  fs.chmodSync(path.join(folder, 'init'), 0o755)
  fs.copyFileSync('/bin/busybox', path.join(folder, 'bin/busybox'))
  const files = fs.readdirSync(modules, { recursive: true }).map(String)
  for (const name of MODULES) {
    const file = files.find(file => new RegExp(`/${name}\\.ko(\\.xz|\\.zst)?$`).test(file))
    if (file === undefined) continue
    const target = path.join(folder, 'modules', `${name}.ko`)
    fs.copyFileSync(path.join(modules, file), target + path.extname(file))
    if (file.endsWith('.xz')) run('xz', ['-d', `${target}.xz`])
    else if (file.endsWith('.zst')) run('zstd', ['-q', '-d', `${target}.zst`])
    else fs.renameSync(`${target}.ko`, target)
  }
  run('sh', ['-c', 'find . | busybox cpio -o -H newc >"$1"', 'sh', `${folder}.cpio`], folder)
  fs.renameSync(`${folder}.cpio`, INITRD)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns {string} what it said
 * @throws {Missing} when it fails
 */
function run (command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Missing(`${[command, ...args].join(' ')} failed: ${error?.message ?? stderr.trim()}`)
  return stdout
}

/**
 * @param {string} file
 * @param {string} source
 * @returns {boolean}
 */
function isNewer (file, source) {
  return fs.existsSync(file) && fs.statSync(file).mtimeMs > fs.statSync(source).mtimeMs
}

/**
 * @param {string} file
 * @returns {boolean}
 */
function canRead (file) {
  try {
    fs.accessSync(file, fs.constants.R_OK)
    return true
  } catch {
    return false
  }
}

module.exports = { makeParts, Missing, CACHE }
