'use strict'

// Owns how a test opens a page in headless Chromium, and what it must never do there: ask for anything, or complain.

const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { chromium } = require('playwright-core')
const { missing } = require('./missing')

const NONE = 'no browser starts here: install Chromium (Debian: apt-get install chromium), or give its path in CHROMIUM'

/** @type {import('playwright-core').LaunchOptions | null | undefined} */
let found

/** @returns {import('playwright-core').LaunchOptions | null} how the browser is launched; found before any test begins, because only then may tap be told to skip a file */
function find () {
  if (found === undefined) {
    const { stdout, stderr } = spawnSync(process.execPath, [path.join(__dirname, 'find-browser.js')], { encoding: 'utf8' })
    if (stderr !== '') process.stderr.write(stderr)
    found = stdout === '' ? null : JSON.parse(stdout)
  }
  return /** @type {import('playwright-core').LaunchOptions | null} */ (found)
}

/**
 * Asked at the top of a test file.
 * @param {any} t the root of the file, all of which is skipped when there is no browser
 */
function lacksBrowser (t) {
  if (find() !== null) return false
  t.plan(0, missing(NONE))
  return true
}

/** @param {{ teardown: Function }} t closes it */
async function launch (t) {
  const options = find()
  if (options === null) throw new Error(NONE)
  const browser = await chromium.launch({ ...options, env: { ...process.env, ...options.env } })
  t.teardown(() => browser.close())
  return browser
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @returns {Promise<{ page: import('playwright-core').Page, requests: string[], complaints: string[] }>}
 */
async function open (browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: 'light', ...options })
  /** @type {string[]} */
  const requests = []
  /** @type {string[]} */
  const complaints = []
  page.on('request', request => requests.push(request.url()))
  page.on('console', message => complaints.push(message.text()))
  page.on('pageerror', error => complaints.push(error.message))
  await page.goto(url)
  return { page, requests, complaints }
}

module.exports = { lacksBrowser, launch, open }
