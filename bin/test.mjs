/** `npm test`: all checks of a fresh clone. Plain JavaScript, because it also installs the packages. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { prepare, root, Stop } from './prepare.mjs'
import { report } from './runtime.mjs'

const bin = join(root, 'node_modules', '.bin')

/** Programs that tests drive, and the Debian package that brings each. */
const PROGRAMS = [
  { names: ['chromium', 'chromium-browser', 'google-chrome'], brings: 'chromium' },
  { names: ['redis-server', 'valkey-server'], brings: 'redis-server' },
  { names: ['pgbouncer'], brings: 'pgbouncer' },
]

/** Optional: it makes most stories a third faster. Without it they run in full Chromium. */
const FASTER = 'chromium-headless-shell'

/** Stories of the day of a visitor and of an agent also run in the engines of other browsers that are installed. */
const ENGINES = [
  { engine: 'Firefox', names: ['firefox-esr'], brings: 'firefox-esr' },
  { engine: 'WebKit', names: ['WebKitWebDriver', 'Xvfb'], brings: 'webkit2gtk-driver xvfb' },
]

/** A short stall of the machine makes a few files fail; if more fail, something is broken. */
const MAX_RETRIED_FILES = 4

try {
  await prepare({ build: false })
  providePrograms()
  // Each of them uses one core most of the time, so they run in parallel.
  await step('build, types, style, dead code', async () => {
    const checks = [runAside('tsc', ['-b']), runAside('biome', ['ci', '--error-on-warnings']), runAside('knip', [])]
    await prepare({ build: true })
    return (await Promise.all(checks)).every(Boolean)
  })
  await step('tests', () => runTests([]))
  nameMissingEngines()
  await step('stories', () => runTests(['--config', 'vitest.stories.config.ts']))
  console.log('\nEverything holds.')
} catch (error) {
  report(error)
}

/**
 * @param {string} name
 * @param {() => boolean | Promise<boolean>} holds
 */
async function step(name, holds) {
  console.log(`\n— ${name}`)
  const started = Date.now()
  if (!(await holds())) throw new Stop(`${name}: failed`)
  console.log(`  ${((Date.now() - started) / 1000).toFixed(0)} s`)
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  return spawnSync(join(bin, command), args, { cwd: root, env: environment(), stdio: 'inherit' }).status === 0
}

/**
 * Runs in parallel with others; its output is printed when it has ended.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<boolean>}
 */
function runAside(command, args) {
  return new Promise((resolve) => {
    execFile(
      join(bin, command),
      args,
      { cwd: root, env: environment(), maxBuffer: Infinity },
      (error, stdout, stderr) => {
        process.stdout.write(stdout + stderr)
        resolve(error === null)
      },
    )
  })
}

function environment() {
  return { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
}

/**
 * A short stall of the machine must not fail the run, so files with failures are listed and run a second time, in a new
 * world. One that is listed again and again has a defect.
 *
 * @param {string[]} args
 */
function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const outcome = join(folder, 'outcome.json')
  try {
    if (run('vitest', ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${outcome}`]))
      return true
    const failed = findFailedFiles(outcome)
    if (failed.length === 0 || failed.length > MAX_RETRIED_FILES) return false
    console.log(`\n  A second try of ${failed.join(', ')}`)
    return run('vitest', ['run', ...args, ...failed])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} outcome */
function findFailedFiles(outcome) {
  if (!existsSync(outcome)) return []
  /** @type {{ testResults: { name: string, status: string }[] }} */
  const { testResults } = JSON.parse(readFileSync(outcome, 'utf8'))
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(root, name))
}

function providePrograms() {
  const missing = PROGRAMS.filter(({ names }) => !names.some(isInstalled)).map(({ brings }) => brings)
  const mayInstall = process.getuid?.() === 0 && isInstalled('apt-get')
  if (missing.length > 0) {
    const failure = mayInstall ? install(missing) : ''
    if (failure !== undefined) {
      throw new Stop(`${failure}The tests need ${missing.join(' and ')}: apt-get install -y ${missing.join(' ')}`)
    }
  }
  if (mayInstall && !isInstalled(FASTER)) install([FASTER])
}

function nameMissingEngines() {
  for (const { engine, brings } of ENGINES.filter(({ names }) => !names.every(isInstalled))) {
    console.log(`\nNot tested in ${engine}, which is not installed: apt-get install -y ${brings}`)
  }
}

/**
 * Installs Debian packages. Returns the reason when it fails.
 *
 * @param {string[]} packages
 */
function install(packages) {
  console.log(`Installing ${packages.join(' and ')} for the tests …`)
  for (const args of [
    ['update', '-q'],
    ['install', '-y', '-q', '--no-install-recommends', ...packages],
  ]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' })
    if (status !== 0) return `${stderr}\n`
  }
  return undefined
}

/** @param {string} name */
function isInstalled(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, name)))
}
