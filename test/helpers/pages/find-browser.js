'use strict'

// A program that prints, as JSON, how a browser is launched here: one that is installed, or else the one that comes from
// npm. It prints the first that really starts, or nothing.

const { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { chromium } = require('playwright-core')

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic']
const CACHE = path.join(__dirname, '../../../node_modules/.cache/chromium')

/** @typedef {{ executablePath: string, args: string[], env?: Record<string, string> }} Launch `env` is added to the environment */

/** @param {Launch} options */
async function starts (options) {
  const browser = await chromium.launch({ ...options, env: { ...process.env, ...options.env }, timeout: 20_000 }).catch(() => null)
  await browser?.close()
  return browser !== null
}

/** @returns {Promise<Launch>} the browser from npm: 206 MB that are unpacked once, in 3 to 7 s, with the libraries and fonts that it needs */
async function fromNpm () {
  const executablePath = path.join(CACHE, 'chromium')
  if (!existsSync(executablePath)) await unpack()
  const env = {
    LD_LIBRARY_PATH: path.join(CACHE, 'al2023/lib'),
    FONTCONFIG_FILE: path.join(CACHE, 'fonts.conf'),
    // The locale C would make its language en-US@posix, which Intl refuses.
    LC_ALL: 'en_US.UTF-8'
  }
  return { executablePath, args: ARGS, env }
}

/** Unpacks into a folder of this process and moves it when it is whole: two test files may do so at the same time. */
async function unpack () {
  const folder = `${CACHE}.${process.pid}`
  mkdirSync(folder, { recursive: true })
  const { TMPDIR } = process.env
  try {
    // It unpacks into the temporary folder, and its libraries only where it takes the machine for one that has none.
    Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' })
    const { default: packed } = await import('@sparticuz/chromium')
    await packed.executablePath()
    // The fonts.conf that comes with it names folders of Amazon's machines.
    writeFileSync(path.join(folder, 'fonts.conf'), `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir>${path.join(CACHE, 'fonts/fonts')}</dir><cachedir>${path.join(CACHE, 'fonts/cache')}</cachedir></fontconfig>
`)
    try {
      renameSync(folder, CACHE)
    } catch (error) {
      if (!existsSync(CACHE)) throw error
    }
  } finally {
    // The folder is gone: a browser that starts makes one of its own in the temporary folder.
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<Launch | null>} */
async function find () {
  const { CHROMIUM } = process.env
  // A configured browser is used or reported as missing, but not replaced.
  if (CHROMIUM !== undefined) return { executablePath: CHROMIUM, args: ARGS }
  for (const executablePath of PLACES.filter(existsSync)) {
    if (await starts({ executablePath, args: ARGS })) return { executablePath, args: ARGS }
  }
  const packed = process.platform === 'linux' && process.arch === 'x64' ? await fromNpm() : null
  return packed !== null && await starts(packed) ? packed : null
}

find().then(found => { if (found !== null) process.stdout.write(JSON.stringify(found)) })
