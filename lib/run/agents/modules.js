'use strict'

// The modules of a plan on other machines. No code is sent: a coordinator names each by its path below a folder and the
// SHA-256 of its file, and an agent uses its own identical file. Modules that a module requires are not checked.

const { createHash } = require('node:crypto')
const { readFileSync, realpathSync, statSync } = require('node:fs')
const path = require('node:path')
const { HookError } = require('../../core/errors')
const { isRecord, oneLine, show } = require('../../core/foreign-text')
const { tryOr } = require('../../core/try-or')
const { changeHooks } = require('../../options/requests/hook-places')
const { moduleFile } = require('../../options/requests/module-file')

/** File extensions that an import may omit. */
const ENDINGS = ['', '.js', `${path.sep}index.js`]

/** @typedef {{ name: string, sha256: string }} Named a file by its path below the folder, with slashes */

/**
 * @param {import('../../options/plan').Plan} plan
 * @param {string} dir of the coordinator
 * @returns {Promise<import('../../options/plan').Plan>} with a name and a hash instead of each path
 * @throws {HookError}
 */
async function named (plan, dir) {
  /** @type {Map<string, Named>} by path: many requests may use the same hook */
  const names = new Map()
  return changeHooks(plan, (hook, module) => {
    if (typeof module !== 'string') return module
    const known = names.get(module) ?? nameOf(hook, module, dir)
    names.set(module, known)
    return known
  })
}

/**
 * @param {import('../../options/plan').Plan} plan with names of modules
 * @returns {Promise<import('../../options/plan').Plan>} the parts that an agent may refuse: destinations and modules
 */
async function bareOf (plan) {
  /** @type {Map<unknown, string>} places of modules */
  const places = new Map()
  await changeHooks(plan, (hook, module) => {
    if (isNamed(module) && !places.has(module)) {
      const taken = [...places.values()].filter(place => place === hook || place.startsWith(`${hook} (`)).length
      places.set(module, taken === 0 ? hook : `${hook} (${taken + 1})`)
    }
    return module
  })
  const { targets, network, dispatcher } = plan
  const hooks = Object.fromEntries([...places].map(([module, place]) => [place, module]))
  return /** @type {any} */ ({ targets, network, dispatcher, hooks, scenarios: [] })
}

/**
 * @param {string} hook
 * @param {string} module a path from the options
 * @param {string} dir
 * @returns {Named}
 * @throws {HookError}
 */
function nameOf (hook, module, dir) {
  const folder = realOf(dir)
  const real = realOf(moduleFile(module))
  if (folder === null) throw new HookError(`modules: there is no folder ${show(dir)}`)
  if (real === null || !statSync(real).isFile()) throw new HookError(`${hook}: there is no module ${show(module)}`)
  // Files in a mounted folder (a ConfigMap of Kubernetes) are links to files with names that differ on each machine.
  const named = ENDINGS.map(ending => path.resolve(module) + ending).filter(file => realOf(file) === real)
  const name = [...named.map(file => path.relative(path.resolve(dir), file)), path.relative(folder, real)].find(isBelow)
  if (name === undefined || !isBelow(path.relative(folder, real))) {
    throw new HookError(`${hook}: the module ${show(module)} is not below ${show(dir)}, the folder of modules: ` +
      'agents find them by their path below their own; name another one with --modules')
  }
  const slashed = name.split(path.sep).join('/')
  if (inPackages(slashed)) {
    throw new HookError(`${hook}: the module ${show(module)} is one of node_modules, which agents do not run: ` +
      'require it in your own module')
  }
  return { name: slashed, sha256: hashOf(real) }
}

/**
 * @param {import('../../options/plan').Plan} plan from a queue
 * @param {string | null} dir of the agent; null if it runs no modules
 * @returns {Promise<import('../../options/plan').Plan>} the plan with paths of this machine
 * @throws {HookError}
 */
async function located (plan, dir) {
  /** @type {Map<unknown, string>} by path, to read each file once */
  const files = new Map()
  return changeHooks(plan, (hook, module) => {
    if (module === undefined || module === null) return module
    const known = files.get(module) ?? fileOf(hook, module, dir)
    files.set(module, known)
    return known
  })
}

/**
 * @param {string} hook
 * @param {unknown} module from a queue
 * @param {string | null} dir
 * @throws {HookError}
 */
function fileOf (hook, module, dir) {
  const place = oneLine(hook, 100)
  if (!isNamed(module)) throw new HookError(`${place}: expected a module by name and hash, got ${show(module)}`)
  const { name, sha256 } = module
  const called = `${place}: the module ${show(name)}`
  if (dir === null) {
    throw new HookError(
      `${called} is code, and this agent runs none: start it with --modules DIR, where DIR has the same file`
    )
  }
  // Paths outside of the folder are rejected without a look-up, so that the response does not reveal which files exist.
  if (!isBelow(name) || name.split(/[/\\]/).includes('..') || inPackages(name)) {
    throw new HookError(`${called} does not name a file of the --modules of an agent`)
  }
  const folder = realOf(dir)
  const file = folder === null ? null : realOf(path.join(folder, name))
  if (folder === null || file === null || !statSync(file).isFile()) {
    throw new HookError(`${called} is not in the --modules of this agent: copy it there`)
  }
  if (!isBelow(path.relative(folder, file))) {
    throw new HookError(`${called} is a link that leads out of the --modules of this agent: copy the file there`)
  }
  if (hashOf(file) !== sha256) {
    throw new HookError(`${called} differs from that in the --modules of this agent: copy the coordinator's file there`)
  }
  return path.join(folder, name)
}

/** @type {(given: unknown) => given is Named} */
function isNamed (given) {
  return isRecord(given) && typeof given.name === 'string' && given.name !== '' && !given.name.includes('\0') &&
    typeof given.sha256 === 'string'
}

/** Returns the hash of the file; null if it does not exist. @type {(file: string) => string | null} */
const realOf = file => tryOr(null, () => realpathSync(file))

/** Returns whether the path stays below its start. @type {(relative: string) => boolean} */
function isBelow (relative) {
  return relative !== '' && relative !== '..' && !/^\.\.[/\\]/.test(relative) && !path.isAbsolute(relative) &&
    !path.win32.isAbsolute(relative) && !/^[a-z]:/i.test(relative)
}

/**
 * Returns whether the file belongs to a package. Anyone knows the hashes of such files, and some are harmful to run.
 * @param {string} name
 */
function inPackages (name) {
  return name.split(/[/\\]/).includes('node_modules')
}

/** @param {string} file */
function hashOf (file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

module.exports = { bareOf, located, named }
