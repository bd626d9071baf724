/**
 * Installs packages and builds, if they are out of date. Plain JavaScript with Node's own modules only, because it runs
 * before anything is installed and on any Node from version 20.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

/** Ends the program with one sentence and no stack. */
export class Stop extends Error {}

/** A file that says what something was made from. */
export class Stamp {
  /** @param {string} file @param {string[]} folders folders of sources */
  constructor(file, folders) {
    this.file = file
    this.folders = folders
  }

  isCurrent() {
    try {
      return readFileSync(this.file, 'utf8') === this.fingerprint()
    } catch {
      return false
    }
  }

  /** @param {string} fingerprint of before the work, in case a source changed meanwhile */
  write(fingerprint) {
    mkdirSync(dirname(this.file), { recursive: true })
    writeFileSync(this.file, fingerprint)
  }

  /** A checksum of all sources. By contents, because a copy or checkout changes all times. */
  fingerprint() {
    const files = this.folders.flatMap((folder) => listFiles(join(root, folder)))
    const configs = readdirSync(root).filter((name) => /^(vite.*config.*|package-lock\.json|index\.html)$/.test(name))
    const sum = createHash('sha256')
    for (const file of [...files, ...configs.map((name) => join(root, name))].sort()) {
      sum.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
    }
    return sum.digest('hex')
  }
}

/**
 * Updates node_modules and, with `build`, dist/. Takes some hundredths of a second when nothing is out of date.
 * Concurrent starts in one folder wait for each other.
 * @param {{ build: boolean }} options
 */
export async function prepare({ build }) {
  if (!isStale(build)) return
  try {
    accessSync(root, constants.W_OK)
  } catch {
    throw new Stop(`Parley has to be installed first, and ${root} belongs to another user: start it once as that user.`)
  }
  const release = await lock()
  try {
    if (needsInstall(build && needsBuild())) await install()
    if (build && needsBuild()) await buildBrowserParts()
  } finally {
    release()
  }
}

/** @param {boolean} build */
function isStale(build) {
  const toBuild = build && needsBuild()
  return toBuild || needsInstall(toBuild)
}

/**
 * Whether node_modules differs from the lock file; npm records there what it installed. Development packages may be
 * missing (a small production image) unless there is something to build.
 * @param {boolean} toBuild
 */
function needsInstall(toBuild) {
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!installed) return true
  const wanted = readPackages(join(root, 'package-lock.json')) ?? {}
  return Object.entries(wanted).some(([path, { version, dev, optional, devOptional, peer }]) => {
    if (path === '') return false
    const present = installed[path]
    if (present) return present.version !== version
    return !optional && !devOptional && !peer && (toBuild || !dev)
  })
}

/** @param {string} file */
function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

async function install() {
  console.log('Installing packages (about a minute, only the first time) …')
  const started = Date.now()
  // Our packages need no install scripts, and the build needs the development packages.
  const args = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--loglevel=error',
    '--no-progress',
  ]
  await npm(args, 'Installing')
  console.log(`Installed in ${seconds(started)}.`)
}

const browserParts = new Stamp(join(root, 'dist', '.built-from'), ['contract', 'dashboard', 'locales', 'widget'])

function needsBuild() {
  return !browserParts.isCurrent()
}

async function buildBrowserParts() {
  console.log('Building dashboard and widget …')
  const started = Date.now()
  const source = browserParts.fingerprint()
  await npm(['run', '--silent', 'build'], 'Building')
  browserParts.write(source)
  console.log(`Built in ${seconds(started)}.`)
}

/** @param {string} folder @returns {string[]} */
function listFiles(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return /\.(test\.tsx?|tsbuildinfo)$/.test(entry.name) ? [] : [path]
  })
}

/**
 * Runs npm with the Node that runs npm now; reports every ten seconds that it is still running.
 * @param {string[]} args @param {string} doing
 */
async function npm(args, doing) {
  const started = Date.now()
  const patience = setInterval(() => console.log(`  … ${seconds(started)}`), 10_000)
  const code = await new Promise((settle) => {
    const { npm_execpath: script, npm_node_execpath: node = process.execPath } = process.env
    const options = { cwd: root, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] }
    const child = script?.endsWith('.js')
      ? spawn(node, [script, ...args], options)
      : spawn('npm', args, { ...options, shell: process.platform === 'win32' })
    child.once('error', () => settle('npm was not found')).once('exit', (status, signal) => settle(signal ?? status))
  })
  clearInterval(patience)
  if (code === 'SIGKILL') {
    throw new Stop(
      `${doing} was ended by the system, probably because memory ran out: installing and building takes 1 GB. Add memory or swap, or build on another machine and copy the folder (docs/operating.md, Building elsewhere). Running takes 300 MB.`,
    )
  }
  if (code !== 0) throw new Stop(`${doing} failed (${code}); see the error above.`)
}

/** `npm --prefix ../parley start` passes its children a prefix that is wrong in their folder. */
function environment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_.*prefix$/i.test(name)))
}

/** Only one preparation runs at a time: others wait. A lock whose process has ended is ignored. */
async function lock() {
  const file = join(root, '.cache', 'prepare.lock')
  mkdirSync(dirname(file), { recursive: true })
  for (let isLogged = false; ; ) {
    if (claim(file)) return () => rmSync(file, { force: true })
    if (!isHeld(file)) {
      rmSync(file, { force: true })
      continue
    }
    if (!isLogged) console.log('Another start is preparing this folder; waiting for it …')
    isLogged = true
    await sleep(300)
  }
}

/** Creates the lock by linking, so that it never exists without its content. @param {string} file */
function claim(file) {
  const mine = `${file}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    linkSync(mine, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(mine, { force: true })
  }
}

/** @param {string} file */
function isHeld(file) {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** @param {number} since */
function seconds(since) {
  return `${Math.round((Date.now() - since) / 1000)} s`
}
