'use strict'

// How a test opens a page in headless Chromium, and what it must never do there: ask for anything, or complain.

const { spawnSync } = require('node:child_process')
const path = require('node:path')
const { chromium } = require('playwright-core')
const { missing } = require('../missing')

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

/** The tab of a browser, by the script that each page in it begins with. @type {WeakMap<object, Map<Function | undefined, import('playwright-core').Page>>} */
const tabs = new WeakMap()

/**
 * One page takes the place of the other in the same tab: a tab for each takes 1 s more of CPU time.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {Pick<import('playwright-core').BrowserContextOptions, 'javaScriptEnabled' | 'viewport' | 'colorScheme' | 'forcedColors'> & { begin?: () => void }} [options]
 *   begin: a script that each page of this tab begins with
 * @returns {Promise<{ page: import('playwright-core').Page, requests: string[], complaints: string[] }>}
 */
async function open (browser, url, { javaScriptEnabled = true, viewport = { width: 1200, height: 900 }, colorScheme = 'light', forcedColors = 'none', begin } = {}) {
  const known = tabs.get(browser) ?? new Map()
  tabs.set(browser, known)
  const page = (javaScriptEnabled ? known.get(begin) : undefined) ?? await browser.newPage({ javaScriptEnabled, viewport })
  if (javaScriptEnabled && !known.has(begin)) {
    known.set(begin, page)
    if (begin !== undefined) await page.addInitScript(begin)
  }
  page.removeAllListeners()
  await page.mouse.move(0, 0)
  if (viewport !== null) await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme, forcedColors, media: null })
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
