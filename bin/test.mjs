/**
 * `npm test`: all checks of a fresh clone. `npm run check` (`check` as argument): those that need neither a build nor a database.
 * Plain JavaScript, because it also installs the packages.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { prepare, root, Stop } from './prepare.mjs'
import { report } from './runtime.mjs'

const bin = join(root, 'node_modules', '.bin')

/** Programs that tests drive, and the Debian package that brings each. */
const NEEDED = [
  { names: ['chromium', 'chromium-browser', 'google-chrome'], brings: 'chromium' },
  { names: ['redis-server', 'valkey-server'], brings: 'redis-server' },
  { names: ['pgbouncer'], brings: 'pgbouncer' },
]

/** Without them some tests are skipped or slower. */
const OPTIONAL = [
  { gain: 'stories run a third faster', names: ['chromium-headless-shell'], brings: 'chromium-headless-shell' },
  {
    gain: 'stories of the day of a visitor and of an agent run in Firefox',
    names: ['firefox-esr'],
    brings: 'firefox-esr',
  },
  { gain: 'the same in WebKit', names: ['WebKitWebDriver', 'Xvfb'], brings: 'webkit2gtk-driver xvfb' },
  { gain: 'mail through Dovecot and Postfix', names: ['dovecot', 'postfix'], brings: 'dovecot-imapd postfix' },
  { gain: 'Apache and HAProxy in front', names: ['apache2', 'haproxy'], brings: 'apache2 haproxy' },
]

/** A short stall of the machine makes a few files fail; if more fail, something is broken. */
const MAX_RETRIED_FILES = 4

/** Files that failed and passed at a second try. Each has a defect whose cause is to be found. */
const unsteady = []

try {
  await prepare({ build: false })
  await (process.argv[2] === 'check' ? check() : testAll())
  console.log('\nEverything holds.')
} catch (error) {
  report(error)
}

async function check() {
  await step('types, style, dead code', async () => (await Promise.all(startChecks())).every(Boolean))
  await step('tests without a database', () => run('vitest', ['run', '--project=pure', '--project=browser']))
}

async function testAll() {
  namePrograms()
  await step('build, types, style, dead code', async () => {
    const checks = startChecks()
    await prepare({ build: true })
    return (await Promise.all(checks)).every(Boolean)
  })
  await step('tests', () => runTests([]))
  await step('stories', () => runTests(['--config', 'vitest.stories.config.ts']))
  if (unsteady.length > 0) console.log(`\nPassed only at the second try, so find the cause: ${unsteady.join(', ')}`)
}

/** Each of them uses one core most of the time, so they run in parallel. */
function startChecks() {
  return [runAside('tsc', ['-b']), runAside('biome', ['ci', '--error-on-warnings']), runAside('knip', [])]
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
    const passes = run('vitest', ['run', ...args, ...failed])
    if (passes) unsteady.push(...failed)
    return passes
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

/** @throws Stop if a program is missing without which nothing can be tested */
function namePrograms() {
  const missing = NEEDED.filter(({ names }) => !names.some(isInstalled)).map(({ brings }) => brings)
  if (missing.length > 0) {
    throw new Stop(`The tests need ${missing.join(' and ')}. On Debian: apt-get install -y ${missing.join(' ')}`)
  }
  for (const { gain, brings } of OPTIONAL.filter(({ names }) => !names.every(isInstalled))) {
    console.log(`Not tested: ${gain}. On Debian: apt-get install -y ${brings}`)
  }
}

/** @param {string} name */
function isInstalled(name) {
  // Services of Debian lie in /usr/sbin, which only root has on its path.
  return [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some(
    (folder) => folder !== '' && existsSync(join(folder, name)),
  )
}
