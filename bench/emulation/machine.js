'use strict'

// Owns the emulated machine: it boots one that sees this machine's files, runs a command in it and passes on what that says.

const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { CLIENT } = require('../peers/cores')
const { makeParts, Missing, CACHE } = require('./parts')

const SYMBOLS = path.join(CACHE, 'symbols')

/** The functions of the kernel whose addresses the plugin wants to know, by its options. */
const FUNCTIONS = { idle: 'do_idle', busy: 'finish_task_switch', timer: 'asm_sysvec_apic_timer_interrupt', return: 'irqentry_exit' }
const LEARN = `grep -E " (${Object.values(FUNCTIONS).join('|')})(\\.|$)" /proc/kallsyms >/dev/shm/exchange/symbols`
const LEARN_LIMIT_S = 120

/**
 * @param {string[]} command found in the machine under the same path as here
 * @param {number} limit s that it may be silent; then it is ended
 * @returns {Promise<number>} its exit code; 2 when there can be no such machine here, 1 when it broke down
 */
async function runInMachine (command, limit) {
  try {
    const parts = makeParts()
    process.stderr.write('Booting an emulated machine\n')
    const script = `export PATH=${quote(process.env.PATH)} HOME=/dev/shm TMPDIR=/dev/shm TERM=${process.stderr.isTTY ? 'ansi' : 'dumb'}
      export EMULATION=/dev/shm/exchange EMULATION_PRELOAD=${quote(parts.preload)}
      cd ${quote(process.cwd())} && exec ${command.map(quote).join(' ')}`
    return await boot(parts, script, { limit, plugin: await learnSymbols(parts) })
  } catch (error) {
    if (!(error instanceof Missing)) throw error
    process.stderr.write(`No emulated machine here: ${error.message}\n`)
    return 2
  }
}

/**
 * Where the kernel becomes idle and so on; Debian keeps that out of the package, but the kernel itself tells.
 *
 * @param {import('./parts').Parts} parts
 * @returns {Promise<string>} options of the plugin
 */
async function learnSymbols (parts) {
  if (!fs.existsSync(SYMBOLS) || fs.statSync(SYMBOLS).mtimeMs < fs.statSync(parts.kernel).mtimeMs) {
    const keep = (/** @type {string} */ exchange) => fs.copyFileSync(path.join(exchange, 'symbols'), SYMBOLS)
    if (await boot(parts, LEARN, { limit: LEARN_LIMIT_S, after: keep }) !== 0) throw new Missing('the kernel does not boot, or does not name its functions')
  }
  const text = fs.readFileSync(SYMBOLS, 'utf8')
  return Object.entries(FUNCTIONS).map(([option, name]) => {
    const address = new RegExp(`^(\\S+) . ${name}(\\.|$)`, 'm').exec(text)?.[1]
    if (address === undefined) throw new Missing(`this kernel names no ${name}`)
    return `${option}=${address}`
  }).join(',')
}

/**
 * @param {import('./parts').Parts} parts
 * @param {string} script
 * @param {{ limit: number, plugin?: string, after?: (exchange: string) => void }} options `after`: when the script ended well
 * @returns {Promise<number>} the script's exit code, 1 when the machine broke down
 */
async function boot ({ kernel, initrd, plugin: library }, script, { limit, plugin, after }) {
  const exchange = fs.mkdtempSync(path.join(CACHE, 'exchange-'))
  fs.writeFileSync(path.join(exchange, 'run'), script)
  const child = spawn('qemu-system-x86_64', [
    '-machine', 'q35', '-accel', 'tcg,thread=multi', '-smp', '2', '-m', '4096', '-no-reboot', '-nodefaults', '-display', 'none',
    // Without what QEMU can't emulate, and without the string instructions of microcode, which it would run byte by byte.
    '-cpu', 'Haswell-noTSX,-erms,-pcid,-x2apic,-tsc-deadline,-invpcid',
    '-serial', `file:${path.join(exchange, 'console')}`,
    '-chardev', 'socket,id=out,fd=3', '-serial', 'chardev:out', '-chardev', 'socket,id=err,fd=4', '-serial', 'chardev:err',
    '-kernel', kernel, '-initrd', initrd,
    '-append', `console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable isolcpus=${CLIENT}`,
    '-virtfs', 'local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap',
    '-virtfs', `local,path=${exchange},mount_tag=exchange,security_model=none`,
    ...(plugin === undefined ? [] : ['-plugin', `${library},counters=${path.join(exchange, 'counters')},${plugin}`])
  ], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', data => { complaints += data })
  const kill = () => child.kill('SIGKILL')
  const end = () => {
    kill()
    fs.rmSync(exchange, { recursive: true, force: true })
  }
  process.once('exit', end)
  const silence = setTimeout(() => {
    complaints += `it said nothing for ${limit} s`
    kill()
  }, limit * 1000)
  for (const [fd, stream] of [[3, process.stdout], [4, process.stderr]]) {
    child.stdio[fd].on('data', data => {
      silence.refresh()
      stream.write(data)
    })
  }
  try {
    await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
    const file = path.join(exchange, 'code')
    if (fs.existsSync(file)) {
      const code = Number(fs.readFileSync(file, 'utf8'))
      if (code === 0) after?.(exchange)
      return code
    }
    const last = fs.readFileSync(path.join(exchange, 'console'), 'latin1').split('\n').slice(-20).join('\n')
    process.stderr.write(`The emulated machine broke down:\n${last}\n${complaints}\n`)
    return 1
  } finally {
    clearTimeout(silence)
    process.off('exit', end)
    end()
  }
}

/** @param {string} text */
const quote = text => `'${text.replaceAll("'", "'\\''")}'`

module.exports = { runInMachine }
