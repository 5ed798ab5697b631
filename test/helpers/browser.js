'use strict'

// Owns how a test opens a page in headless Chromium, and what it must never do there: ask for anything, or complain.

const { existsSync } = require('node:fs')
const { chromium } = require('playwright-core')

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic']

/**
 * @param {{ teardown: Function }} t closes it
 * @throws {Error} when there is no browser: a test that needs one has not passed
 */
async function launch (t) {
  const executablePath = process.env.CHROMIUM ?? PLACES.find(existsSync)
  if (executablePath === undefined) {
    throw new Error(`there is no Chromium at ${PLACES.join(' or ')}: install it (Debian: apt-get install chromium), or give its path in CHROMIUM`)
  }
  const browser = await chromium.launch({ executablePath, args: ARGS })
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

module.exports = { launch, open }
